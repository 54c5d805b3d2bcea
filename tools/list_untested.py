#!/usr/bin/env python3
"""Lists the stems of include/ddx that no unit test mirrors (STYLE.md, rule 5).

Usage: list_untested.py ROOT [MAX]
  MAX  fail when more stems than this are untested: lower it when the list gets shorter

A header without a test of its own name counts as tested where a test includes it, or includes the
umbrella of its folder (ddx/tensor.h). A private header (detail/) is tested through what it serves:
where a tested header includes it. The umbrellas themselves (ddx/nn.h) only include.
"""
import pathlib
import sys

import source_files


def includes(path):
    """The ddx headers that a file includes by name."""
    return {line.split('"')[1] for _, line in source_files.lines(path)
            if line.startswith('#include "ddx/')}


def untested(root):
    """Yields the headers without tests/unit/<path>/<stem>_test.cpp that no test reaches either."""
    root = pathlib.Path(root)
    include = root / "include"
    headers = {str(path.relative_to(include)): path
               for path in source_files.find(include, (".h",), ("ddx",))}
    tested = set()
    for path in source_files.find(root, (".cpp", ".h"), ("tests", "examples")):
        tested |= includes(path)
    for name in headers:
        stem = pathlib.Path(name).relative_to("ddx").with_suffix("")
        if (root / "tests" / "unit" / stem.with_name(stem.name + "_test.cpp")).exists():
            tested.add(name)
    waiting = [name for name in tested if name in headers]
    while waiting:
        name = waiting.pop()
        served = includes(headers[name])
        own = name.removesuffix(".h") + "/"
        new = {name for name in served
               if ("/detail/" in name or name.startswith(own)) and name in headers} - tested
        tested |= new
        waiting += new
    yield from sorted(name for name in headers.keys() - tested if name.count("/") > 1)


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
