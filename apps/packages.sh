# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# What building and testing need, and how to get what is missing. To be sourced.

# Each line: the package of Debian and Ubuntu, and what makes it unnecessary:
# one of some commands in PATH, of some files, or of some libraries that pkg-config knows.
# shellcheck disable=SC2034  # used by the scripts that source this file
build_packages=(
  'g++                 command c++ g++ clang++'
  'pkg-config          command pkg-config pkgconf'
  'meson               command meson'
  'ninja-build         command ninja ninja-build samu'
  'libfmt-dev          library fmt'
  'libxxhash-dev       library libxxhash'
  'libpng-dev          library libpng'
  'libcli11-dev        library CLI11'
  'nlohmann-json3-dev  library nlohmann_json'
)
# In addition, for the tests.
# shellcheck disable=SC2034
test_packages=(
  'catch2              library catch2 catch2-with-main'
)

# is_there KIND NAME...: whether one of the names is there.
is_there() {
  local kind=$1 name
  shift
  for name in "$@"; do
    case $kind in
      command) command -v "$name" >/dev/null && return 0 ;;
      file) [ -e "$name" ] && return 0 ;;
      library) pkg-config --exists "$name" 2>/dev/null && return 0 ;;
    esac
  done
  return 1
}

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# Any MPI that compiles and has a launcher will do. Debian's compiler wrappers
# come without headers, so that half of one is completed; one that did not come
# as a package is left to its owner.
missing_mpi() {
  local wrapper
  wrapper=$(readlink -f "$(command -v mpicc)" 2>/dev/null)
  if [ -n "$wrapper" ] && is_there command mpiexec mpirun &&
    echo '#include <mpi.h>' | mpicc -E -x c - >/dev/null 2>&1; then
    return
  fi
  case $wrapper in
    *mpich*) echo libmpich-dev mpich ;;
    '' | /usr/bin/*) echo libopenmpi-dev openmpi-bin ;;
  esac
}

# missing_packages LINE...: prints the packages to install.
missing_packages() {
  local line words
  for line in "$@"; do
    read -ra words <<<"$line"
    is_there "${words[@]:1}" || is_installed "${words[0]}" || echo "${words[0]}"
  done
  missing_mpi
}

# install_missing LOG LINE...: installs what is missing, and touches nothing if
# nothing is. On failure it prints why and what to do, and returns 1.
install_missing() {
  local log=$1 missing=() as_root=()
  shift
  read -ra missing <<<"$(missing_packages "$@" | tr '\n' ' ')"
  [ ${#missing[@]} -gt 0 ] || return 0
  if ! is_there command apt-get; then
    echo "missing: ${missing[*]} (names of Debian and Ubuntu); install them and try again"
    return 1
  fi
  if [ "$(id -u)" -ne 0 ]; then
    if ! is_there command sudo; then
      echo "missing: run as root 'apt-get install ${missing[*]}' and try again"
      return 1
    fi
    as_root=(sudo)
  fi
  echo "installing ${missing[*]}"
  as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120)
  "${as_root[@]}" update >>"$log" 2>&1 || true  # what is known already may be enough
  if ! "${as_root[@]}" install -y --no-install-recommends "${missing[@]}" >>"$log" 2>&1; then
    echo "apt-get does not install ${missing[*]}"
    return 1
  fi
}
