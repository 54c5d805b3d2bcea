#!/usr/bin/env python3
"""Writes docs/reference/language.md: each construct of the language, and what the AD compiler does with it.

Usage: make_language_reference.py ROOT [--check]
  --check  compare with the page instead of writing it; exit 1 where they differ

The rows are those of tests/conformance/language/checklist.txt, numbered from 1 to 90. A row whose outcome is not one of
those listed there, or that names a test or a program that does not exist, is an error.
"""
import pathlib
import re
import sys

INTRODUCTION = """# The language

This page lists the constructs of C++ and whether the compiler differentiates them, in reverse and in forward mode:

- **right**: the derivatives agree with finite differences or with values computed by hand.
- **part**: some forms are right, the others are compile errors.
- **error**: a compile error at the construct, with the calls that lead to it.
- **none**: not implemented.

The column *derivatives* describes the whole compiler. The column *promoted* describes the first of its two paths alone,
which gives the fastest derivatives. What is an error there is differentiated through memory
([design 016](../design/016-derivatives-through-memory.md)). Reals that are read as another type are errors in both: at
compile time, or at run time where the types are not known before. So are second derivatives
of programs that start threads, other than parallel loops and sections of OpenMP.

The last column names the test programs. `tools/make_language_reference.py` generates the page from
`tests/conformance/language/checklist.txt`; a test keeps it up to date and looks for every program."""

OUTCOMES = ("right", "error", "part", "none")
LINES = 90


def source_of(root, folder, stem):
    """The file that a test's folder and stem mean."""
    if folder == "exec":
        return root / "tests/compiler/exec" / f"{stem}_test.cpp"
    if folder == "language":
        return root / "tests/conformance/language" / f"{stem}_test.cpp"
    if folder == "programs":
        return root / "tests/compiler/programs" / f"{stem}_test.cpp"
    if folder == "diagnostics":
        return root / "tests/compiler/diagnostics" / f"{stem}.cpp"
    return root / "tests" / folder / stem


def missing(root, test):
    """Returns what is wrong with one named test, or None."""
    place, _, program = test.partition("#")
    folder, _, stem = place.partition("/")
    source = source_of(root, folder, stem)
    if not source.exists():
        return f"{test}: there is no {source.relative_to(root)}"
    if program and not re.search(rf"(?:\(|, ){program}[,)]", source.read_text()):
        return f"{test}: {source.name} checks no program of that name"
    return None


def page(root, checklist):
    """Returns the page and the complaints about the rows."""
    lines, complaints, number = [INTRODUCTION], [], 0
    for text in checklist.splitlines():
        if not text or text.startswith("#"):
            continue
        if " | " not in text:
            lines.append(f"\n## {text}\n\n| line | construct | derivatives | promoted | tests |\n|---|---|---|---|---|")
            continue
        given, construct, outcome, tests = (part.strip() for part in re.split(r"(?<!\\)\|", text))
        number += 1
        if given != str(number):
            complaints.append(f"line {given} stands where {number} should")
        whole, _, promoted = outcome.partition("/")
        promoted = promoted or whole
        for one in (whole, promoted):
            if one not in OUTCOMES:
                complaints.append(f"line {given}: outcome '{one}'")
        if not tests and outcome != "none":
            complaints.append(f"line {given} names no test")
        complaints += [f"line {given}: {wrong}" for test in tests.split() if (wrong := missing(root, test))]
        named = " ".join(f"`{test}`" for test in tests.split())
        lines.append(f"| {given} | {construct} | {whole} | {promoted} | {named} |")
    if number != LINES:
        complaints.append(f"{number} lines, not {LINES}")
    return "\n".join(lines) + "\n", complaints


def main(arguments):
    if len(arguments) not in (1, 2) or arguments[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    root = pathlib.Path(arguments[0])
    text, complaints = page(root, (root / "tests/conformance/language/checklist.txt").read_text())
    target = root / "docs/reference/language.md"
    if arguments[1:]:
        if not target.exists() or target.read_text() != text:
            complaints.append(f"{target.name} is not what the checklist says; run tools/make_language_reference.py .")
    else:
        target.write_text(text)
    sys.exit("\n".join(complaints) if complaints else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
