# xsim: builds the library, the program, the tests and the benchmarks.
#
#   make            build/libxsim.a, build/xsim, tests, tools        make CC=clang, OPT=-O2, ...
#   make demo       install what is missing, build, run a scene, plot it
#   make test       install what is missing, build, run every test (minutes)
#   make test-long  the tests that take longer                       make bench   measurements
#   make viewer     the program of the page that python3 -m xsim html writes (needs npm)
#   make bench-peers  xsim beside MuJoCo, ODE and Bullet
#   make paper      the paper's experiments, into paper/             make paper-quick   reduced
#   make V=1        shows the commands
#   make fuzz       hostile input for FUZZ_SECONDS (60) a target
#   make lint, analyze, format, sanitize, valgrind, coverage, layers, schema, install, uninstall, clean
#
# Everything but src/app/main.c goes into the library. Hot files (constraints, methods, HOT_MATH)
# are compiled a second time for AVX2; see "Second build for AVX2". BUILD names the folder
# of a build, so builds with other flags live beside each other (build/asan).

# ---- What may be set on the command line -----------------------------------------------
ifeq ($(origin CC),default)
CC := gcc
endif
OPT      ?= -O3
ARCH     ?= -march=x86-64-v2
AVX2     ?= -mavx2 -mno-fma
CFLAGS   ?=
LDFLAGS  ?=
SANITIZE ?=
BUILD    ?= build
PREFIX   ?= /usr/local
DESTDIR  ?=
OBJCOPY  ?= objcopy
NM       ?= nm
export NM

# Without V=1 a line tells what is made instead of the whole command.
V ?=
say = $(if $(V),,@printf '  %-7s %s\n' $(1) $@)
Q = $(if $(V),,@)
MAKEFLAGS += --no-builtin-rules

# Methods with a table xs_<name>_method that exists for the baseline and for AVX2.
HOT_METHODS := xpbd static rattle genalpha
# Files of src/solver that belong to no method and are built once.
COLD_SOLVER := src/solver/method.c src/solver/observe.c
# Files of src/math that methods spend their time in.
HOT_MATH := src/math/band_native.c src/math/band_lanes.c

# ---- Flags -----------------------------------------------------------------------------
# pkg-config may be missing in the stage that installs it, hence the silence; the stamp of
# the flags below checks for it before anything is compiled.
PACKAGES := hdf5 zlib libcjson openblas lapacke
PKG_CFLAGS := $(patsubst -I%,-isystem %,$(shell pkg-config --cflags $(PACKAGES) 2>/dev/null))
PKG_LIBS := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null) -lhdf5_hl -lm
TEST_LIBS := -lcriterion

# OpenBLAS without threads, where Debian has put it: the usual one starts a pool of threads in
# every process, which costs time and memory that xsim has no use for. By DT_RPATH, as
# liblapacke's own dependencies (libblas, liblapack) must come from there, too, and DT_RUNPATH
# would not reach them. Elsewhere the default one does, told to use one thread (math/band.c).
SERIAL_BLAS := $(wildcard /usr/lib/$(shell $(CC) -print-multiarch 2>/dev/null)/openblas-serial)
PKG_LIBS += $(if $(SERIAL_BLAS),-Xlinker --disable-new-dtags -Xlinker -rpath -Xlinker \
  $(SERIAL_BLAS))

# clang counts assert(condition && "why") among the conversions; gcc does not know the option.
WARNINGS := -Wall -Wextra -Wconversion -Wshadow -Wno-string-conversion -Werror
LANGUAGE := -std=c17 -D_GNU_SOURCE -Isrc $(PKG_CFLAGS)
# A multiplication and an addition are rounded each, whatever ARCH allows: gcc 12 joins them to
# vfmaddsub in spite of -ffp-contract=off, and AVX-512 brings such instructions of its own.
EXACT := -ffp-contract=off -mno-fma -mno-fma4 -mno-avx512f
CODE := $(OPT) -g $(ARCH) $(EXACT) $(SANITIZE) $(CFLAGS)
COMPILE = $(CC) $(LANGUAGE) $(WARNINGS) $(CODE) -MMD -MP
LINK = $(CC) $(CODE) $(LDFLAGS)

