#!/usr/bin/env python3
"""Compiles a file with and without its offending line.

Usage: check_pair.py FILE COMPILER [OPTION...]
  FILE  opens with "// error: TEXT"; without DDX_OFFENDING it compiles, with it the compiler reports
        errors, and every one of them contains TEXT
"""
import subprocess
import sys


def errors(command):
    """Returns the lines of the compiler's output that report an error."""
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    found = [line for line in run.stderr.splitlines() if " error: " in line]
    if (run.returncode != 0) != bool(found):
        sys.exit(f"exit status {run.returncode}, yet these errors: {found}\n{run.stderr}")
    return found


def main(path, *compiler):
    with open(path, encoding="utf-8") as source:
        first = source.readline().strip()
    if not first.startswith("// error: "):
        sys.exit(f"{path}: the first line is not '// error: TEXT'")
    expected = first.removeprefix("// error: ")
    command = [*compiler, "-fsyntax-only", path]
    if found := errors(command):
        sys.exit("without the offending line:\n" + "\n".join(found))
    found = errors([*command, "-DDDX_OFFENDING"])
    if not found or any(expected not in line for line in found):
        sys.exit(f"expected nothing but: {expected}\nfound:\n" + "\n".join(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
