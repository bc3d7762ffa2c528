# Provisional: builds the library, the program and the Criterion tests. (To be replaced.)
CC ?= gcc
PKGS := hdf5 libcjson openblas lapacke
WARN := -Wall -Wextra -Wconversion -Wshadow -Werror
CFLAGS_ALL := -std=c17 -O2 -g -march=x86-64-v2 -ffp-contract=off -D_GNU_SOURCE $(WARN) -Isrc -isystem /usr/include/hdf5/serial $(shell pkg-config --cflags $(PKGS))
LIBS := $(shell pkg-config --libs $(PKGS)) -lhdf5_hl -lm
SRC := $(filter-out src/app/main.c,$(wildcard src/*/*.c))
OBJ := $(SRC:%.c=build/%.o)
TESTS := $(patsubst tests/%.c,build/tests/%,$(wildcard tests/test_*.c))
all: build/libxsim.a $(if $(wildcard src/app/main.c),build/xsim) $(TESTS)
build/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -MMD -c $< -o $@
build/libxsim.a: $(OBJ)
	rm -f $@; ar rcs $@ $(OBJ)
build/xsim: build/src/app/main.o build/libxsim.a
	$(CC) $^ $(LIBS) -o $@
build/tests/%: tests/%.c build/libxsim.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) $< build/libxsim.a $(LIBS) -lcriterion -o $@
test: all
	@for t in $(TESTS); do $$t || exit 1; done
clean:
	rm -rf build
-include $(OBJ:.o=.d)
.PHONY: all test clean