# The commit is baked into version.o only; "unknown" outside a git checkout.
GIT_COMMIT := $(or $(shell [ -e .git ] && \
  git describe --always --dirty --abbrev=40 --exclude='*' 2>/dev/null),unknown)

# ---- Files -----------------------------------------------------------------------------
LAYERS := base math model constraint collide solver io app
SRC := $(filter-out src/app/main.c,$(wildcard $(LAYERS:%=src/%/*.c)))
HOT := $(filter-out $(COLD_SOLVER),$(filter src/constraint/% src/solver/% $(HOT_MATH),$(SRC)))
OBJ := $(SRC:%.c=$(BUILD)/%.o)
HOT_OBJ := $(HOT:%.c=$(BUILD)/avx2/%.o)
LIB := $(BUILD)/libxsim.a
XSIM := $(if $(wildcard src/app/main.c),$(BUILD)/xsim)

programs = $(patsubst %.c,$(BUILD)/%,$(wildcard $(1)))
UNIT_TESTS  := $(call programs,tests/test_*.c)
CLAIM_TESTS := $(call programs,tests/claims/test_*.c)
LONG_TESTS  := $(call programs,tests/long/test_*.c)
TEST_TOOLS  := $(call programs,tests/tools/*.c)
BENCHES     := $(call programs,bench/*.c)
PEERS       := $(patsubst %,$(BUILD)/bench/peers/%,xsim mujoco ode bullet)
FUZZERS     := $(call programs,tests/fuzz/fuzz_*.c)
FUZZ_PARTS  := $(filter-out $(FUZZERS:%=%.o),$(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/fuzz/*.c)))
PY_TESTS := $(wildcard tests/test_*.py tests/claims/test_*.py)
PY_LONG  := $(wildcard tests/long/test_*.py)
C_FILES := $(wildcard src/*/*.[ch] tests/*.[ch] tests/*/*.[ch] bench/*.[ch] bench/peers/peer.h \
  bench/peers/xsim.c)
# Drivers of other simulators, whose headers need not be there.
PEER_FILES := $(wildcard bench/peers/*.c bench/peers/*.cc)

all: $(LIB) $(XSIM) $(UNIT_TESTS) $(CLAIM_TESTS) $(TEST_TOOLS)

# ---- Compiling and linking -------------------------------------------------------------
# A stamp is rewritten only when its text changes; what depends on it is then made again.
define STAMP
@mkdir -p $(@D)
@printf '%s\n' '$(1)' | cmp -s - $@ || printf '%s\n' '$(1)' >$@
endef

$(BUILD)/flags: FORCE
	@pkg-config --exists $(PACKAGES) 2>/dev/null || { \
	  echo "make: libraries are missing; 'make deps' installs them" >&2; exit 1; }
	$(call STAMP,$(COMPILE) | $(AVX2) | $(LINK) $(PKG_LIBS))
$(BUILD)/commit: FORCE
	$(call STAMP,$(GIT_COMMIT))

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) -c $< -o $@

$(BUILD)/src/base/version.o: $(BUILD)/commit
$(BUILD)/src/base/version.o: private LANGUAGE += \
  -DXS_GIT_COMMIT='"$(GIT_COMMIT)"' -DXS_COMPILE_FLAGS='"$(strip $(CODE))"'

# ---- Second build for AVX2 -------------------------------------------------------------
# Each hot file is compiled again with AVX2 (no FMA: both builds give the same bits), all of
# them are joined into one object, and there the methods' tables are renamed to
# xs_<name>_method_avx2 while every other symbol becomes local. So the code holds no macros
# for it, and src/solver/method.c picks a table by the processor. (___asan*: flags by which
# clang's AddressSanitizer counts its tables of globals, to be shared by a whole program.)
$(BUILD)/avx2/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(AVX2) -c $< -o $@

$(BUILD)/hot_avx2.o: $(HOT_OBJ)
	$(call say,JOIN)
	$(Q)$(LD) -r $^ -o $@.joined
	$(Q)$(OBJCOPY) --wildcard --keep-global-symbol='___asan*' \
	  $(foreach m,$(HOT_METHODS),--redefine-sym xs_$m_method=xs_$m_method_avx2 \
	    --keep-global-symbol=xs_$m_method_avx2) $@.joined $@
	@rm -f $@.joined

$(LIB): $(OBJ) $(if $(HOT),$(BUILD)/hot_avx2.o) $(BUILD)/files
	$(call say,AR)
	@rm -f $@
	$(Q)$(AR) rcs $@ $(filter %.o,$^)

# A removed source file has to leave the library, too.
$(BUILD)/files: FORCE
	$(call STAMP,$(SRC))

$(BUILD)/xsim: $(BUILD)/src/app/main.o $(LIB)
	$(call say,LINK)
	$(Q)$(LINK) $^ $(PKG_LIBS) -o $@

$(UNIT_TESTS) $(CLAIM_TESTS) $(LONG_TESTS): $(BUILD)/%: $(BUILD)/%.o $(LIB)
	$(call say,LINK)
	$(Q)$(LINK) $^ $(PKG_LIBS) $(TEST_LIBS) -o $@
$(TEST_TOOLS) $(BENCHES): $(BUILD)/%: $(BUILD)/%.o $(LIB)
	$(call say,LINK)
	$(Q)$(LINK) $^ $(PKG_LIBS) -o $@
# A library that fails allocations and calls of HDF5, with a stub for each function of HDF5 that xsim
# calls (tests/fault/fault.c).
FAULT := $(BUILD)/tests/fault/fault.so
$(BUILD)/tests/fault/h5_calls.h: $(BUILD)/xsim
	@mkdir -p $(@D)
	$(Q)$(NM) -D --undefined-only $< | sed -n 's/^ *U \(H5[A-Z][A-Za-z0-9_]*\).*/CALL(\1)/p' | \
	  grep -v '_g)$$' >$@
$(FAULT): tests/fault/fault.c $(BUILD)/tests/fault/h5_calls.h
	$(call say,LINK)
	$(Q)$(CC) $(LANGUAGE) $(WARNINGS) -O1 -g -fPIC -shared -I$(@D) $< -ldl -o $@
fault: $(FAULT)

# Fuzz targets read files from memory where they say so (file.h).
$(FUZZERS): $(BUILD)/%: $(BUILD)/%.o $(FUZZ_PARTS) $(LIB)
	$(call say,LINK)
	$(Q)$(LINK) -fsanitize=fuzzer -Wl,--wrap=xs_json_read_file $^ $(PKG_LIBS) -o $@

# Drivers of the comparison with other simulators: the peers' from their own libraries, by the same
# optimisation as xsim's.
$(BUILD)/bench/peers/xsim: $(BUILD)/bench/peers/xsim.o $(LIB)
	$(call say,LINK)
	$(Q)$(LINK) $^ $(PKG_LIBS) -o $@
PEER_CODE = $(OPT) -g -Wall -Wextra -Werror -D_GNU_SOURCE
$(BUILD)/bench/peers/mujoco: bench/peers/mujoco.c bench/peers/peer.h
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) -std=c17 $(PEER_CODE) $< -o $@ -lmujoco -lm
$(BUILD)/bench/peers/ode: bench/peers/ode.c bench/peers/peer.h
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) -std=c17 $(PEER_CODE) $$(pkg-config --cflags ode) -DdIDEDOUBLE $< -o $@ \
	  $$(pkg-config --libs ode) -lm
