#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that docs/performance.md quotes the Slurm script as it is.

check_slurm_script.py SCRIPT DOCUMENT
"""

import pathlib
import sys

script, document = (pathlib.Path(path).read_text() for path in sys.argv[1:3])
if f"```bash\n{script}```\n" not in document:
    sys.exit(f"{sys.argv[2]} does not quote {sys.argv[1]}: copy it there")
