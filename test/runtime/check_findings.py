#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs program_findings and looks at what becomes of its findings.

check_findings.py SCENARIO -- LAUNCHER... PROGRAM

SCENARIO is the name of a function below, with - for _. The launcher starts two processes.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

SECONDS = float(os.environ.get("TEST_SECONDS", "50"))
REPLACED = "\N{REPLACEMENT CHARACTER}"
SUPPRESSION = "{{\n  known\n  {}\n  file:halo.cpp\n  function:{}\n}}\n"


class Failure(Exception):
    pass


def check(condition, what):
    if not condition:
        raise Failure(what)


class Job:
    """A finished run in a folder of its own, with the settings given as name=value."""

    def __init__(self, folder, command, arguments, per_rank=False, **settings):
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("WAYBILL_")}
        environment.update({f"WAYBILL_{name}": value for name, value in settings.items()})
        *launcher, program = command[:-1] + [os.path.abspath(command[-1])]
        if per_rank:  # each process tells its own status, which the launcher then cannot
            number = "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"
            script = f'"$0" "$@"; echo "rank {number} ended with $?"'
            program = ["sh", "-c", script, program]
        else:
            program = [program]
        done = subprocess.run(launcher + program + arguments, cwd=folder, env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)
        self.status = done.returncode
        self.out = done.stdout.decode(errors="replace")
        self.err = done.stderr.decode(errors="replace")
        print(f"--- {' '.join(arguments)} {settings}: status {self.status}\n{self.out}{self.err}")

    def lines(self):
        """Of Waybill, on stderr."""
        return [line for line in self.err.splitlines() if line.startswith("waybill: ")]


class Folder:
    def __init__(self, path, command):
        self.path, self.command = pathlib.Path(path), command

    def run(self, *arguments, **settings):
        return Job(self.path, self.command, list(arguments), **settings)

    def write(self, name, text):
        (self.path / name).write_text(text)

    def findings(self, rank, folder="reports"):
        path = self.path / folder / f"waybill-findings-{rank}.jsonl"
        return [json.loads(line) for line in path.read_bytes().decode().splitlines()]

    def suites(self, name):
        root = xml.parse(self.path / name).getroot()
        check(root.tag == "testsuites", "the root is <testsuites>")
        return list(root)


def failures(suite):
    return {case.get("name"): case.find("failure") for case in suite.iter("testcase")
            if case.find("failure") is not None}


def report_dir(folder):
    job = folder.run("dropped", REPORT_DIR="reports")
    check(job.status == 0, "findings alone change no status")
    check("12 x dropped-handle at halo.cpp:12" in job.err, "text is told all the same")
    found = folder.findings(0)
    check([(one["line"], one["count"]) for one in found] == [(12, 1), (12, 9), (34, 1), (12, 2)],
          "lines and counts of rank 0")
    check(all(one["rank"] == 0 and one["ranks"] == 2 for one in found), "rank and ranks")
    check(all(one["file"] == "src/halo.cpp" for one in found), "file")
    check(found[0]["function"] == "exchange" and found[2]["function"] == "gather", "function")
    check(folder.findings(1) == [], "rank 1 has none")
    folder.run("clean", REPORT_DIR="reports", REPORT="none")
    check(folder.findings(0) == [], "a later run replaces the file")


def hostile_names(folder):
    folder.run("hostile", REPORT_DIR="reports", JUNIT="junit.xml")
    found = folder.findings(0)
    check(len(found) == 1, "one finding")
    check(found[0]["file"] == f"dir/a\"b\\c<d>&'\n\t\x01{REPLACED}{REPLACED}.cpp", "file as it is")
    check(found[0]["function"] == "f<\"]]>&amp;", "function as it is")
    text = failures(folder.suites("junit-0.xml")[0])["dropped-handle"].text
    check(f"a\"b\\c<d>&'\n\t{REPLACED}{REPLACED}{REPLACED}.cpp:1" in text, "the same in XML")
    check("f<\"]]>&amp;" in text, "the function in XML")