$(BUILD)/bench/peers/bullet: bench/peers/bullet.cc bench/peers/peer.h
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CXX) $(PEER_CODE) $$(pkg-config --cflags bullet-float64 | sed 's/-I/-isystem /g') $< -o $@ \
	  $$(pkg-config --libs bullet-float64)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

# ---- What users call: first install what is missing, then the real target ---------------
# Two runs of make, because in the first one tools that the second asks may not exist yet.
JOBS = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc))
demo test bench paper paper-quick: %: deps
	@$(MAKE) --no-print-directory $(JOBS) do-$@
test-long: deps-long
	@$(MAKE) --no-print-directory $(JOBS) do-$@
bench-peers: deps-peers
	@$(MAKE) --no-print-directory $(JOBS) do-$@

deps:
	@scripts/install-deps.sh --check >/dev/null 2>&1 || scripts/install-deps.sh
deps-long:
	@scripts/install-deps.sh --long
deps-lint:
	@for tool in clang-tidy cppcheck clang-format; do \
	  command -v $$tool >/dev/null || exec scripts/install-deps.sh --lint; done
deps-peers:
	@scripts/install-deps.sh --peers

# The first Python that has what tests and plots import.
PYTHON = $(shell scripts/install-deps.sh --python)
RUN_TESTS = XSIM=$(CURDIR)/$(BUILD)/xsim $(PYTHON) scripts/run-tests.py

