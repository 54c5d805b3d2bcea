#!/usr/bin/env python3
"""Writes the tables of Unicode properties that the tokenizers use: src/data/text/detail/unicode/*.inc.

Usage: make_unicode_tables.py ROOT [--check]
  --check  write nothing; fail where a file differs. Exit 77 (skipped) under a Python whose
           unicodedata is of another version than the tables.

Made with Python 3.11, whose unicodedata is of Unicode 14.0.0 (https://www.unicode.org/Public/14.0.0/ucd/).
"""
import pathlib
import sys
import unicodedata

VERSION = "14.0.0"
SKIPPED = 77
LAST = 0x10FFFF
HANGUL = range(0xAC00, 0xD7A4)  # Decomposed by arithmetic.
COLUMNS = 100


def runs(value):
    """Yields (first, last, value) for each run of code points with one value."""
    first = 0
    for point in range(1, LAST + 2):
        if point > LAST or value(point) != value(first):
            yield first, point - 1, value(first)
            first = point


def categories():
    """The first code point of each run of one general category."""
    for first, _, name in runs(lambda point: unicodedata.category(chr(point))):
        yield f"{{{first:#x}, {name}}},"


def combining_classes():
    """Runs of code points with one canonical combining class other than 0."""
    for first, last, number in runs(lambda point: unicodedata.combining(chr(point))):
        if number:
            yield f"{{{first:#x}, {last:#x}, {number}}},"


def decompositions():
    """Code points with their full canonical decomposition, padded with zeros to four."""
    for point in range(LAST + 1):
        parts = unicodedata.normalize("NFD", chr(point))
        if parts != chr(point) and point not in HANGUL:
            numbers = ", ".join(f"{ord(part):#x}" for part in parts)
            yield f"{{{point:#x}, {{{numbers}}}}},"


def compatibility():
    """Code points whose full compatibility decomposition differs from the canonical one."""
    for point in range(LAST + 1):
        parts = unicodedata.normalize("NFKD", chr(point))
        if parts != unicodedata.normalize("NFD", chr(point)):
            text = "".join(f"\\U{ord(part):08X}" for part in parts)
            yield f'{{{point:#x}, U"{text}"}},'


def compositions():
    """Pairs of code points and the primary composite of each, ordered by the pair."""
    pairs = []
    for point in range(LAST + 1):
        parts = unicodedata.decomposition(chr(point)).split()
        # What NFC decomposes is excluded from composition.
        if len(parts) == 2 and "<" not in parts[0] and unicodedata.normalize("NFC", chr(point)) == chr(point):
            pairs.append((int(parts[0], 16), int(parts[1], 16), point))
    for first, second, point in sorted(pairs):
        yield f"{{{first:#x}, {second:#x}, {point:#x}}},"


def lower_case():
    """Code points with their lower case. U+0130, the only one with two, is left to the caller."""
    for point in range(LAST + 1):
        lower = chr(point).lower()
        if lower != chr(point) and len(lower) == 1:
            yield f"{{{point:#x}, {ord(lower):#x}}},"


TABLES = {
    "categories": categories,
    "combining_classes": combining_classes,
    "decompositions": decompositions,
    "compatibility": compatibility,
    "compositions": compositions,
    "lower_case": lower_case,
}


def text_of(rows, sentence):
    """The rows, as many to a line as fit."""
    lines = [f"// {sentence.splitlines()[0]}", f"// Unicode {VERSION}; written by tools/make_unicode_tables.py."]
    line = ""
    for row in rows:
        if len(line) + 1 + len(row) > COLUMNS:
            lines.append(line)
            line = row
        else:
            line = f"{line} {row}".strip()
    return "\n".join([*lines, line]) + "\n"


def main(root, check):
    if unicodedata.unidata_version != VERSION:
        print(f"unicodedata is of Unicode {unicodedata.unidata_version}, the tables of {VERSION}")
        return SKIPPED
    folder = pathlib.Path(root) / "src" / "data" / "text" / "detail" / "unicode"
    status = 0
    for name, rows in TABLES.items():
        text = text_of(rows(), rows.__doc__)
        file = folder / f"{name}.inc"
        if not check:
            folder.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        elif not file.exists() or file.read_text() != text:
            print(f"{file}: not what tools/make_unicode_tables.py writes")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "--check" in sys.argv[2:]))