def both_places(folder):
    folder.run("overlap", REPORT_DIR="reports")
    found = folder.findings(0)
    check(len(found) == 1 and found[0]["kind"] == "overlapping-buffers", "one finding")
    check(found[0]["line"] == 13, "the second post")
    check(found[0]["other"] == {"file": "src/halo.cpp", "line": 12, "function": "exchange"},
          "the first post")


def junit(folder):
    job = folder.run("dropped", JUNIT="junit.xml", REPORT="none")
    check(job.status == 0 and not job.lines(), "no text")
    for rank, failed in ((0, 1), (1, 0)):
        suites = folder.suites(f"junit-{rank}.xml")
        check(len(suites) == 1, "one suite")
        suite = suites[0]
        check(suite.get("name") == f"waybill rank {rank}", "its name")
        check(suite.get("failures") == str(failed), "failures")
        check(len(failures(suite)) == failed, "failures that are there")
        check(len(suite.findall("testcase")) == int(suite.get("tests")), "number of tests")
        skipped = [case for case in suite.iter("testcase") if case.find("skipped") is not None]
        check(len(skipped) == int(suite.get("skipped")), "number of skipped tests")
    failure = failures(folder.suites("junit-0.xml")[0])["dropped-handle"]
    check(failure.get("message") == "13 findings", "how many")
    check("12 x dropped-handle at halo.cpp:12" in failure.text, "the places")
    folder.run("clean", JUNIT="rank%r.xml")
    check(not failures(folder.suites("rank0.xml")[0]), "none in a clean run")
    check(sorted(path.name for path in folder.path.iterdir()) ==
          ["junit-0.xml", "junit-1.xml", "rank0.xml", "rank1.xml"], "nothing else is left")


def two_runtimes(folder):
    folder.run("two-runtimes", REPORT_DIR="reports", JUNIT="junit.xml")
    check([one["line"] for one in folder.findings(0)] == [12, 34], "both in one file")
    suites = folder.suites("junit-0.xml")
    check([len(failures(suite)) for suite in suites] == [1, 1], "both in one file")


def killed(folder):
    folder.write("junit-0.xml", "of an earlier run")
    job = folder.run("dropped-and-killed", REPORT_DIR="reports", JUNIT="junit.xml")
    check(job.status != 0, "the job fails")
    check([one["count"] for one in folder.findings(0)] == [1, 9], "what was found until then")
    check([path.name for path in folder.path.iterdir()] == ["reports"],
          "no JUnit file, of this run or an earlier one")


def unwritable(folder):
    folder.write("file", "content")
    settings = {"REPORT_DIR": "file", "JUNIT": "file/junit.xml"}
    job = folder.run("clean", **settings)
    check(job.status == 0 and "end of main, by printf" in job.out, "the program runs on")
    check(sorted(job.lines()) == [
        "waybill: WAYBILL_JUNIT: file/junit-0.xml cannot be written: Not a directory; "
        "the program runs on without",
        "waybill: WAYBILL_REPORT_DIR: file/waybill-findings-0.jsonl cannot be written: "
        "Not a directory; the program runs on without"], "one line each")
    job = folder.run("clean", STRICT="on", **settings)
    check(job.status == 2 and "end of main" not in job.out, "strict mode stops")
    check(job.lines() == [
        "waybill: WAYBILL_REPORT_DIR: file/waybill-findings-0.jsonl cannot be written: "
        "Not a directory"], "with one line")


def suppressions(folder):
    folder.write("known.supp", "# known\n" + SUPPRESSION.format("dropped-handle", "exch*"))
    job = folder.run("dropped", SUPPRESSIONS="known.supp", REPORT_DIR="reports")
    check([(one["line"], one["count"]) for one in folder.findings(0)] == [(34, 1)], "the other one")
    check("waybill: 1 finding on rank 0, and 12 suppressed" in job.lines(), "counted")
    check("12 x suppressed by known" in job.err, "by name")
    check("halo.cpp:12" not in job.err, "and not told")
    folder.write("all.supp", SUPPRESSION.format("*", "*"))
    job = folder.run("dropped", SUPPRESSIONS="all.supp", STRICT="on", ON_FINDING="abort")
    check(job.status == 0, "nothing follows from what is suppressed")