# Unit tests run three times: as built, under ASan and UBSan, under valgrind.
ASAN := build/asan
ASAN_MAKE = $(MAKE) --no-print-directory BUILD=$(ASAN) OPT=-O1 CFLAGS=-DXS_TIDY_EXIT \
  SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"

do-test: all asan-build
	@$(RUN_TESTS) --logs $(BUILD)/test-logs \
	  --command scripts/check-layers.py $(LIB) \
	  --criterion $(UNIT_TESTS) $(CLAIM_TESTS) --python $(PY_TESTS) \
	  --sanitized $(UNIT_TESTS:$(BUILD)/%=$(ASAN)/%) --valgrind $(UNIT_TESTS)

do-test-long: all $(LONG_TESTS) viewer $(PEERS) $(FAULT)
	@$(RUN_TESTS) --logs $(BUILD)/test-logs-long --criterion $(LONG_TESTS) --python $(PY_LONG)

asan-build:
	+@$(ASAN_MAKE) unit-tests
unit-tests: $(UNIT_TESTS)
c-tests: $(UNIT_TESTS) $(CLAIM_TESTS) $(LONG_TESTS)
tested-programs: $(XSIM) $(TEST_TOOLS)
# Python tests that run the program: all but those of how it is built, of scripts for its care and of
# times.
PROGRAM_PY := $(filter-out $(patsubst %,tests/test_%.py,build run_tests check_layers peers_readme \
  check_regression),$(PY_TESTS))
# For tests/long/test_threads.py.
tsan-build:
	+@$(MAKE) --no-print-directory BUILD=build/tsan OPT=-O1 \
	  SANITIZE="-fsanitize=thread -fno-omit-frame-pointer" \
	  build/tsan/xsim build/tsan/tests/tools/pool_waves

# Hostile input: each target of tests/fuzz for FUZZ_SECONDS under ASan and UBSan. They are built by
# clang, whose libFuzzer they need, into a folder of their own.
FUZZ := build/fuzz
FUZZ_SECONDS ?= 60
FUZZ_MAKE = $(MAKE) --no-print-directory BUILD=$(FUZZ) CC=clang OPT=-O1 SANITIZE="\
  -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow \
  -fno-sanitize-recover=all -fno-omit-frame-pointer"
fuzz: fuzz-build
	@$(PYTHON) scripts/fuzz.py --seconds $(FUZZ_SECONDS) $(FUZZ)
fuzz-build:
	+@$(FUZZ_MAKE) fuzzers
fuzzers: $(FUZZERS)

