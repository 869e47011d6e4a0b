#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Takes the C++ examples out of the documents, for Meson to build and run.

examples.py FOLDER LIBRARY DOCUMENT...

Writes sources into FOLDER and prints a line for each, with a tab between words:
  fragments FILE                    to be compiled only
  program NAME FILE NP              to be run on NP processes (0: only linked); behind a second tab
                                    follow the arguments of support/expect.py, which judges it
LIBRARY is `openmpi` or `mpich`. What a document can say behind ```cpp:
  (nothing)     a fragment: statements, which find the names of surroundings.hpp
  scope=file    a fragment of declarations
  file=NAME     a complete program, known by this name in its findings
  run=N         ... which N processes run with status 0 and without a finding
  expect=KIND   ... with this kind of finding and no other
Behind ```text:
  stdout=NAME, stderr=NAME  each line is printed by the program of that name
  library=LIBRARY           ... with this MPI library
Documents lie in the root of the sources and in docs/; one there that is not given is an error.
"""

import pathlib
import re
import sys

FENCE = re.compile(r"^( *)```(\w*)\s*(.*)$")
# Written as a text and then its end of line where stdout is unbuffered, which MPICH sees to; compilers
# make puts() of the second. Two ranks would then share a line now and then.
SPLIT_LINE = re.compile(r'\bputs\(|printf\("%s\\n"')
KNOWN = {"cpp": {"scope", "file", "run", "expect"}, "text": {"stdout", "stderr", "library"}}


class Block:
    """A fenced block; line is that of its first line of code, from 1."""

    def __init__(self, document, line, language, words):
        self.document, self.line, self.language = document, line, language
        self.lines = []
        self.said = {}
        for word in words.split() if language in KNOWN else []:
            key, _, value = word.partition("=")
            if key not in KNOWN[language] or not value:
                refuse(self, f"'{word}' is not known")
            self.said[key] = value
        if language == "text" and "library" in self.said and len(self.said) == 1:
            refuse(self, "library= without stdout= or stderr=")

    def text(self, name=None):
        """The code as the compiler is to see it: messages and findings name the document, or NAME."""
        head = f'#line 1 "{name}"' if name else f'#line {self.line} "{self.document.name}"'
        return "\n".join([head] + self.lines) + "\n"

    def is_program(self):
        return any(re.match(r"int main\(", line) for line in self.lines)


def refuse(block, what):
    sys.exit(f"{block.document}:{block.line - 1}: {what}")


def blocks_of(document):
    block = None
    for number, line in enumerate(document.read_text().splitlines(), 1):
        fence = FENCE.match(line)
        if block is None and fence:
            indent, language, words = fence.groups()
            block = Block(document, number + 1, language, words)
            if indent and language in KNOWN:
                refuse(block, "an example begins at the left margin")
        elif fence:
            yield block
            block = None
        elif block is not None:
            block.lines.append(line)
    if block is not None:
        refuse(block, "this block does not end")


def write(path, text):
    """Leaves an unchanged file alone, so that nothing is built again."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def fragments_source(fragments):
    """All of a document as one source: the headers are read once."""
    parts = ["// From a document; see test/docs/examples.py.", '#include "docs/surroundings.hpp"']
    for block in fragments:
        code = block.text()
        if block.said.get("scope") != "file":
            code = f"void example() {{\n{code}}}\n"
        parts.append(f"namespace at_line_{block.line} {{\n{code}}}")
    return "\n".join(parts) + "\n"


def expectations(program, outputs, library):
    """Arguments of expect.py."""
    name, kind = program.said.get("file"), program.said.get("expect")
    if kind:
        other = rf"^waybill: (?!{kind} on rank|\d+ findings? on rank|rank \d+: flight record)"
        arguments = ["--stderr", f"^waybill: {kind} on rank", "--no-stderr", other]
    else:
        arguments = ["--no-stderr", "^waybill: "]
    for block in outputs:
        for stream in ("stdout", "stderr"):
            if block.said.get(stream) != name or block.said.get("library", library) != library:
                continue
            for line in block.lines:
                arguments += ["--" + stream, f"^{re.escape(line)}$"]
    return arguments


def take_out(folder, library, document, blocks):
    """Writes the sources of one document; returns the lines to print."""
    examples = [block for block in blocks if block.language == "cpp"]
    outputs = [block for block in blocks if {"stdout", "stderr"} & block.said.keys()]
    stem = document.stem.lower()
    printed = []
    fragments = [block for block in examples if not block.is_program()]
    if fragments:
        path = folder / f"{stem}_fragments.cpp"
        write(path, fragments_source(fragments))
        printed.append(f"fragments\t{path}")
    names = {block.said.get("file") for block in examples if block.is_program()}
    for block in outputs:
        if not names & {block.said.get("stdout"), block.said.get("stderr")}:
            refuse(block, "no program of this document has that name")
    for block in examples:
        if not block.is_program():
            if block.said.keys() - {"scope"}:
                refuse(block, "a fragment cannot be run or named")
            continue
        name = block.said.get("file")
        path = folder / f"{stem}_{name or f'line_{block.line}.cpp'}"
        write(path, block.text(name))
        if block.said.get("run", "0") not in "01" and SPLIT_LINE.search(block.text()):
            refuse(block, "ranks that print like this share lines: give printf a text beside %s")
        words = ["program", f"docs/{path.stem}", str(path), block.said.get("run", "0"), ""]
        printed.append("\t".join(words + expectations(block, outputs, library)))
    return printed


def main():
    folder, library = pathlib.Path(sys.argv[1]), sys.argv[2]
    documents = [pathlib.Path(name).resolve() for name in sys.argv[3:]]
    folder.mkdir(parents=True, exist_ok=True)
    root = next(document.parent for document in documents if document.name == "README.md")
    for document in (root / "docs").glob("*.md"):
        if document not in documents:
            sys.exit(f"{document} is not listed in test/docs/meson.build")
    for document in documents:
        for line in take_out(folder, library, document, list(blocks_of(document))):
            print(line)


if __name__ == "__main__":
    main()
