#!/usr/bin/env python3
"""Fails on text no source may contain, and on files too long to review whole.

Usage: check_text.py ROOT

Rules 4 (size, and the width of Markdown), 11 (numbered TODOs), 20 (a quiet library) of STYLE.md, and: no path of one machine.
"""
import pathlib
import re
import sys

import source_files

MAX_LINES = 800  # Tables (.def) excepted.
MAX_LINES_OF_COMPILER = 500
MAX_COLUMNS = 120  # Of prose in Markdown; code has the formatter's limit, a row of a table none.

EVERYWHERE = [
    (re.compile(r"\b(?:TODO|FIXME|XXX)\b(?!\(#\d+\))"), "a TODO carries an issue: TODO(#123)"),
    (re.compile(r"(?<![\w./])/(?:home|root|work|Users|mnt)/\w"), "a path of one machine"),
    (re.compile(r"[ \t]+$"), "trailing blanks"),
]
# Reads the variables that a launcher sets for its processes.
READS_ENVIRONMENT = "src/distributed/launcher.cpp"
LIBRARY = [
    (re.compile(r"\bstd::(?:cout|cerr|clog)\b|(?<![\w.:>])(?:std::)?(?:printf|puts|fprintf)\s*\("),
     "the library never prints"),
    (re.compile(r"(?<![\w.:>])(?:std::)?(?:exit|_Exit|quick_exit|abort|terminate)\s*\("),
     "the library never ends the process"),
    (re.compile(r"\b(?:secure_)?getenv\s*\("), "the library never reads the environment"),
    (re.compile(r"^\s*using\s+namespace\b"), "no using namespace in the library"),
]
TEXT = (".h", ".cpp", ".def", ".py", ".cmake", ".txt", ".md", ".in", "")


def complaints(root):
    root = pathlib.Path(root)
    here = pathlib.Path(__file__).name
    for path in source_files.find(root, TEXT):
        rules = list(EVERYWHERE)
        top = path.relative_to(root).parts[0]
        if top in ("include", "src"):
            rules += LIBRARY
            if path.relative_to(root).as_posix() == READS_ENVIRONMENT:
                rules = [rule for rule in rules if "environment" not in rule[1]]
        if path.name in (here, "checkers_test.py"):
            continue
        count = 0
        in_code = False
        for number, line in source_files.lines(path):
            in_code ^= path.suffix == ".md" and line.startswith("```")
            if path.suffix == ".md" and len(line) > MAX_COLUMNS and line[0] != "|" and not in_code:
                yield f"{path}:{number}: {len(line)} columns; break prose before {MAX_COLUMNS}"
            count = number
            code = line.split("//")[0] if top in ("include", "src") else line
            for pattern, why in rules:
                text = line if (pattern, why) in EVERYWHERE else code
                if pattern.search(text):
                    yield f"{path}:{number}: {why}"
        most = MAX_LINES_OF_COMPILER if top == "compiler" else MAX_LINES
        if path.suffix in (".h", ".cpp", ".py") and count > most:
            yield f"{path}: {count} lines; split before {most}"


if __name__ == "__main__":
    sys.exit(source_files.report(complaints(sys.argv[1])))
