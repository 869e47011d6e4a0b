#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs each mistake and its twin, and shows what Waybill says about them as a matrix.

matrix.py [OPTION]... PROGRAM... -- LAUNCHER [ARGUMENT...]

A cell is one program at one size, shape and number of processes. It holds if the mistake is
reported by every process, with the right kind and at the right line and nothing else, and if the
twin, the nearest correct program, is silent. Ends with 1 unless all cells hold that are promised.

  --sizes, --shapes, --ranks   what to run, with commas; default: all
  --level LEVEL                run all at this level instead of the one that promises the finding
  --preload LIBRARY            where a library lies that some of them are to be run with
  --table FILE                 also write a Markdown table
  --into FILE --library NAME   also put its rows between the marks of NAME in FILE
The last argument of LAUNCHER is the option for the number of processes: ... -- mpiexec -n
"""

import argparse
import collections
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True  # the folder is one of sources
import exercises
import outcome

SIZES = ["64", "1024", "65536", "4194304"]
SHAPES = ["contiguous", "strided"]
RANKS = ["2", "4"]
SIZE_NAMES = {"64": "64 B", "1024": "1 KiB", "65536": "64 KiB", "4194304": "4 MiB"}


def parse(arguments):
    split = arguments.index("--") if "--" in arguments else len(arguments)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    comma = lambda text: text.split(",")
    parser.add_argument("--sizes", type=comma, default=SIZES, metavar="BYTES,...")
    parser.add_argument("--shapes", type=comma, default=SHAPES, metavar="SHAPE,...")
    parser.add_argument("--ranks", type=comma, default=RANKS, metavar="N,...")
    parser.add_argument("--level", choices=exercises.LEVELS)
    parser.add_argument("--preload", type=pathlib.Path, action="append", default=[], metavar="LIBRARY")
    parser.add_argument("--table", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--into", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--library", metavar="NAME")
    parser.add_argument("programs", nargs="+", type=pathlib.Path, metavar="PROGRAM")
    options = parser.parse_args(arguments[:split])
    options.launcher = arguments[split + 1 :]
    if not options.launcher:
        parser.error("no launcher after --")
    if options.into and not options.library:
        parser.error("--into needs --library")
    return options


def preloading(options, exercise):
    """What makes a process of the exercise load what it needs, whatever the launcher."""
    if exercise.preload is None:
        return []
    for library in options.preload:
        if library.name == exercise.preload:
            return ["env", f"LD_PRELOAD={library.resolve()}"]
    sys.exit(f"{exercise.name} needs --preload {exercise.preload}, with its folder")


def run(options, ranks, exercise, level, arguments):
    """Returns the Outcome of one launch."""
    environment = dict(os.environ, WAYBILL_CHECK=level, **exercise.environment)
    command = options.launcher + [ranks] + preloading(options, exercise) + [str(exercise.program)] + arguments
    try:
        ended = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, timeout=60,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return outcome.Outcome(ended.returncode, ended.stdout.decode(errors="replace"))
    except subprocess.TimeoutExpired as expired:
        return outcome.Outcome(None, (expired.stdout or b"").decode(errors="replace"))


def fill(options, chosen):
    """Yields (exercise, size, shape, ranks, Cell) for all that is to be run."""
    for exercise in chosen:
        level = options.level or exercise.level
        for ranks in options.ranks:
            for shape in options.shapes:
                for size in options.sizes:
                    if int(size) < exercise.smallest:
                        yield exercise, size, shape, ranks, None
                        continue
                    case = [size, shape]
                    mistake = run(options, ranks, exercise, level, ["mistake"] + case)
                    twin = run(options, ranks, exercise, level, ["correct"] + case)
                    yield (exercise, size, shape, ranks,
                           outcome.Cell(exercise, int(ranks), mistake, twin))


def sign(cell):
    if cell is None:
        return "-"
    return "".join("+" if good else "!" for good in (cell.detected, cell.right_line, cell.silent))


def show(options, rows):
    """Prints a row as soon as it is full; returns the cells by exercise and size, and what failed."""
    cells, wrong, row = collections.defaultdict(list), [], []
    print("+++: detected, right line, twin silent; !: not so; -: not promised at this size\n")
    print(f"{'mistake':24}{'finding':24}{'level':9}{'ranks':>6}  {'shape':11}"
          + "".join(f"{SIZE_NAMES.get(size, size + ' B'):>9}" for size in options.sizes))
    for exercise, size, shape, ranks, cell in rows:
        cells[exercise, size].append(cell)
        row.append(sign(cell))
        if len(row) == len(options.sizes):
            level = options.level or exercise.level
            print(f"{exercise.name:24}{exercise.finding:24}{level:9}{ranks:>6}  {shape:11}"
                  + "".join(f"{text:>9}" for text in row), flush=True)
            row = []
        for complaint in cell.complaints if cell else []:
            wrong.append(f"{exercise.name} {size} {shape}, {ranks} ranks: {complaint}")
    return cells, wrong


def summary(some):
    """What a cell of the Markdown table says of the shapes and ranks at one size."""
    cells = [cell for cell in some if cell is not None]
    if not cells:
        return "–"
    counts = [sum(getattr(cell, what) for cell in cells) for what in ("detected", "right_line", "silent")]
    return " · ".join(f"{count}/{len(cells)}" for count in counts)


def table(options, chosen, cells):
    names = [SIZE_NAMES.get(size, size + " B") for size in options.sizes]
    lines = ["| mistake | finding | level | " + " | ".join(names) + " |", "|---|---|---|" + "---|" * len(names)]
    for exercise in chosen:
        words = [exercise.what, f"`{exercise.finding}`", f"`{options.level or exercise.level}`"]
        words += [summary(cells[exercise, size]) for size in options.sizes]
        lines.append("| " + " | ".join(words) + " |")
    notes = [f"\n{exercise.what}: {note}" for exercise in chosen for note in exercise.notes]
    return "\n".join(lines + notes) + "\n"


def merged(old, new):
    """The new table, with the rows and notes of the old one that it does not replace."""
    head, *rows = [line for line in new.splitlines() if line.startswith("|")]
    notes = [line for line in new.splitlines() if line and not line.startswith("|")]
    known = {row.split("|")[1] for row in rows}
    if head in old:  # of the same sizes
        of_others = [line for line in old.splitlines() if line and line != head]
        kept = [line for line in of_others if line.startswith("|") and line.split("|")[1] not in known]
        shown = {row.split("|")[1].strip() for row in kept}
        notes = [line for line in of_others if line.split(":")[0] in shown] + notes
        rows = rows[:1] + kept + rows[1:]
    return "\n".join([head] + rows + [f"\n{note}" for note in notes]) + "\n"


def put(path, library, text):
    begin, end = f"<!-- matrix {library} -->\n", "<!-- end of matrix -->"
    document = path.read_text()
    if begin not in document:
        sys.exit(f"{path} has no line {begin.strip()}")
    head, rest = document.split(begin, 1)
    old, rest = rest.split(end, 1)
    path.write_text(f"{head}{begin}\n{merged(old, text)}\n{end}{rest}")


def main():
    options = parse(sys.argv[1:])
    chosen = [exercises.Exercise(program) for program in options.programs]
    cells, wrong = show(options, fill(options, chosen))
    counted = [cell for some in cells.values() for cell in some if cell is not None]
    good = sum(not cell.complaints for cell in counted)
    print(f"\n{good} of {len(counted)} promised cells hold")
    for line in wrong:
        print(line)
    text = table(options, chosen, cells)
    if options.table:
        options.table.write_text(text)
    if options.into:
        put(options.into, options.library, text)
    return 0 if good == len(counted) else 1


if __name__ == "__main__":
    sys.exit(main())
