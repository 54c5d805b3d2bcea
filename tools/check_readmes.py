#!/usr/bin/env python3
"""Fails on a folder of more than five files that no README explains (STYLE.md, rule 7).

Usage: check_readmes.py ROOT

The README is the folder's own, or one above it that names the folder, or the one that leads there,
as `name/`. Folders of src/ and tests/unit/ mirror include/ddx and are explained there; so is a detail/
folder by the one around it.
"""
import pathlib
import sys

import source_files

MAX_FILES = 5
MIRRORS = ("src", "tests/unit")


def is_explained(root, folder):
    """True where the folder has a README, or one above names it or a folder on the way to it."""
    if (folder / "README.md").exists():
        return True
    for above in folder.parents:
        page = above / "README.md"
        if above == root:
            return False
        if page.exists():
            text = page.read_text(encoding="utf-8")
            return any(f"`{part}/`" in text for part in folder.relative_to(above).parts)
    return False


def complaints(root):
    root = pathlib.Path(root).resolve()
    count = {}
    for path in source_files.find(root, source_files.CODE + (".py", ".cmake", ".sh", ".in", "")):
        count[path.parent] = count.get(path.parent, 0) + 1
    for folder, files in sorted(count.items()):
        name = str(folder.relative_to(root))
        mirrored = any(name.startswith(mirror) for mirror in MIRRORS)
        if files > MAX_FILES and not mirrored and folder.name != "detail":
            if not is_explained(root, folder):
                yield f"{name}: {files} files and no README that says what they are"


if __name__ == "__main__":
    sys.exit(source_files.report(complaints(sys.argv[1])))
