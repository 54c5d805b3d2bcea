#!/usr/bin/env python3
"""Fails on functions that do not fit on a screen (rule 4 of STYLE.md).

Usage: check_functions.py ROOT [--shrink]
  --shrink  lower the lengths of tools/long_functions.txt to today's and remove what is not needed

A function counts from the line of its name to its closing brace; a lambda, a local class or a macro
belongs to the function around it. tools/long_functions.txt lists the exceptions as `path name length`.
The list may only shrink: an entry without a long function and a function that grew are errors.
"""
import collections
import pathlib
import re
import sys

import source_files

MAX_LINES = 60
LIST = "tools/long_functions.txt"
FOLDERS = ("compiler", "include", "src", "programs", "examples", "benchmarks", "tests")

# What can hide a brace: comments, strings, characters, directives. A quote behind a digit separates digits.
HIDES = (r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:[^"\\\n]|\\.)*"'
         r"|(?<![0-9a-fA-F])'(?:[^'\\\n]|\\.)+'|^[ \t]*\#(?:[^\n\\]|\\.)*")
PROSE = re.compile(HIDES, re.DOTALL | re.MULTILINE)
TOKEN = re.compile(HIDES + "|[{}]", re.DOTALL | re.MULTILINE)
BRACES = re.compile(r"\{[^{}]*\}")
DIRECTIVE = re.compile(r"\s*#\s*(if|el|endif)")
# Macros, labels and parentheses of a declaration that are no parameter list.
NESTED = r"\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)"
ASIDE = re.compile(r"\b(?:alignas|decltype|explicit|noexcept|requires|throw|__\w+__|[A-Z][A-Z0-9_]+)\s*" + NESTED
                   + r"|\[\[.*?\]\]|\b(?:public|private|protected)\s*:", re.DOTALL)
SCOPE = re.compile(r"\b(?:namespace|class|struct|union|enum|extern)\b")
TEST = re.compile(r"\b\w*TEST\w*\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)\s*$")
OPERATOR = r"operator\s*(?:\(\s*\)|[^\w\s(]+|new|delete|\w[\w:<>&* ]*)"
NAME = re.compile(r"((?:\w+(?:<[^()]*?>)?\s*::\s*)*(?:" + OPERATOR + r"|~?\w+))\s*\(")
LAMBDA = re.compile(r"(\w+)\s*=\s*\[")


def blanked(pattern, text):
    """`text` with every match of `pattern` replaced by blanks; lines stay."""
    return pattern.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def without_arguments(text):
    """`text` without what stands in angle brackets."""
    while True:
        shorter = re.sub(r"<[^<>]*>", " ", text)
        if shorter == text:
            return text
        text = shorter


def declaration(head):
    """`head` with its comments, strings and braced parts blanked out."""
    head = blanked(PROSE, head)
    while "}" in head:
        inner = blanked(BRACES, head)
        if inner == head:
            break
        head = inner
    return head


def continues(head):
    """Whether the braces behind `head` end no declaration: `member_{1}` or a lambda as an argument."""
    if re.search(r"[\w>]$", head):
        return True
    if head.count("(") <= head.count(")"):
        return False
    head = declaration(head)
    return head.count("(") > head.count(")")


def opens_scope(head):
    """Whether a brace behind the declaration `head` opens a namespace or a class."""
    if not SCOPE.search(head):
        return False
    head = blanked(ASIDE, declaration(head)).rpartition(";")[2]
    plain = without_arguments(head)
    return bool(SCOPE.search(plain)) and not re.search(r"[(=]", plain)


def name_of(head):
    """The name of the function that `head` declares and its offset; None for a variable's braces."""
    head = declaration(head)
    start = head.rfind(";") + 1
    test = TEST.search(head, start)
    if test:
        return f"{test[1]}.{test[2]}", test.start()
    head = blanked(ASIDE, head)
    found = NAME.search(head, start)
    before = head[start:found.start() if found else len(head)]
    if "=" in without_arguments(before):
        found = LAMBDA.search(head, start)
    return (re.sub(r"\s+", "", found[1]), found.start(1)) if found else None


def long_functions(text):
    """Yields (name, first line, number of lines) for each function that is too long."""
    skipped_from = None  # The number of open #if where a second branch begins.
    open_conditions = 0
    depth = 0  # Of braces inside a function or an initialiser.
    head_start = 0
    opening = 0
    for found in TOKEN.finditer(text):
        token = found[0]
        directive = DIRECTIVE.match(token)
        if directive:
            # Only the first branch counts: each branch may open the same brace.
            if directive[1] == "if":
                open_conditions += 1
            elif directive[1] == "el" and skipped_from is None:
                skipped_from = open_conditions
            elif directive[1] == "endif":
                if skipped_from == open_conditions:
                    skipped_from = None
                open_conditions -= 1
        if token not in "{}" or skipped_from is not None:
            continue
        at = found.start()
        if token == "{":
            if depth == 0:
                if opens_scope(text[head_start:at]):
                    head_start = at + 1
                    continue
                opening = at
            depth += 1
            continue
        if depth == 0:  # The end of a scope.
            head_start = at + 1
            continue
        depth -= 1
        if depth > 0:
            continue
        if continues(text[head_start:opening]):
            continue
        if text.count("\n", head_start, at) >= MAX_LINES:
            named = name_of(text[head_start:opening])
            first = head_start + named[1] if named else at
            count = text.count("\n", first, at) + 1
            if count > MAX_LINES:
                yield named[0], text.count("\n", 0, first) + 1, count
        head_start = at + 1


def listed(root):
    """The exceptions: (path, name) to their lengths, longest first; and the head of the file."""
    path = root / LIST
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    entries = collections.defaultdict(list)
    for line in lines:
        if line and not line.startswith("#"):
            name, function, length = line.split()
            entries[name, function].append(int(length))
    for lengths in entries.values():
        lengths.sort(reverse=True)
    return entries, [line for line in lines if line.startswith("#")]


def found_in(root):
    """What is too long: (path, name) to pairs (length, line), longest first."""
    functions = collections.defaultdict(list)
    for path in source_files.find(root, (".cpp", ".h", ".inc"), FOLDERS):
        text = path.read_text(encoding="utf-8", errors="replace")
        if text.count("\n") < MAX_LINES:
            continue
        for name, line, count in long_functions(text):
            functions[path.relative_to(root).as_posix(), name].append((count, line))
    for places in functions.values():
        places.sort(key=lambda place: (-place[0], place[1]))
    return functions


def complaints(root, functions, entries):
    for (path, name), places in sorted(functions.items()):
        lengths = entries.get((path, name), [])
        for index, (count, line) in enumerate(places):
            if index >= len(lengths):
                yield f"{root / path}:{line}: {name} has {count} lines; split before {MAX_LINES}"
            elif count > lengths[index]:
                yield (f"{root / path}:{line}: {name} grew from {lengths[index]} to {count} lines; "
                       f"split before {MAX_LINES}")
    for (path, name), lengths in sorted(entries.items()):
        for length in lengths[len(functions.get((path, name), [])):]:
            yield f"{root / LIST}: '{path} {name} {length}' is not needed; remove the entry"


def shrink(root, functions, entries, head):
    """Writes the list with the entries that are still needed, at today's lengths if these are less."""
    kept = [f"{path} {name} {min(length, place[0])}"
            for (path, name), lengths in sorted(entries.items())
            for length, place in zip(lengths, functions.get((path, name), []))]
    (root / LIST).write_text("\n".join([*head, *kept]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    ROOT = pathlib.Path(sys.argv[1]).resolve()
    FOUND = found_in(ROOT)
    ENTRIES, HEAD = listed(ROOT)
    if "--shrink" in sys.argv[2:]:
        shrink(ROOT, FOUND, ENTRIES, HEAD)
        ENTRIES, _ = listed(ROOT)
    sys.exit(source_files.report(complaints(ROOT, FOUND, ENTRIES)))
