#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What libwaybill-lifetime.so adds to a free() of memory that no operation in flight uses.

free_cost.py PROGRAM LIBRARY [ROUNDS]: runs free_cost.cpp with and without the library in turn,
with 0, 1 and 100 operations in flight, and prints the medians in ns.
"""

import os
import statistics
import subprocess
import sys


def run(program, library, operations):
    """Returns {size of block: ns}."""
    environment = dict(os.environ)
    if library:
        environment["LD_PRELOAD"] = library
    text = subprocess.run([program, str(operations)], env=environment, check=True, stdout=subprocess.PIPE,
                          text=True, timeout=60).stdout
    return {int(size): float(time) for size, time in map(str.split, text.splitlines())}


def main():
    program, library = sys.argv[1:3]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    print(f"{'in flight':>9}{'block':>9}{'without':>10}{'with':>10}{'more':>8}   ns for a malloc() and its free()")
    for operations in (0, 1, 100):
        without, with_it = [], []
        for _ in range(rounds):
            without.append(run(program, None, operations))
            with_it.append(run(program, library, operations))
        for size in without[0]:
            plain, preloaded = (statistics.median(times[size] for times in some) for some in (without, with_it))
            print(f"{operations:>9}{size:>9}{plain:>10.1f}{preloaded:>10.1f}{preloaded - plain:>8.1f}")


if __name__ == "__main__":
    main()
