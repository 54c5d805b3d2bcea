#!/usr/bin/env python3
"""Lists the stems of include/ddx that no unit test mirrors (STYLE.md, rule 5).

Usage: list_untested.py ROOT [MAX]
  MAX  fail when more stems than this are untested: lower it when the list gets shorter

A header in detail/, an umbrella (only includes) and one that only declares types for others are
tested through what they serve: they are listed when nothing in tests/ includes them.
"""
import pathlib
import sys

import source_files


def untested(root):
    """Yields the headers without tests/unit/<path>/<stem>_test.cpp that no test includes either."""
    root = pathlib.Path(root)
    include = root / "include" / "ddx"
    included = set()
    for path in source_files.find(root, (".cpp", ".h"), ("tests",)):
        for _, line in source_files.lines(path):
            if line.startswith('#include "ddx/'):
                included.add(line.split('"')[1])
    for header in source_files.find(include, (".h",), ("",)):
        name = header.relative_to(include)
        test = root / "tests" / "unit" / name.with_name(name.stem + "_test.cpp")
        if not test.exists() and f"ddx/{name}" not in included:
            yield f"ddx/{name}"


def main(root, limit=None):
    found = list(untested(root))
    for name in found:
        print(f"untested: {name}")
    if limit is not None and len(found) > int(limit):
        print(f"{len(found)} headers without a test, at most {limit} are accepted")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
