#!/usr/bin/env python3
"""Fails on a macro defined outside the allow-list (STYLE.md, rule 21).

Usage: check_macros.py ROOT

Allowed anywhere: the row macro of a .def table, that is a name some .def file undefines at its end,
or one defined right before another project's .def is included.
"""
import pathlib
import re
import sys

import source_files

FILES = {
    "include/ddx/core/config.h",  # feature tests, DDX_EXPORT
    "include/ddx/ad/attributes.h",  # spellings of the attributes
    "include/ddx/ad/differentiable.h",  # DDX_DIFFERENTIABLE, DDX_NO_DERIVATIVE
    "include/ddx/ad/detail/for_each_argument.h",  # what those two are made of
    "include/ddx/ad/detail/emit_macros.h",  # for synthesised text
    "src/data/text/detail/pipeline/pattern.cpp",  # PCRE2's header asks for it
}
DEFINE = re.compile(r"^\s*#\s*define\s+(\w+)")
TABLE = re.compile(r"^\s*#\s*include\s+[<\"][\w/]+\.(?:def|inc)[>\"]")
UNDEF = re.compile(r"^\s*#\s*undef\s+(\w+)")


def before_table(lines, number):
    """True where after the definition in line `number` (from 1) nothing stands before a table."""
    index = number - 1
    while index < len(lines) and (DEFINE.match(lines[index]) or lines[index - 1].endswith("\\")):
        index += 1
    return index < len(lines) and bool(TABLE.match(lines[index]))


def complaints(root):
    root = pathlib.Path(root)
    rows = set()
    for path in source_files.find(root, (".def",)):
        rows |= {found[1] for _, line in source_files.lines(path) if (found := UNDEF.match(line))}
    for path in source_files.find(root, (".h", ".cpp"), ("include", "src", "compiler")):
        if str(path.relative_to(root)) in FILES:
            continue
        lines = source_files.without_raw_strings(path.read_text(encoding="utf-8")).splitlines()
        for number, line in enumerate(lines, 1):
            found = DEFINE.match(line)
            if found and found[1] not in rows and not before_table(lines, number):
                yield f"{path}:{number}: macro {found[1]} is not on the list in tools/check_macros.py"


if __name__ == "__main__":
    sys.exit(source_files.report(complaints(sys.argv[1])))
