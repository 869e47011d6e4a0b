#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a program and compares its end with what a test expects of it.

expect.py [--status N] [--stderr REGEX]... [--no-stderr REGEX]... [--stdout REGEX]...
          [--no-stdout REGEX]... [--timeout SECONDS] [--min-seconds S] [--max-seconds S]
          -- COMMAND [ARGUMENT...]

--status takes a number or "nonzero". A REGEX is searched in the whole output, with ^ and $ at
each line. The command and what it started are ended after --timeout.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import time


def parse(arguments):
    split = arguments.index("--") if "--" in arguments else len(arguments)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--status", default="0")
    for stream in ("stdout", "stderr"):
        parser.add_argument("--" + stream, action="append", default=[], metavar="REGEX")
        parser.add_argument("--no-" + stream, action="append", default=[], metavar="REGEX")
    parser.add_argument("--timeout", type=float, default=55.0, metavar="SECONDS")
    parser.add_argument("--min-seconds", type=float, default=0.0)
    parser.add_argument("--max-seconds", type=float, default=float("inf"))
    options = parser.parse_args(arguments[:split])
    options.command = arguments[split + 1 :]
    if not options.command:
        parser.error("no command after --")
    if options.status != "nonzero":
        options.status = int(options.status)
    return options


def run(command, timeout):
    """Returns status (None after the time-out), stdout, stderr and seconds."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, start_new_session=True)
    try:
        out, err = process.communicate(timeout=timeout)
        status = process.returncode
    except subprocess.TimeoutExpired:
        status = None
        os.killpg(process.pid, signal.SIGTERM)  # lets a launcher end its processes
        try:
            out, err = process.communicate(timeout=3)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
    seconds = time.monotonic() - begin
    return status, out.decode(errors="replace"), err.decode(errors="replace"), seconds


def complaints(options, status, out, err, seconds):
    if status is None:
        yield f"did not end within {options.timeout:g} s"
    elif options.status == "nonzero":
        if status == 0:
            yield "status 0, expected another one"
    elif status != options.status:
        yield f"status {status}, expected {options.status}"
    if not options.min_seconds <= seconds <= options.max_seconds:
        yield (f"took {seconds:.1f} s, expected {options.min_seconds:g} to "
               f"{options.max_seconds:g} s")
    for stream, text in (("stdout", out), ("stderr", err)):
        for regex in getattr(options, stream):
            if not re.search(regex, text, re.MULTILINE):
                yield f"{stream} has no match of {regex!r}"
        for regex in getattr(options, "no_" + stream):
            found = re.search(regex, text, re.MULTILINE)
            if found:
                yield f"{stream} has {found.group(0)!r}, a match of {regex!r}"


def main():
    options = parse(sys.argv[1:])
    status, out, err, seconds = run(options.command, options.timeout)
    wrong = list(complaints(options, status, out, err, seconds))
    print("ran:", " ".join(options.command), f"({seconds:.1f} s, status {status})")
    for stream, text in (("stdout", out), ("stderr", err)):
        if text:
            print(f"--- {stream}")
            print(text, end="" if text.endswith("\n") else "\n")
    for line in wrong:
        print("expect.py:", line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