# Tests in C and those in Python that run the program, under ASan and UBSan; of the long ones those in
# C.
sanitize:
	+@$(ASAN_MAKE) c-tests tested-programs
	@$(RUN_TESTS) --logs $(BUILD)/test-logs-asan \
	  --sanitized $(patsubst $(BUILD)/%,$(ASAN)/%,$(UNIT_TESTS) $(CLAIM_TESTS) $(LONG_TESTS)) \
	  --sanitized-program $(ASAN)/xsim --sanitized-python $(PROGRAM_PY)
valgrind: all
	@$(RUN_TESTS) --logs $(BUILD)/test-logs-valgrind --valgrind $(UNIT_TESTS)
layers: $(LIB)
	@scripts/check-layers.py $(LIB)

# Lines of src/ that make test runs, in a build of its own: by file, and last in total, whatever the
# tests' outcome. Exit status 1 below COVERAGE_LEAST percent. Left out is a test that compares bits
# for long, through lines that others run.
COVERED_PY := $(filter-out tests/test_isa.py,$(PROGRAM_PY))
COVERAGE_LEAST := 90
coverage:
	@find build/coverage -name '*.gcda' -delete 2>/dev/null || true
	+@$(MAKE) --no-print-directory BUILD=build/coverage OPT=-Og \
	  CFLAGS="--coverage -fprofile-update=atomic -DXS_TIDY_EXIT" do-coverage; status=$$?; \
	scripts/coverage.py build/coverage --least $(COVERAGE_LEAST) && exit $$status
do-coverage: all
	@XSIM_TEST_SLOWED=1 $(RUN_TESTS) --logs $(BUILD)/test-logs \
	  --criterion $(UNIT_TESTS) $(CLAIM_TESTS) --python $(COVERED_PY)

# ---- Demo and measurements -------------------------------------------------------------
DEMO := triple_pendulum
do-demo: $(LIB) $(BUILD)/xsim
	@mkdir -p $(BUILD)/demo
	$(BUILD)/xsim scenes/paper/$(DEMO).json -o $(BUILD)/demo/$(DEMO).h5
	PYTHONPATH=scripts $(PYTHON) -m xsim plot $(BUILD)/demo/$(DEMO).h5 -o $(BUILD)/demo/$(DEMO).png

