#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts the results in Meson's testlog.json.

count_results.py LOG STATUS: prints 'N passed, N failed, N skipped' and ends with 1 unless some
passed and none failed. STATUS is that of 'meson test': if it is not 0 although no test failed, or
nothing ran, that counts as one failure.
"""

import json
import sys

PASSED = {"OK", "EXPECTEDFAIL"}
SKIPPED = {"SKIP"}


def count(path):
    passed = failed = skipped = 0
    try:
        with open(path, encoding="utf-8") as log:
            results = [json.loads(line)["result"] for line in log if line.strip()]
    except OSError:
        results = []
    for result in results:
        passed += result in PASSED
        skipped += result in SKIPPED
        failed += result not in PASSED | SKIPPED
    return passed, failed, skipped


def main():
    passed, failed, skipped = count(sys.argv[1])
    if failed == 0 and (passed == 0 or int(sys.argv[2]) != 0):
        failed = 1
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