def malformed_suppressions(folder):
    folder.write("bad.supp", SUPPRESSION.format("overlapping", "*"))
    job = folder.run("dropped", SUPPRESSIONS="bad.supp")
    check(job.status == 0, "the program runs on")
    complaints = [line for line in job.lines() if "SUPPRESSIONS" in line]
    check(len(complaints) == 1, "one line for all ranks")
    check(complaints[0].startswith("waybill: WAYBILL_SUPPRESSIONS: bad.supp:3: 'overlapping' is no "
                                   "kind of finding; allowed: *, "), "which says where")
    check("12 x dropped-handle" in job.err, "nothing is suppressed")
    job = folder.run("dropped", SUPPRESSIONS="bad.supp", STRICT="on")
    check(job.status == 2 and len(job.lines()) == 1, "strict mode stops with one line")
    check("runs on" not in job.lines()[0], "and does not run on")


def strict(folder):
    check(folder.run("dropped").status == 0, "not without it")
    check(folder.run("dropped", STRICT="on").status == 3, "the launcher sees it")
    job = folder.run("dropped", per_rank=True, STRICT="on")
    check("rank 0 ended with 3" in job.out, "the rank with findings")
    check("rank 1 ended with 0" in job.out, "the rank without")
    for text in ("end of main, by cout", "end of main, by printf", "destructor", "handler"):
        check(job.out.count(text) == 2, f"'{text}' of both ranks")
    job = folder.run("dropped", "7", per_rank=True, STRICT="on")
    check("rank 0 ended with 7" in job.out, "the program's own status stays")
    job = folder.run("clean", per_rank=True, STRICT="on")
    check("rank 0 ended with 0" in job.out, "a clean program")
    job = folder.run("two-runtimes", per_rank=True, STRICT="on")
    check("rank 0 ended with 3" in job.out, "with MPI of the program's own")


def abort(folder):
    for way, kind in (("dropped-and-hang", "dropped-handle"), ("truncated-and-hang", "truncated")):
        job = folder.run(way, ON_FINDING="abort", REPORT_DIR="reports", JUNIT="junit.xml")
        check(job.status == 4, "the status of the job")
        check(f"waybill: {kind} on rank 0" in job.lines(), "the finding is told")
        check("waybill: rank 0 ends the job with status 4, because of WAYBILL_ON_FINDING=abort"
              in job.lines(), "and why the job ends")
        check([one["kind"] for one in folder.findings(0)] == [kind], "in JSON")
        check(list(failures(folder.suites("junit-0.xml")[0])) == [kind], "in JUnit")
        check("end of main" not in job.out, "nobody came to the end")
    check(folder.run("clean", ON_FINDING="abort").status == 0, "a clean program")


def thrown(folder):
    job = folder.run("thrown", ON_FINDING="throw")
    check(job.status == 0, "all of them were caught")
    for routine, kind in (("irecv", "overlapping-buffers"), ("(send|test)", "truncated"),
                          ("shutdown", "never-waited|unfinished-at-shutdown")):
        check(re.search(f"^thrown, finding: {routine}: ({kind}): ", job.out, re.MULTILINE),
              f"{kind} is thrown by {routine}")
        check(re.search(f"^waybill: ({kind}) on rank 0$", job.err, re.MULTILINE), "and told")
    check(job.out.count("thrown, ") == 3, "nothing else is thrown")
    check("shutdown failed" not in job.err, "the destructor throws nothing")
    job = folder.run("early-finalize", ON_FINDING="throw")
    check(job.status == 0 and "never-waited" in job.err, "not through MPI_Finalize")


def main():
    scenario, separator, *command = sys.argv[1:]
    assert separator == "--"
    with tempfile.TemporaryDirectory() as path:
        try:
            globals()[scenario.replace("-", "_")](Folder(path, command))
        except Failure as failure:
            print("not so:", failure)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