# The page's program with three.js in one file; npm ci takes what package-lock.json names, once.
VIEWER := $(BUILD)/viewer/page.html
VIEWER_SRC := $(addprefix scripts/viewer/,build.mjs page.html style.css) \
  $(wildcard scripts/viewer/src/*.js)
viewer: $(VIEWER)
$(VIEWER): $(VIEWER_SRC) scripts/viewer/node_modules/.package-lock.json
	$(call say,BUNDLE)
	$(Q)cd scripts/viewer && node build.mjs $(abspath $@)
scripts/viewer/node_modules/.package-lock.json: scripts/viewer/package-lock.json
	@command -v npm >/dev/null || { echo "make viewer: needs npm (apt-get install npm)" >&2; exit 1; }
	$(call say,NPM)
	$(Q)cd scripts/viewer && npm ci --silent --no-audit --no-fund && touch node_modules/.package-lock.json

# Not in parallel: a measurement wants the machine for itself.
do-bench: all $(BENCHES)
	@set -e; for b in $(BENCHES); do echo "== $$b"; $$b; done; \
	for b in $(wildcard bench/*.py); do echo "== $$b"; XSIM=$(CURDIR)/$(BUILD)/xsim $(PYTHON) $$b; done

do-bench-peers: all $(PEERS)
	@XSIM=$(CURDIR)/$(BUILD)/xsim $(PYTHON) bench/peers/compare.py

# The experiments of Tobin & Rucker: paper/report.html, report.md, figures. What has run is not run
# again. EXPERIMENTS="fig13 tables" runs some of them, PAPER_JOBS says on how many cores.
EXPERIMENTS ?=
PAPER_JOBS ?= 2
RUN_PAPER = XSIM=$(CURDIR)/$(BUILD)/xsim ROD_ROTATION=$(CURDIR)/$(BUILD)/tests/tools/rod_rotation \
  PYTHONPATH=scripts PYTHONDONTWRITEBYTECODE=1 $(PYTHON) -m paper --jobs $(PAPER_JOBS)
do-paper: $(BUILD)/xsim $(BUILD)/tests/tools/rod_rotation
	@$(RUN_PAPER) $(EXPERIMENTS)
do-paper-quick: $(BUILD)/xsim $(BUILD)/tests/tools/rod_rotation
	@$(RUN_PAPER) --quick -o $(BUILD)/paper-quick $(EXPERIMENTS)

# ---- Care of the source ----------------------------------------------------------------
# One clang-tidy a file: in one run over several, clang 14's analyzer carries knowledge of
# va_list from one file into the next and reports errors that are none.
lint: deps-lint analyze $(BUILD)/tests/fault/h5_calls.h
	@printf '%s\n' $(filter %.c,$(C_FILES)) | xargs -P $$(nproc) -I{} \
	  clang-tidy --quiet {} -- $(LANGUAGE) -I$(BUILD)/tests/fault >$(BUILD)/lint.txt 2>&1; \
	status=$$?; grep -v 'warnings\? generated' $(BUILD)/lint.txt; exit $$status
	cppcheck --std=c11 --language=c --enable=warning,performance,portability --inline-suppr \
	  --error-exitcode=1 --quiet -D_GNU_SOURCE -Isrc -i bench/peers/bullet.cc src \
	  $(wildcard bench)
	@clang-format --dry-run -Werror $(C_FILES) $(PEER_FILES)

# gcc's analyzer over the library and main.c, without optimisation: what is inlined and taken apart
# before, gcc 12 takes for uninitialized (rows of rod_element.c).
analyze:
	+@$(MAKE) --no-print-directory $(JOBS) BUILD=build/analyze CC=gcc OPT=-O0 CFLAGS=-fanalyzer \
	  analyzed
analyzed: $(OBJ) $(BUILD)/src/app/main.o

# The schemas are kept in the repository, for editors; they come from the loader's own tables.
schema: $(BUILD)/xsim
	@mkdir -p schemas
	@set -e; for topic in scene sweep; do \
	  $(BUILD)/xsim --schema $$topic >$(BUILD)/$$topic.schema.json; \
	  mv $(BUILD)/$$topic.schema.json schemas/; done

format: deps-lint
	@clang-format -i $(C_FILES) $(PEER_FILES)

# ---- Installing ------------------------------------------------------------------------
# share/xsim has scripts for users where README names them, and the page of make viewer if it was built.
SHARE = $(DESTDIR)$(PREFIX)/share/xsim
install: $(BUILD)/xsim
	install -D -m 755 $(BUILD)/xsim $(DESTDIR)$(PREFIX)/bin/xsim
	install -D -m 644 docs/xsim.1 $(DESTDIR)$(PREFIX)/share/man/man1/xsim.1
	install -D -m 644 -t $(SHARE)/schemas schemas/*.json
	install -D -m 644 -t $(SHARE)/scripts/xsim scripts/xsim/*.py
	install -D -m 644 -t $(SHARE)/scripts/matlab scripts/matlab/*.m
	install -D -m 755 -t $(SHARE)/scripts scripts/xsim-diff scripts/collect scripts/sweep.sbatch
	$(if $(wildcard $(VIEWER)),install -D -m 644 $(VIEWER) $(SHARE)/viewer/page.html)

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/xsim $(DESTDIR)$(PREFIX)/share/man/man1/xsim.1
	rm -rf $(SHARE)

clean:
	rm -rf build

FORCE:
.PHONY: all deps deps-long demo test test-long bench do-demo do-test do-test-long do-bench \
  asan-build unit-tests c-tests tested-programs sanitize valgrind tsan-build coverage \
  do-coverage layers lint analyze analyzed format \
  schema install uninstall viewer deps-lint deps-peers bench-peers do-bench-peers paper paper-quick do-paper \
  do-paper-quick fuzz fuzz-build fuzzers fault \
  clean FORCE
.DELETE_ON_ERROR:
.SECONDARY:
