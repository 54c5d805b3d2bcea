#!/usr/bin/env python3
"""Fails when a page shows code that no test compiles, or links to a file that is not there.

Usage: check_snippets.py ROOT [--update]
  --update  write the regions into the pages instead of comparing

A fenced C++ or CMake block of the README or of docs/guide names where its text comes from:
    ```cpp tests/guide/first_gradient.cpp#slope
is the region of that file between the comments "[slope]" and "[/slope]", indentation removed;
without "#slope" it is the whole file. Pages of docs/design may sketch and are not read.
"""
import pathlib
import re
import sys
import textwrap

import source_files

BLOCK = re.compile(r"^```(cpp|cmake)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)\s]*)?\)")


def region(root, source):
    """The text a block must show, or an error message (text, error)."""
    name, _, label = source.partition("#")
    path = pathlib.Path(root) / name
    if not path.is_file():
        return None, f"no file {name}"
    text = path.read_text(encoding="utf-8")
    if not label:
        return text, None
    mark = r"^[ \t]*(?://|#) \[{}\]\n"
    found = re.findall(mark.format(re.escape(label)) + r"(.*?)" + mark.format("/" + re.escape(label)),
                       text, re.MULTILINE | re.DOTALL)
    if len(found) != 1:
        return None, f"{name} has {len(found)} regions [{label}]"
    return textwrap.dedent(found[0]).strip("\n") + "\n", None


def pages(root):
    """README.md and its neighbours, and the guide."""
    root = pathlib.Path(root)
    yield from sorted(root.glob("*.md"))
    yield from source_files.find(root / "docs", (".md",), ("guide",))


def complaints(root, update):
    for page in pages(root):
        text = page.read_text(encoding="utf-8")
        for block in reversed(list(BLOCK.finditer(text))):
            line = text.count("\n", 0, block.start()) + 1
            if not block[2]:
                yield f"{page}:{line}: a {block[1]} block names no file it is cut from"
                continue
            expected, error = region(root, block[2])
            if error:
                yield f"{page}:{line}: {error}"
            elif update:
                text = text[:block.start(3)] + expected + text[block.end(3):]
            elif block[3] != expected:
                yield f"{page}:{line}: differs from {block[2]}; tools/check_snippets.py . --update"
        if update:
            page.write_text(text, encoding="utf-8")
    for page in [*pages(root), *source_files.find(root, (".md",))]:
        for number, line in source_files.lines(page):
            for target in LINK.findall(line):
                if not (page.parent / target).exists():
                    yield f"{page}:{number}: links to {target}, which is not there"


if __name__ == "__main__":
    sys.exit(source_files.report(complaints(sys.argv[1], "--update" in sys.argv[2:])))
