#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs tests of waybill-bench as short as possible and checks their JSON and SVG.

check_outputs.py TEST,TEST,... -- LAUNCHER... waybill-bench
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"
NUMBER = (int, float)
# Field of a result: allowed types.
FIELDS = {
    "test": str, "variant": str, "pattern": str, "contender": str, "quantity": str, "unit": str,
    "bytes": (int, type(None)), "better": str, "noisy": bool, "samples": dict, "spread": dict,
    "raw": NUMBER + (type(None),), "waybill": NUMBER + (type(None),),
    "ratio": NUMBER + (type(None),),
}
MACHINE = {"host", "cpu", "cores_online", "cores_allowed", "kernel", "memory_bytes", "load_at_start",
           "load_at_end"}
MPI = {"library", "standard", "thread_level", "ranks", "ranks_on_node", "binding"}


def check(condition, what):
    if not condition:
        sys.exit(f"check_outputs.py: {what}")


def check_result(result, test, rounds):
    for field, kinds in FIELDS.items():
        check(isinstance(result.get(field), kinds), f"{test}: {field} is {result.get(field)!r}")
    check(result["test"] == test, f"{test}: the result is of {result['test']}")
    check(result["better"] in ("lower", "higher"), f"{test}: better is {result['better']!r}")
    for side in ("raw", "waybill"):
        samples = result["samples"][side]
        check(len(samples) in (0, rounds), f"{test}: {len(samples)} samples in {rounds} rounds")
        check((len(samples) == 0) == (result[side] is None), f"{test}: {side} without samples")
    check(result["waybill"] is not None, f"{test}: Waybill was not measured")


def check_json(path, test, rounds):
    document = json.loads(path.read_text())
    check(MACHINE <= document["machine"].keys(), f"{test}: machine lacks facts")
    check(MPI <= document["mpi"].keys(), f"{test}: mpi lacks facts")
    check("WAYBILL_CHECK" in document["settings"], f"{test}: settings lack WAYBILL_CHECK")
    check(document["settings"]["rounds"] == str(rounds), f"{test}: rounds are not told")
    check(test in document["command"], f"{test}: the command is {document['command']!r}")
    check(document["results"], f"{test}: no results")
    for result in document["results"]:
        check_result(result, test, rounds)


def inside(frames, x, y):
    return any(float(f.get("x")) <= x <= float(f.get("x")) + float(f.get("width")) and
               float(f.get("y")) <= y <= float(f.get("y")) + float(f.get("height")) for f in frames)


def check_svg(path, test):
    root = ElementTree.parse(path).getroot()
    width, height = float(root.get("width")), float(root.get("height"))
    frames = [rect for rect in root.iter(SVG + "rect") if rect.get("class") == "frame"]
    check(frames, f"{test}: no frame")
    for circle in root.iter(SVG + "circle"):
        check(inside(frames, float(circle.get("cx")), float(circle.get("cy"))),
              f"{test}: a point outside of the frames")
    for text in root.iter(SVG + "text"):
        check(0 <= float(text.get("x")) <= width and 0 <= float(text.get("y")) <= height,
              f"{test}: '{text.text}' outside of the picture")


def run(test, command, folder):
    outputs = [folder / f"{test}.json", folder / f"{test}.svg"]
    rounds = 2
    arguments = [test, "--rounds", str(rounds), "--quick", "--json", outputs[0], "--plot", outputs[1]]
    if test == "pending":
        arguments += ["--pending", "0,100"]
    if test == "rate":
        arguments += ["--threads", "1,2"]
    print("run:", test, flush=True)
    subprocess.run(command + [str(word) for word in arguments], check=True,
                   stdin=subprocess.DEVNULL)
    check_json(outputs[0], test, rounds)
    check_svg(outputs[1], test)


def main():
    split = sys.argv.index("--")
    with tempfile.TemporaryDirectory() as folder:
        for test in sys.argv[1].split(","):
            run(test, sys.argv[split + 1:], pathlib.Path(folder))


if __name__ == "__main__":
    main()
