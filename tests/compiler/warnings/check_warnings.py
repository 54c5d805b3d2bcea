#!/usr/bin/env python3
"""Fails where clang has a warning for the derivatives that the compiler writes for one source.

Usage: check_warnings.py COMPILER SOURCE INCLUDE-FOLDER...

The derivatives stand in no file of the user's, so their warnings are those of system headers; only those
are judged that are about the derivatives themselves.
"""
import re
import subprocess
import sys

# Parentheses around a comparison mean nothing here; what the user's code does not use is not used in its
# derivative either.
WARNINGS = ["-Wsystem-headers", "-Wall", "-Wextra", "-Wshadow", "-Wuninitialized", "-Wconditional-uninitialized",
            "-Wimplicit-float-conversion", "-Wshorten-64-to-32", "-Wfloat-conversion", "-Wunreachable-code-return",
            "-Wno-parentheses-equality", "-Wno-unused-variable", "-Wno-unused-value"]


def main():
    compiler, source, *folders = sys.argv[1:]
    command = [compiler, "-std=c++20", "-fsyntax-only", *WARNINGS, *(f"-I{folder}" for folder in folders), source]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        sys.exit(done.stderr)
    found = re.findall(r"^<derivatives>:\d+:\d+: (?:warning|error): .*(?:\n.*){2}", done.stderr, re.MULTILINE)
    print("\n".join(found))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
