#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds Waybill, runs its tests and ends with the line "N passed, N failed, N skipped". Missing
# packages are installed first. Can be run from anywhere and as often as you like.
#
#   test/run.sh [ARGUMENT of meson setup]... [-- [ARGUMENT of meson test]...]
#
# WAYBILL_BUILD_DIR is the build folder (build/test), CC and CXX are the compilers.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${WAYBILL_BUILD_DIR:-$root/build/test}
log=$build.log

# shellcheck source=apps/packages.sh
. "$root/apps/packages.sh"

# What the user's shell says to other programs must not change the tests.
# shellcheck disable=SC2046  # names have no spaces
unset $(compgen -v WAYBILL_) 2>/dev/null

say() { echo "test: $*"; }
fail() {
  [ ! -s "$log" ] || tail -n 40 "$log" | sed 's/^/  | /'
  say "FAILED: $*; all of it is in $log"
  echo '0 passed, 1 failed, 0 skipped'
  exit 1
}

setup=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  setup+=("$1")
  shift
done
[ $# -eq 0 ] || shift

mkdir -p "$(dirname "$build")"
: >"$log" || fail 'cannot write the log'
install_missing "$log" "${build_packages[@]}" "${test_packages[@]}" | sed 's/^/test: /' ||
  fail 'packages are missing'

# A build folder that was moved here with its sources still names the old place.
grep -qsF "\"source\": \"$root\"" "$build/meson-info/meson-info.json" || rm -rf "$build"
if [ ! -f "$build/build.ninja" ]; then
  say "setting up $build"
  meson setup "$build" "$root" --buildtype debugoptimized "${setup[@]}" >>"$log" 2>&1 ||
    fail 'meson setup'
elif [ ${#setup[@]} -gt 0 ]; then
  meson configure "$build" "${setup[@]}" >>"$log" 2>&1 || fail 'meson configure'
fi
say "building (log: $log)"
meson compile -C "$build" >>"$log" 2>&1 || fail 'building'

results=$build/meson-logs/testlog.json
rm -f "$results"
meson test -C "$build" --no-rebuild --print-errorlogs "$@" </dev/null
status=$?
python3 "$root/test/support/count_results.py" "$results" "$status"
