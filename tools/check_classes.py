#!/usr/bin/env python3
"""Fails on classes of the compiler with more member functions than a reader keeps in mind (STYLE.md, rule 4).

Usage: check_classes.py ROOT

Counted are the functions that a class declares, overloads one by one, without those of its base classes.
"""
import pathlib
import re
import sys

import source_files

MAX_MEMBERS = 60

HIDDEN = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'')
CLASS = re.compile(r"\b(?:class|struct)\s+((?:\w+::)*\w+)\b[^;{}()]*\{")
PARENTHESES = re.compile(r"\([^()]*\)")
TEMPLATE = re.compile(r"<[^<>]*>")
FUNCTION = re.compile(r"(?:\boperator\s*\S+|[~\w])\s*@")


def body(text, start):
    """What stands between braces from `start` on; `{}` for what stands in inner ones."""
    parts, depth = [], 1
    for piece in re.split(r"([{}])", text[start:]):
        if piece == "{":
            depth += 1
            parts.append("{}" if depth == 2 else "")
        elif piece == "}":
            depth -= 1
            if depth == 0:
                break
        elif depth == 1:
            parts.append(piece)
    return "".join(parts)


def is_function(declaration):
    """True for a declaration with a parameter list that is no friend."""
    while PARENTHESES.search(declaration):
        declaration = PARENTHESES.sub("@", declaration)
    while TEMPLATE.search(declaration):
        declaration = TEMPLATE.sub("", declaration)
    return "friend" not in declaration and FUNCTION.search(re.split(r"(?<!operator)=", declaration)[0]) is not None


def complaints(root):
    root = pathlib.Path(root)
    for path in source_files.find(root, (".h", ".cpp"), ("compiler",)):
        text = HIDDEN.sub("", source_files.without_raw_strings(path.read_text(encoding="utf-8")))
        for found in CLASS.finditer(text):
            count = sum(map(is_function, re.split(r";|\{\}", body(text, found.end()))))
            if count > MAX_MEMBERS:
                yield f"{path}: class {found[1]} has {count} member functions; cut it before {MAX_MEMBERS}"


if __name__ == "__main__":
    sys.exit(source_files.report(complaints(sys.argv[1])))
