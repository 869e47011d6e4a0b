#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs program_flight with 2 processes and looks at the flight records it leaves.

check_flight.py WAY [handlers] -- LAUNCHER... PROGRAM
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

FATAL = {"SIGTERM", "SIGSEGV", "SIGABRT"}
wrong = []


def expect(condition, what):
    if not condition:
        wrong.append(what)


def run(command, folder):
    environment = dict(os.environ, WAYBILL_RECORDER="256", WAYBILL_REPORT_DIR=str(folder))
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env=environment, start_new_session=True)
    try:
        out, err = process.communicate(timeout=50)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        wrong.append("it hangs")
    return process.returncode, (out + err).decode(errors="replace")


def number_of(record, **wanted):
    return sum(all(event.get(key) == value for key, value in wanted.items())
               for event in record["events"])


def check_head(record, rank, reason):
    expect(record["format"] == "waybill-flight-record" and record["version"] == 1, "format")
    expect(record["reason"] in reason, f"reason {record['reason']}")
    expect((record["rank"], record["size"]) == (rank, 2), "rank and size")
    expect(record["host"] == os.uname().nodename, "host")
    expect(record["clock_offset_ns"] == 0 and record["clock_offset_error_ns"] == 0, "clock")
    expect(record["entries"] == 256 and record["last_dropped_sequence"] == 0, "entries")
    members = {each["name"]: each["members"] for each in record["communicators"]}
    expect(members == {"world": [0, 1], "self": [rank], "dup of world": [0, 1]},
           f"communicators {members}")


def check_events(record, rank):
    other = 1 - rank
    for name in ("world", "dup of world"):
        for operation in ("isend", "irecv"):
            for event in ("post", "wait", "waited", "complete"):
                found = number_of(record, event=event, operation=operation, communicator=name,
                                  tag=3, peer=other, bytes=64)
                expect(found == 1, f"{found} x {event} of {operation} on {name}")
    expect(number_of(record, event="post", tag=77, operation="irecv") == 1, "the pending one")
    expect(number_of(record, event="complete", tag=77, operation="irecv") == 0, "it is pending")
    expect(number_of(record, event="expired", tag=77) == 1, "a wait for it was over")
    times = [event["time_ns"] for event in record["events"]]
    expect(times == sorted(times) and times[-1] <= record["time_ns"], "times")
    posts = [event for event in record["events"] if event["event"] == "post"]
    expect(all(event["file"].endswith("program_flight.cpp") and event["line"] > 0
               for event in posts), "file and line")


def check_across(records):
    """Nobody received what was not posted yet, by the clocks as they are corrected."""
    def time(rank, **wanted):
        event, = (event for event in records[rank]["events"]
                  if all(event.get(key) == value for key, value in wanted.items()))
        return event["time_ns"] + records[rank]["clock_offset_ns"]
    wanted = {"communicator": "world", "tag": 3}
    for rank in (0, 1):
        expect(time(1 - rank, event="post", operation="isend", **wanted) <
               time(rank, event="complete", operation="irecv", **wanted), "order across ranks")


def check(way, handlers, status, text, folder):
    files = sorted(path.name for path in folder.glob("waybill-flight-*"))
    names = [f"waybill-flight-{rank}.json" for rank in (0, 1)]
    ends = way in FATAL and not (handlers and way == "SIGTERM")
    # The launcher may end a rank by SIGKILL once the other has failed.
    records = {rank: json.loads((folder / names[rank]).read_text()) for rank in (0, 1)
               if names[rank] in files}
    expect(set(files) <= set(names) or ends, f"files {files}")
    expect(len(records) == 2 or (ends and records), f"files {files}")
    expect((status != 0) == ends, f"status {status}")
    reasons = {"request": {"asked for"}, "drop": {"request"}}.get(way, {way})
    for rank, record in records.items():
        check_head(record, rank, reasons | ({"SIGTERM"} if ends else set()))
        check_events(record, rank)
        if way == "drop":
            expect(number_of(record, event="drop", tag=78) == 1, "drop")
            expect(number_of(record, event="finding", finding="dropped-handle") == 1, "finding")
    expect(any(record["reason"] in reasons for record in records.values()), "reason")
    if len(records) == 2:
        check_across(records)
    if way in ("request", "drop"):
        for name in names:
            expect(f"path {folder / name}" in text, f"the path of {name}")
    if handlers:
        for name in {"SIGUSR1", way} - ({"SIGUSR1"} if ends else set()):
            found = text.count(f"the program's handler of {name}")
            wanted = 4 if name == way == "SIGUSR1" else 2
            expect(found == wanted or (ends and found > 0), f"{found} x handler of {name}")


def main():
    split = sys.argv.index("--")
    way, handlers = sys.argv[1], "handlers" in sys.argv[2:split]
    command = sys.argv[split + 1:] + [way] + (["handlers"] if handlers else [])
    folder = pathlib.Path(tempfile.mkdtemp(prefix="waybill-flight-")).resolve()
    try:
        status, text = run(command, folder)
        check(way, handlers, status, text, folder)
    finally:
        shutil.rmtree(folder)
    print(text)
    for each in wrong:
        print("check_flight.py: not as expected:", each)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
