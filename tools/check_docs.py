#!/usr/bin/env python3
"""Fails when a public declaration at namespace scope has no doc comment (STYLE.md, rule 9).

Usage: check_docs.py ROOT

Read line by line, after clang-format: a declaration starts in column 0 where the one before has
ended. One that follows another without a blank line shares its comment (overloads in a group).
"""
import pathlib
import re
import sys

import source_files

# Not declarations, or declarations that say nothing new.
EXEMPT = re.compile(
    r"#|//|[{}]|namespace\b|using\s+namespace\b|extern\s+template\b|friend\b|DDX_DERIVATIVE_OF\b"
    r"|(?:class|struct|enum class|enum)\s+\w+;|public:|private:|template class\b|template struct\b"
    r"|static_assert\b|template <>$|.*\b[A-Z]\w*::\w+[({]")
# Headed by its mathematics, under the function it belongs to.
DERIVATIVE = re.compile(r"DDX_DERIVATIVE_OF\b")


def undocumented(path):
    """Yields (number, line) of each declaration in a header that has no doc comment."""
    previous = ""
    documented = False
    private = False
    lines = [line for _, line in source_files.lines(path)]
    for number, line in enumerate(lines, 1):
        if line.startswith("namespace ") and re.match(r"namespace (\w+::)*detail \{", line):
            private = True
        elif re.match(r"\}  // namespace (\w+::)*detail$", line):
            private = False
        if private:
            previous = line
            continue
        if line.startswith("///"):
            documented = True
        elif not line.strip():
            documented = False
        elif re.match(r"\w|\[\[|~", line) and not EXEMPT.match(line):
            starts = not previous.strip() or re.search(r"[;{}]\s*(//.*)?$|^//|^#", previous)
            follows = lines[number] if number < len(lines) else ""
            if starts and not (documented or "///<" in line or DERIVATIVE.match(follows)):
                yield number, line
                documented = True
        previous = line


def complaints(root):
    root = pathlib.Path(root)
    for path in source_files.find(root, (".h",), ("include",)):
        text = path.read_text(encoding="utf-8")
        if not text.startswith("/// \\file\n"):
            yield f"{path}:1: a header opens with /// \\file and one sentence"
        if "\n#pragma once\n" not in text:
            yield f"{path}:1: no #pragma once"
        if "detail" in path.parts:
            continue
        for number, line in undocumented(path):
            yield f"{path}:{number}: no doc comment: {line.strip()[:60]}"


if __name__ == "__main__":
    sys.exit(source_files.report(complaints(sys.argv[1])))
