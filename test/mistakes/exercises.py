# SPDX-License-Identifier: BSD-3-Clause
"""What the source of a program says about its mistake."""

import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parent
LEVELS = ["basic", "content", "guard"]
SAID = re.compile(r"^// (finding|level|smallest|environment|preload|status): (\S+)(?: \((.*)\))?$")
MARK = re.compile(r"// <- (named|other|touched)$")


class Exercise:
    """name, what it is in words, and what a report must say."""

    def __init__(self, program):
        self.program = program.resolve()
        self.name = program.name.removeprefix("mistake-")
        self.source = FOLDER / f"{self.name}.cpp"
        self.environment, self.marks, self.preload = {}, {}, None
        self.smallest, self.any_status, self.notes = 0, False, []
        lines = self.source.read_text().splitlines()
        self.what = lines[1].removeprefix("// ").rstrip(".")
        for number, line in enumerate(lines, 1):
            said, mark = SAID.match(line), MARK.search(line)
            if said:
                self.hear(*said.groups())
            if mark:
                self.marks[mark.group(1)] = f"{self.source.name}:{number}"
        if "named" not in self.marks or self.level not in LEVELS:
            raise SystemExit(f"{self.source}: no line is marked `// <- named`, or no level is said")

    def hear(self, key, value, because):
        if key == "finding":
            self.finding = value
        elif key == "level":
            self.level = value
        elif key == "smallest":
            self.smallest = int(value)
            self.notes.append(f"Not promised below {value} B: {because}.")
        elif key == "environment":
            name, _, text = value.partition("=")
            self.environment[name] = text
            self.notes.append(f"With `{value}`: {because}.")
        elif key == "preload":
            self.preload = value
            self.notes.append(f"With `{value}` preloaded: {because}.")
        else:
            self.any_status = True
