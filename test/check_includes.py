#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that includes point one way; docs/architecture.md explains the order.

check_includes.py [ROOT]: prints each include that points the wrong way, and ends with 1 if there
is one.
"""

import pathlib
import re
import sys

# Each room of lib/ and the rooms it may include besides itself and the public headers.
ROOMS = {
    "fence": set(),
    "registry": {"fence"},
    "recorder": {"registry"},
    "guard": {"registry"},
    "lifetime": {"registry"},
    "transport": {"registry"},  # describes the bytes of a datatype as the registry wants them
    "engine": {"fence", "transport"},
    "operation": {"engine", "guard", "recorder", "registry", "transport"},
    "communicator": {"operation", "engine", "guard", "recorder", "registry", "transport"},
    "runtime": {"communicator", "operation", "engine", "guard", "lifetime", "registry", "recorder",
                "transport", "memory", "cuda"},
    "memory": {"cuda"},
    "cuda": set(),
}
# What sees mpi.h through the bridge, besides transport/mpi itself.
BRIDGES = {"include/waybill/mpi.hpp", "lib/communicator/mpi_bridge.cpp"}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
MPI_CALL = re.compile(r"\bP?MPI_[A-Z][a-z_0-9]+\s*\(")
COMMENT = re.compile(r"//.*")
STRING = re.compile(r'"(\\.|[^"\\])*"')


def sources(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in (".cpp", ".hpp", ".in"))


def includes(path):
    """Yields line number and included name."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        found = INCLUDE.match(line)
        if found:
            yield number, found.group(1)


def mpi_calls(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        found = MPI_CALL.search(COMMENT.sub("", STRING.sub('""', line)))
        if found:
            yield number, found.group(0).rstrip("( ")


def check_public(root, path):
    name = path.relative_to(root).as_posix()
    for number, included in includes(path):
        if included == "mpi.h" and name in BRIDGES:
            continue
        is_standard = "/" not in included and "." not in included
        if not is_standard and not (root / "include" / included).exists() and \
                included != "waybill/config.hpp":
            yield f"{name}:{number}: public header includes {included}"


def check_room_include(name, room, included):
    """Returns what is wrong with this include, or None."""
    in_mpi = name.startswith("lib/transport/mpi/")
    if included == "mpi.h" and not in_mpi:
        return "only lib/transport/mpi/ sees mpi.h"
    if included == "waybill/mpi.hpp" and not in_mpi and name not in BRIDGES:
        return "only lib/transport/mpi/ and the bridge see waybill/mpi.hpp"
    if included in ("cuda.h", "cuda_runtime.h") and room != "cuda":
        return "only lib/cuda/ sees cuda.h"
    if included.startswith("transport/mpi/") and not in_mpi and room != "runtime" and \
            name not in BRIDGES:
        return "only lib/runtime/ and the bridge know which transport there is"
    target = included.split("/")[0] if "/" in included else room
    if target in ROOMS and target != room and target not in ROOMS[room]:
        return f"{room} may not include {target}"
    return None


def check_room(root, path):
    name = path.relative_to(root).as_posix()
    room = path.relative_to(root / "lib").parts[0]
    for number, included in includes(path):
        wrong = check_room_include(name, room, included)
        if wrong:
            yield f"{name}:{number}: includes {included}: {wrong}"
        elif "/" not in included and (path.parent / included).exists():
            yield f"{name}:{number}: includes {included}: write {room}/{included}"
    if not name.startswith("lib/transport/mpi/"):
        for number, call in mpi_calls(path):
            yield f"{name}:{number}: calls {call}: only lib/transport/mpi/ calls MPI"


def check(root):
    for path in sorted((root / "lib").iterdir()):
        if path.name == "meson.build":
            continue
        if not path.is_dir() or path.name not in ROOMS:
            yield f"lib/{path.name}: not a room of docs/architecture.md"
            continue
        for source in sources(path):
            yield from check_room(root, source)
    for header in sources(root / "include"):
        if header.suffix == ".hpp":
            yield from check_public(root, header)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    if root.is_file():
        root = root.parents[1]
    wrong = list(check(root))
    print("\n".join(wrong) if wrong else "all includes point the right way")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
