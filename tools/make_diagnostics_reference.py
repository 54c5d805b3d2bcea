#!/usr/bin/env python3
"""Writes docs/reference/diagnostics.md: every message of the AD compiler and what to do about it.

Usage: make_diagnostics_reference.py ROOT [--check]
  --check  compare with the page instead of writing it; exit 1 where they differ

The rows are those of compiler/diagnostics/diagnostics.def; one that no source reports, and a message or advice that is
not in lower case without period, are errors.
"""
import pathlib
import re
import sys

INTRODUCTION = """# Messages of the AD compiler

Look up an error or warning of the AD compiler here, with its name and what to do. `%0`, `%1`, `%2` are parts of your
program. An error is reported at the innermost line of the program that leads to it. Notes after it name the place in
a header of a library, each call between the request for a derivative and the error, and, last, what to do.
`tools/make_diagnostics_reference.py` generates the page from `compiler/diagnostics/diagnostics.def`, and a test keeps
it up to date."""

STRING = r'"((?:[^"\\]|\\.)*)"'
ROW = re.compile(r'^DDX_DIAGNOSTIC\((?P<name>\w+), (?P<level>\w+),\s*' + STRING + r',\s*' + STRING +
                 r'\)$|^// (?P<heading>[A-Z][^\n.]*)$', re.M)


def sentence(advice):
    """The advice as the page prints it: a sentence, with code between backquotes."""
    text = re.sub(r"'([^']*)'", r"`\1`", advice)
    return text[0].upper() + text[1:] + "."


def page(definitions, sources):
    """Returns the page and the complaints about the rows."""
    lines, complaints = [INTRODUCTION], []
    for row in ROW.finditer(definitions):
        if row["heading"]:
            if "//" not in row["heading"]:
                lines.append(f"\n## {row['heading']}\n\n| name | message | what to do |\n|---|---|---|")
            continue
        text, advice = row[3], row[4]
        if not advice or advice.endswith(".") or text.endswith(".") or advice[0].isupper():
            complaints.append(f"{row['name']}: not in lower case without period: {text}; {advice}")
        if not re.search(rf"\bDiagnostic::{row['name']}\b", sources):
            complaints.append(f"{row['name']}: reported nowhere")
        text = text.replace("|", "\\|")
        lines.append(f"| `{row['name']}` | {row['level'].lower()}: {text} | {sentence(advice)} |")
    return "\n".join(lines) + "\n", complaints


def main(root, check):
    root = pathlib.Path(root)
    sources = "\n".join(path.read_text(encoding="utf-8") for folder in ("compiler", "tests/compiler/probe")
                        for path in sorted((root / folder).rglob("*.cpp")))
    definitions = (root / "compiler/diagnostics/diagnostics.def").read_text(encoding="utf-8")
    made, complaints = page(definitions, sources)
    rows = len(re.findall(r"^DDX_DIAGNOSTIC\(", definitions, re.M))
    if made.count("\n| `") != rows:
        complaints.append(f"{made.count(chr(10) + '| `')} of {rows} rows understood")
    stored = root / "docs/reference/diagnostics.md"
    if not check:
        stored.write_text(made, encoding="utf-8")
    elif not stored.exists() or stored.read_text(encoding="utf-8") != made:
        complaints.append("docs/reference/diagnostics.md differs: run tools/make_diagnostics_reference.py .")
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "--check" in sys.argv[2:]))
