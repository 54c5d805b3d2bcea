#!/usr/bin/env python3
"""Fails on words that the glossary of STYLE.md replaces by the field's terms.

Usage: check_words.py ROOT

The words are those in backticks in the last column of the glossary table. They are searched in all
Markdown, and in the comments and strings of code.
"""
import pathlib
import re
import sys

import source_files

# Comments and string literals, in lower case. Other languages are searched as a whole.
PROSE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|r"(\w*)\(.*?\)\1"', re.DOTALL)
PYTHON_PROSE = re.compile(r'#[^\n]*|""".*?"""|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
CPP = (".h", ".cpp", ".def", ".inc")
OTHER = (".py", ".cmake", ".txt", "")
# Two that spell the words in order to search for them, and recorded data.
EXEMPT = ("tools/check_words.py", "tests/style/checkers_test.py", "tests/goldens/text/corpus.txt")


def glossary(root):
    """Yields (old word, new term) for each word in backticks in the last column of the table."""
    text = (root / "STYLE.md").read_text(encoding="utf-8")
    _, _, section = text.partition("## Glossary\n")
    section = section.partition("\n## ")[0]
    for row in re.findall(r"^\|(.*)\|$", section, re.MULTILINE):
        cells = [cell.strip() for cell in row.split("|")]
        for word in re.findall(r"`([^`]+)`", cells[-1]):
            yield word, cells[0]


def pattern_of(words):
    """Matches any of the words in lower-case text; a phrase may be broken over lines of a comment."""
    gap = r"(?:[ \t]+|[ \t]*\n[ \t]*(?:///?<?|#|\*)?[ \t]*)"
    texts = [gap.join(re.escape(part) for part in word.split()) for word in words]
    return re.compile(rf"\b(?<![./-])(?:{'|'.join(texts)})(?![\w-])")


def prose(path, text):
    """Lower-case text with everything blanked out that is not prose; lines and columns stay."""
    if path.name == "STYLE.md":
        head, mark, tail = text.partition("## glossary\n")
        section, end, tail = tail.partition("\n## ")
        return head + mark + re.sub(r"[^\n]", " ", section) + end + tail
    if path.suffix == ".md":
        return re.sub(r"^```.*?^```$", blanked, text, flags=re.MULTILINE | re.DOTALL)
    is_python = path.suffix == ".py" or text.startswith("#!/usr/bin/env python3")
    if path.suffix not in CPP and not is_python:
        return text
    kept, last = [], 0
    for found in (PYTHON_PROSE if is_python else PROSE).finditer(text):
        kept += [re.sub(r"[^\n]", " ", text[last:found.start()]), found[0]]
        last = found.end()
    return "".join(kept) + re.sub(r"[^\n]", " ", text[last:])


def blanked(found):
    return re.sub(r"[^\n]", " ", found[0])


def findings(root):
    """Yields (path relative to root, line, old word, new term)."""
    terms = dict(glossary(root))
    pattern = pattern_of(terms)
    pages = sorted(root.glob("*.md"))
    for path in [*pages, *source_files.find(root, (".md", *CPP, *OTHER))]:
        name = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8", errors="replace").lower()
        if name in EXEMPT or not pattern.search(text):
            continue
        text = prose(path, text)
        for found in pattern.finditer(text):
            word = re.sub(r"[\W_]+", " ", found[0])
            yield name, text.count("\n", 0, found.start()) + 1, word, terms[word]


def complaints(root):
    for name, line, word, term in sorted(findings(root)):
        yield f"{root / name}:{line}: '{word}'; the glossary of STYLE.md says: {term}"


if __name__ == "__main__":
    sys.exit(source_files.report(complaints(pathlib.Path(sys.argv[1]).resolve())))
