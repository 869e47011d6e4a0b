#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Whether a cell of the matrix notices what does not hold, and the document has all rows.

test_matrix.py [NAME]...: the mistakes that the document must show.
"""

import pathlib
import sys
import types
import unittest

sys.dont_write_bytecode = True  # the folder is one of sources
import exercises
import matrix
import outcome

SILENT = outcome.Outcome(0, "")
LINE = "  irecv #2 from rank 0, tag 2, 64 B (a.cpp:12 in main) shares memory with irecv #1 (a.cpp:11 in main)\n"


def exercise(**marks):
    return types.SimpleNamespace(finding="overlapping-buffers", marks=marks, any_status=False)


def report(rank, line=LINE, kind="overlapping-buffers"):
    return f"waybill: {kind} on rank {rank}\n{line}  to do: something\n"


def cell(text, twin=SILENT, status=0, marks=None):
    marks = marks or {"named": "a.cpp:12", "other": "a.cpp:11"}
    return outcome.Cell(exercise(**marks), 2, outcome.Outcome(status, text), twin)


class Cells(unittest.TestCase):
    def test_all_ranks_with_both_lines(self):
        whole = cell(report(0) + report(1) + "waybill: 1 finding on rank 1\n  1 x overlapping-buffers\n")
        self.assertEqual(whole.complaints, [])
        self.assertTrue(whole.detected and whole.right_line and whole.silent)

    def test_one_rank_is_silent(self):
        self.assertFalse(cell(report(0)).detected)

    def test_another_line(self):
        wrong = cell(report(0) + report(1, LINE.replace(":12", ":13")))
        self.assertTrue(wrong.detected)
        self.assertFalse(wrong.right_line)

    def test_another_kind_beside_it(self):
        self.assertFalse(cell(report(0) + report(1) + report(1, kind="truncated")).detected)

    def test_an_end_that_is_none(self):
        for status in (1, None):
            self.assertFalse(cell(report(0) + report(1), status=status).detected)

    def test_a_twin_that_is_not_silent(self):
        for twin in (outcome.Outcome(0, report(1)), outcome.Outcome(1, ""), outcome.Outcome(None, ""),
                     outcome.Outcome(0, "waybill: something else\n")):
            loud = cell(report(0) + report(1), twin)
            self.assertTrue(loud.detected)
            self.assertFalse(loud.silent)
            self.assertEqual(len(loud.complaints), 1)


class Tables(unittest.TestCase):
    head = "| mistake | 64 B |\n|---|---|\n"

    def test_rows_are_replaced_or_kept(self):
        old = self.head + "| one | 1/4 |\n| two | 4/4 |\n\none: old\n\ntwo: kept\n"
        new = self.head + "| one | 4/4 |\n\none: new\n"
        self.assertEqual(matrix.merged(old, new),
                         self.head + "| two | 4/4 |\n| one | 4/4 |\n\ntwo: kept\n\none: new\n")

    def test_a_table_of_other_sizes_is_gone(self):
        new = "| mistake | 1 KiB |\n|---|---|\n| one | 4/4 |\n"
        self.assertEqual(matrix.merged(self.head + "| two | 4/4 |\n", new), new)


class Sources(unittest.TestCase):
    promised = []

    def test_each_is_complete(self):
        for source in sorted(exercises.FOLDER.glob("*.cpp")):
            one = exercises.Exercise(pathlib.Path(f"mistake-{source.stem}"))
            self.assertTrue(one.finding and one.what)

    def test_the_document_shows_what_is_promised(self):
        document = (exercises.FOLDER.parents[1] / "docs" / "findings.md").read_text()
        for name in self.promised:
            what = exercises.Exercise(pathlib.Path(f"mistake-{name}")).what
            self.assertEqual(document.count(f"| {what} |"), 2, what)  # once for each MPI library


if __name__ == "__main__":
    Sources.promised = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
