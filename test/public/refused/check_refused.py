#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that mistakes do not compile, for the expected reason, and their correct twins do.

check_refused.py FILE... -- COMPILER [FLAG...]: each FILE is right with -DMISTAKE=0 and wrong with
-DMISTAKE=1; its line '// refused: REASON' says what the compiler must complain about.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# How g++ and clang++ put each reason.
REASONS = {
    "ignored result": r"unused-result|nodiscard",
    "no conversion": r"no matching|could not convert|cannot convert|no viable",
    "deleted function": r"deleted",
}


def run(command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env=dict(os.environ, LC_ALL="C"), text=True,
                          check=False)


def precompile(command, folder):
    """Returns the command with the headers read already, which saves most of the time."""
    header = pathlib.Path(folder, "all.hpp")
    header.write_text('#include "waybill/waybill.hpp"\n')
    result = run([*command, "-x", "c++-header", header, "-o", f"{header}.gch"])
    if result.returncode != 0:
        sys.exit(f"waybill.hpp does not compile:\n{result.stdout}")
    return [*command, "-include", str(header)]


def check(command, file):
    """Returns whether all is well, and what to print."""
    name = pathlib.Path(file).stem
    reason = re.search(r"^// refused: (.+)$", pathlib.Path(file).read_text(), re.MULTILINE)
    if reason is None or reason.group(1) not in REASONS:
        return False, f"{name}: no line '// refused: REASON' with one of {list(REASONS)}"
    right = run([*command, "-DMISTAKE=0", "-fsyntax-only", file])
    if right.returncode != 0:
        return False, f"{name}: the correct twin does not compile:\n{right.stdout}"
    wrong = run([*command, "-DMISTAKE=1", "-fsyntax-only", file])
    if wrong.returncode == 0:
        return False, f"{name}: the mistake compiles"
    errors = [line for line in wrong.stdout.splitlines() if "error:" in line]
    if not any(re.search(REASONS[reason.group(1)], line) for line in errors):
        return False, f"{name}: not refused for {reason.group(1)!r}:\n{wrong.stdout}"
    return True, f"{name}: {errors[0].split('error: ')[-1]}"


def main():
    split = sys.argv.index("--")
    files, command = sys.argv[1:split], sys.argv[split + 1 :]
    with tempfile.TemporaryDirectory() as folder:
        command = precompile(command, folder)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda file: check(command, file), files))
    for well, text in results:
        print("ok  " if well else "FAIL", text)
    return 0 if all(well for well, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main())
