#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# How many instructions a message takes, above raw MPI. Needs valgrind.
#
#   bash apps/bench/path_length.sh BUILD      a build folder of Meson's
set -euo pipefail

program=${1:?the build folder is missing: bash apps/bench/path_length.sh BUILD}/apps/bench/waybill-path-length
messages=2000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export WAYBILL_PROGRESS=inline

# count SIDE FUNCTION: instructions of one call.
count() {
  valgrind --tool=callgrind --callgrind-out-file="$work/out" --toggle-collect="*$2*" \
    "$program" "$1" "$messages" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
  echo $(($(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$work/log") / messages))
}

printf '%-10s %12s %12s %12s\n' '' 'raw MPI' off basic
for function in counted_send counted_receive; do
  raw=$(count raw "$function")
  off=$(WAYBILL_CHECK=off count waybill "$function")
  basic=$(WAYBILL_CHECK=basic count waybill "$function")
  printf '%-10s %12s %12s %12s\n' "${function#counted_}" "$raw" \
    "$off (+$((off - raw)))" "$basic (+$((basic - raw)))"
done
