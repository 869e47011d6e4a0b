#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts the results in Meson's testlog.json.

count_results.py LOG STATUS: prints 'N passed, N failed, N skipped' and ends with 1 unless some
passed and none failed. STATUS is that of 'meson test': if it is not 0 although no test failed, or
nothing ran, that counts as one failure. Before it come the last lines of each test that failed.
"""

import json
import sys

PASSED = {"OK", "EXPECTEDFAIL"}
SKIPPED = {"SKIP"}


LINES_SHOWN = 30


def read(path):
    try:
        with open(path, encoding="utf-8") as log:
            return [json.loads(line) for line in log if line.strip()]
    except OSError:
        return []


def failed_ones(results):
    return [test for test in results if test["result"] not in PASSED | SKIPPED]


def show(test):
    print(f"{test['result']}: {test['name']}")
    lines = (test.get("stdout") or "").splitlines() + (test.get("stderr") or "").splitlines()
    for line in lines[-LINES_SHOWN:]:
        print("    " + line)


def main():
    results = read(sys.argv[1])
    passed = sum(test["result"] in PASSED for test in results)
    skipped = sum(test["result"] in SKIPPED for test in results)
    for test in failed_ones(results):
        show(test)
    failed = len(failed_ones(results))
    if failed == 0 and (passed == 0 or int(sys.argv[2]) != 0):
        failed = 1
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
