#!/usr/bin/env python3
"""Writes docs/reference/parity.md: each thing that Swift for TensorFlow's libraries had, and what ddx has for it.

Usage: make_parity_reference.py ROOT [--check]
  --check  compare with the page instead of writing it; exit 1 where they differ

The rows are those of tests/parity/checklist.txt. A row that names a header, a name in it, or a test that does not exist
is an error, and so is a function that is said to have a derivative and that no conformance test mentions.
"""
import pathlib
import re
import sys

INTRODUCTION = """# Parity

This page compares ddx with the libraries of Swift for TensorFlow (`swift-apis`, and the parts of `swift-models` that
are a library), row by row.

- **derivative**: whether ddx differentiates it.
- **open**: not implemented yet.
- **left out**: not planned, with the reason.

`tools/make_parity_reference.py` generates the page from `tests/parity/checklist.txt`; a test keeps it up to date and
looks for every name."""

DERIVATIVES = {"yes", "no", "-"}


def text_of(path, cache={}):
    """The text of a file, or None."""
    if path not in cache:
        cache[path] = path.read_text() if path.is_file() else None
    return cache[path]


def conformance_text(root):
    """All that the conformance tests say."""
    return "\n".join(text_of(path) for path in sorted((root / "tests/conformance").rglob("*.cpp")))


def wrong_name(root, ours):
    """What is wrong with one `header#name`, or None."""
    header, _, name = ours.partition("#")
    text = text_of(root / "include/ddx" / f"{header}.h")
    if text is None:
        return f"there is no include/ddx/{header}.h"
    if not name or not re.search(rf"\b{re.escape(name)}\b", text):
        return f"include/ddx/{header}.h has no '{name}'"
    return None


def wrong_test(root, test):
    """What is wrong with one test's name, or None."""
    found = [root / "tests" / f"{test}{end}" for end in ("_test.cpp", "_test.py", "")]
    return None if any(path.exists() for path in found) else f"there is no test {test}"


def complaints_of(root, conformance, theirs, ours, derivative, tests):
    """What is wrong with one row."""
    answer = ours.split(":")[0]
    if answer in ("open", "left out"):
        return [] if answer == "open" or ours.partition(":")[2].strip() else [f"'{theirs}': left out without a reason"]
    wrong = [wrong_name(root, name) for name in ours.split()] + [wrong_test(root, test) for test in tests.split()]
    if not ours.split() or not tests.split():
        wrong.append("names no function or no test")
    if derivative not in DERIVATIVES:
        wrong.append(f"derivative '{derivative}'")
    if derivative == "yes":
        names = [name.partition("#")[2] for name in ours.split()]
        wrong += [f"no conformance test mentions '{name}'" for name in names
                  if not re.search(rf"\b{re.escape(name)}\b", conformance)]
    return [f"'{theirs}': {what}" for what in wrong if what]


def cell(ours):
    """The second column."""
    if ours.split(":")[0] in ("open", "left out"):
        return f"*{ours}*"
    return ", ".join(f"`{name.partition('#')[2]}` ({name.partition('#')[0]}.h)" for name in ours.split())


def page(root, checklist):
    """Returns the page and the complaints about the rows."""
    lines, complaints, counts = [INTRODUCTION], [], {"there": 0, "open": 0, "left out": 0}
    conformance = conformance_text(root)
    for text in checklist.splitlines():
        if not text or text.startswith("#"):
            continue
        if " | " not in text:
            lines.append(f"\n## {text}\n\n| theirs | ours | derivative | tests |\n|---|---|---|---|")
            continue
        parts = [part.strip() for part in re.split(r"(?<!\\)\|", text)]
        theirs, ours, derivative, tests = parts + [""] * (4 - len(parts))
        complaints += complaints_of(root, conformance, theirs, ours, derivative, tests)
        answer = ours.split(":")[0]
        counts[answer if answer in counts else "there"] += 1
        named = " ".join(f"`{test}`" for test in tests.split())
        lines.append(f"| {theirs} | {cell(ours)} | {derivative} | {named} |")
    total = ", ".join(f"{count} {answer}" for answer, count in counts.items())
    lines.insert(1, f"\nRows: {total}.")
    return "\n".join(lines) + "\n", complaints


def main(arguments):
    if len(arguments) not in (1, 2) or arguments[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    root = pathlib.Path(arguments[0])
    text, complaints = page(root, (root / "tests/parity/checklist.txt").read_text())
    target = root / "docs/reference/parity.md"
    if arguments[1:]:
        if text_of(target) != text:
            complaints.append(f"{target.name} is not what the checklist says; run tools/make_parity_reference.py .")
    else:
        target.write_text(text)
    sys.exit("\n".join(complaints) if complaints else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
