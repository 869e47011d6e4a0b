# SPDX-License-Identifier: BSD-3-Clause
"""What a launch has printed, held against what it should have."""

import re

BLOCK = re.compile(r"^waybill: (?P<kind>[a-z-]+) on rank (?P<rank>\d+)$")
SUMMARY = re.compile(r"^waybill: \d+ findings? on rank \d+$")
PLACE = re.compile(r"\((\w+\.\w+:\d+) in ")


class Outcome:
    """status is None if the launch did not end; findings are (kind, rank, places)."""

    def __init__(self, status, text):
        self.status, self.text, self.findings, self.other = status, text, [], []
        lines = text.splitlines()
        for line, following in zip(lines, lines[1:] + [""]):
            block = BLOCK.match(line)
            if block:
                places = PLACE.findall(following)
                self.findings.append((block.group("kind"), int(block.group("rank")), places))
            elif line.startswith("waybill: ") and not SUMMARY.match(line):
                self.other.append(line)

    def ended(self, any_status=False):
        if self.status is None:
            return "did not end within its time"
        if self.status != 0 and not any_status:
            return f"ended with status {self.status}"
        return None


class Cell:
    """One mistake and its twin; complaints says in words what does not hold."""

    def __init__(self, exercise, ranks, mistake, twin):
        right = [found for found in mistake.findings if found[0] == exercise.finding]
        named = [exercise.marks[mark] for mark in ("named", "other") if mark in exercise.marks]
        missing = set(range(ranks)) - {rank for _, rank, _ in right}
        elsewhere = [places for _, _, places in right if places[: len(named)] != named]
        besides = [kind for kind, _, _ in mistake.findings if kind != exercise.finding]
        self.complaints = []
        if missing:
            self.complaints.append(f"not detected on rank {', '.join(map(str, sorted(missing)))}")
        if besides:
            self.complaints.append(f"also reports {', '.join(sorted(set(besides)))}")
        if elsewhere:
            self.complaints.append(f"names {elsewhere[0]} instead of {named}")
        end = mistake.ended(exercise.any_status)
        self.detected = not missing and not besides and end is None
        self.right_line = self.detected and not elsewhere
        if end:
            self.complaints.append("the mistake " + end)
        twin_end = twin.ended()
        self.silent = not twin.findings and not twin.other and twin_end is None
        if twin_end:
            self.complaints.append("the twin " + twin_end)
        if not self.silent and not twin_end:
            said = [kind for kind, _, _ in twin.findings] + twin.other
            self.complaints.append(f"the twin reports {', '.join(sorted(set(said)))}")
