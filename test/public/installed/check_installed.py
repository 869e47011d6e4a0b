#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Installs a build into a scratch folder and uses it as a stranger would, through pkg-config.

check_installed.py --build BUILD --source FILE --compiler COMMAND... --launcher COMMAND...
"""

import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOMS = "fence|registry|recorder|guard|lifetime|transport|engine|operation|communicator|runtime|memory|cuda"


def run(command, **options):
    print("+", shlex.join(map(str, command)), flush=True)
    return subprocess.run(command, check=True, **options)


def output(command, **options):
    return run(command, stdout=subprocess.PIPE, text=True, **options).stdout


def install(build, scratch):
    """Returns the folder that stands for the prefix."""
    run(["meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", scratch])
    (package,) = scratch.rglob("waybill.pc")
    text = package.read_text()
    prefix = re.search(r"^prefix=(.*)$", text, re.MULTILINE).group(1)
    moved = scratch / prefix.lstrip("/")
    package.write_text(re.sub(r"^prefix=.*$", f"prefix={moved}", text, flags=re.MULTILINE))
    return moved, package.parent


def check_exports(library):
    """The rooms of the library must not be reachable from outside."""
    symbols = output(["nm", "-DC", "--defined-only", library]).splitlines()
    leaked = [line for line in symbols if re.match(rf"\S+ \S waybill::({ROOMS})::", line)]
    if leaked:
        sys.exit("the library exports what it should hide:\n" + "\n".join(leaked))
    if not any(" waybill::Runtime::Runtime(" in line for line in symbols):
        sys.exit("the library does not export waybill::Runtime")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--compiler", required=True, nargs="+")
    parser.add_argument("--launcher", required=True, nargs=argparse.REMAINDER)
    options = parser.parse_args()

    scratch = pathlib.Path(tempfile.mkdtemp(prefix="waybill-installed-"))
    try:
        prefix, packages = install(options.build, scratch)
        libraries = list(prefix.rglob("libwaybill.so"))
        for library in libraries:
            check_exports(library)
        search = os.pathsep.join([str(packages), os.environ.get("PKG_CONFIG_PATH", "")])
        environment = dict(os.environ, PKG_CONFIG_PATH=search.strip(os.pathsep))
        static = [] if libraries else ["--static"]
        flags = output(["pkg-config", *static, "--cflags", "--libs", "waybill"], env=environment)
        program = scratch / "ping"
        source = shutil.copy(options.source, scratch)
        run([*options.compiler, "-std=c++20", source, "-o", program, *shlex.split(flags)],
            cwd=scratch)
        environment["LD_LIBRARY_PATH"] = os.pathsep.join(
            [str(packages.parent), os.environ.get("LD_LIBRARY_PATH", "")]).strip(os.pathsep)
        printed = output([*options.launcher, program], env=environment, cwd=scratch)
    finally:
        shutil.rmtree(scratch)
    for rank in (0, 1):
        if f"rank {rank} got {41 - rank} " not in printed:
            sys.exit(f"rank {rank} did not get its message:\n{printed}")
    print("used through pkg-config:", flags.strip())


if __name__ == "__main__":
    main()
