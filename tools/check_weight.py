#!/usr/bin/env python3
"""Fails where the headers that every program reads have grown, or read a header that they can spare.

Usage: check_weight.py ROOT [COMPILER]

Counts what the preprocessor makes of `ddx/ad.h` and `ddx/ddx.h`, which is the same at every load: compile time follows
it (1 MB takes about a third of a second). Where a bound is too low for what a change is worth, raise it and say why.
"""
import pathlib
import subprocess
import sys

import source_files

FLAGS = ["-std=c++20", "-E", "-P", "-H", "-x", "c++", "-D__DDX__", "-"]

# For each header the most bytes, and standard headers that it does without: they read a large part of the library
# (<memory> all of input and output), or few programs need them.
RARE = {"condition_variable", "future", "iostream", "random", "regex", "semaphore", "stop_token", "thread"}
LIMITS = {
    "ddx/ad.h": (1_190_000, RARE | {
        "algorithm", "chrono", "complex", "deque", "filesystem", "functional", "iterator", "map", "memory", "mutex",
        "ostream", "ranges", "set", "span", "string", "string_view", "unordered_map", "variant"}),
    "ddx/ddx.h": (4_220_000, RARE | {"ranges"}),
}


def complaints(root, compiler):
    include = pathlib.Path(root) / "include"
    for header, (most_bytes, spared) in LIMITS.items():
        if not (include / header).exists():
            continue
        run = subprocess.run([compiler, "-I", str(include), *FLAGS], input=f'#include "{header}"\n',
                             capture_output=True, text=True, check=False)
        if run.returncode != 0:
            yield f"{header}: does not compile alone\n{run.stderr}"
            continue
        if len(run.stdout) > most_bytes:
            yield f"{header}: {len(run.stdout)} bytes after the preprocessor, at most {most_bytes}"
        path = []
        for line in run.stderr.splitlines():
            dots, _, name = line.partition(" ")
            if not dots or dots.strip("."):
                continue
            del path[len(dots) - 1:]
            path.append(name)
            if pathlib.PurePath(name).name in spared and "/c++/" in name:
                ours = [part for part in path if part.startswith(str(include))]
                yield f"{header}: reads <{pathlib.PurePath(name).name}> by {pathlib.Path(ours[-1]).relative_to(include)}"


if __name__ == "__main__":
    sys.exit(source_files.report(complaints(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "clang++-19")))
