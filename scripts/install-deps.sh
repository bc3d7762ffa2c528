#!/bin/sh
# Installs what building and testing need, from Debian's packages.
#
#   install-deps.sh            install what is missing, as root or through sudo
#   install-deps.sh --check    list what is missing; exit status 1 if anything is
#   install-deps.sh --long     also what `make test-long` needs: Slurm, GNU parallel, Snakemake, the peers,
#                              and what shows results
#   install-deps.sh --peers    also what `make bench-peers` needs: other simulators
#   install-deps.sh --lint     also what `make lint` and `make format` need
#   install-deps.sh --python   print the first Python that has the modules needed
set -u

# Building: compilers, linker tools, the libraries.
packages="gcc make pkg-config binutils libc6-dev
  libcjson-dev libhdf5-dev zlib1g-dev libopenblas-dev libopenblas0-serial liblapacke-dev"
# Testing and plotting: Criterion, memory checkers, HDF5's own tools, Python.
packages="$packages libcriterion-dev valgrind libc6-dbg hdf5-tools python3
  python3-numpy python3-scipy python3-h5py python3-jsonschema python3-matplotlib"
# The second compiler, which tests build with as well.
packages="$packages clang libclang-rt-dev"

# Other simulators, which xsim is compared with.
peers="libmujoco-dev libode-dev libbullet-dev g++"

# The long tests: a cluster of one node, and other ways to run commands side by side; the peers; a browser,
# npm (which brings node; another node.js than Debian's brings its own), ParaView, Octave, and what films
# and labelled arrays need.
case ${1-} in
--long)
  packages="$packages slurm-wlm munge parallel snakemake $peers
    chromium paraview python3-paraview octave ffmpeg python3-xarray"
  command -v npm >/dev/null || packages="$packages nodejs npm"
  shift
  ;;
--peers)
  packages="$packages $peers"
  shift
  ;;
--lint)
  packages="$packages clang-tidy cppcheck clang-format"
  shift
  ;;
esac

modules="numpy, scipy, h5py, jsonschema, matplotlib"

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

missing_packages() {
  for package in $packages; do
    installed "$package" || echo "$package"
  done
}

find_python() {
  for python in python3 /usr/bin/python3; do
    if "$python" -c "import $modules" 2>/dev/null; then
      command -v "$python"
      return 0
    fi
  done
  return 1
}

# Runs a command as root, or says which command would have to be run.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    DEBIAN_FRONTEND=noninteractive "$@"
  else
    sudo -n env DEBIAN_FRONTEND=noninteractive "$@"
  fi
}

refuse() {
  echo "install-deps.sh: $1" >&2
  exit 1
}

case ${1-} in
--help)
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
  exit 0
  ;;
--python)
  find_python || refuse "no python3 can import $modules; run scripts/install-deps.sh"
  exit 0
  ;;
--check | "") ;;
*) refuse "unknown option '$1' (--check, --lint, --long, --peers, --python)" ;;
esac

if ! command -v dpkg-query >/dev/null; then
  refuse "this system has no dpkg; install the equivalents of: $packages"
fi
missing=$(missing_packages | tr '\n' ' ')
if [ -z "$missing" ]; then
  find_python >/dev/null || refuse "all packages are installed, yet no python3 imports $modules"
  exit 0
fi
if [ "${1-}" = --check ]; then
  echo "missing: $missing"
  exit 1
fi

# Neither root nor a sudo that asks nothing: the user has to run one command.
command="apt-get install -y --no-install-recommends $missing"
if [ "$(id -u)" != 0 ] && ! sudo -n true 2>/dev/null; then
  refuse "packages are missing and this user may not install them. Run, as root:
    apt-get update && $command"
fi

# The lists of packages may be absent (a fresh system) or too old (a package has moved on).
echo "installing: $missing"
if ! as_root $command; then
  echo "trying again with fresh package lists"
  as_root apt-get update || refuse "apt-get update failed; see its message above"
  as_root $command || refuse "apt-get install failed; see its message above"
fi
missing=$(missing_packages | tr '\n' ' ')
[ -z "$missing" ] || refuse "still missing after apt-get install: $missing"
find_python >/dev/null || refuse "no python3 can import $modules although they are installed"
