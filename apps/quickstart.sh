#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds Waybill and runs the heat equation on 4 processes. Missing packages are
# installed first. Can be run from anywhere and as often as you like.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/quickstart
log=$root/build/quickstart.log
picture=$root/apps/pictures/waybill.png
result=$build/heat.png
processes=4

# shellcheck source=apps/packages.sh
. "$root/apps/packages.sh"

say() { echo "quickstart: $*"; }
fail() {
  say "FAILED: $*"
  exit 1
}
fail_with_log() {
  [ -s "$log" ] || fail "$*"
  tail -n 15 "$log" | sed 's/^/  | /'
  fail "$*; all of it is in $log"
}

# The launcher of the MPI library that the program is linked with.
launcher_of() {
  local libraries library names name
  libraries=$(ldd "$1" 2>/dev/null)
  library=$(awk '/libmpi/ { print $3; exit }' <<<"$libraries")
  case $libraries in
    *libmpich*) names='mpiexec.mpich mpiexec.hydra mpiexec' ;;
    *libmpi.so.40*) names='mpiexec.openmpi mpirun mpiexec' ;;
    *) names='mpiexec mpirun' ;;
  esac
  # One installed by hand has its launcher beside its library.
  for name in "$(dirname "$library")/../bin/mpiexec" $names; do
    if is_there command "$name"; then
      echo "$name"
      return
    fi
  done
  return 1
}

mkdir -p "$root/build" || fail "cannot make the folder $root/build"
: >"$log" || fail "cannot write $log"

install_missing "$log" "${build_packages[@]}" | sed 's/^/quickstart: /' ||
  fail_with_log 'packages are missing'

say "building (log: $log)"
# A build folder that was moved here with its sources still names the old place.
grep -qsF "\"source\": \"$root\"" "$build/meson-info/meson-info.json" || rm -rf "$build"
if [ ! -f "$build/build.ninja" ]; then
  meson setup "$build" "$root" --buildtype release -Dtests=false >>"$log" 2>&1 ||
    fail_with_log 'meson setup'
fi
meson compile -C "$build" >>"$log" 2>&1 || fail_with_log 'building'

program=$build/apps/heat/waybill-heat
launcher=$(launcher_of "$program") || fail 'no mpiexec or mpirun for the MPI library in use'
# As root, and with more processes than cores: Open MPI 4 and 5 ask for permission.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
progress=never  # the launcher hides the terminal from the program
[ -t 2 ] && progress=always

say "running waybill-heat on $processes processes with $launcher"
timeout -k 20 600 "$launcher" -n "$processes" "$program" --input "$picture" --output "$result" \
  --verify --progress "$progress" </dev/null >"$build/summary.txt"
status=$?
cat "$build/summary.txt"
[ $status -ne 124 ] || fail 'waybill-heat did not end within 10 minutes'
[ $status -eq 0 ] || fail "waybill-heat ended with status $status"
grep -q " $processes processes " "$build/summary.txt" ||
  fail "$launcher did not make $processes processes; is it the launcher of another MPI?"
grep -q '^  verified  *max difference' "$build/summary.txt" || fail 'the result was not verified'
grep -q '^  findings  *0$' "$build/summary.txt" || fail "Waybill found mistakes, see above"
[ -s "$result" ] || fail "there is no picture $result"
say "done: the result is right and lies in $result"
