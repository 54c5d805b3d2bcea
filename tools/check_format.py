#!/usr/bin/env python3
"""Fails where clang-format-19 would change a source.

Usage: check_format.py ROOT [--fix]

Exit 77 (skipped) without clang-format-19: another version formats differently. A folder with its
own .clang-format that disables formatting is left alone, as clang-format does by itself.
"""
import pathlib
import shutil
import subprocess
import sys

import source_files

SKIPPED = 77


def complaints(root):
    files = [str(path) for path in source_files.find(pathlib.Path(root), (".h", ".cpp"))]
    for start in range(0, len(files), 50):
        run = subprocess.run(
            ["clang-format-19", "--dry-run", "--Werror", "--ferror-limit=1", *files[start:start + 50]],
            capture_output=True, text=True, check=False)
        yield from (line for line in run.stderr.splitlines() if ": error:" in line)


def main(root, fix):
    if not shutil.which("clang-format-19"):
        print("clang-format-19 is not installed: formatting not checked")
        return SKIPPED
    if fix:
        files = [str(path) for path in source_files.find(pathlib.Path(root), (".h", ".cpp"))]
        return subprocess.run(["clang-format-19", "-i", *files], check=False).returncode
    return source_files.report(complaints(root))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "--fix" in sys.argv[2:]))
