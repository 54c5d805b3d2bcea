#!/usr/bin/env python3
"""Compiles one source with a plugin and compares what happens with what the source says.

Usage: check.py KIND SOURCE --clang PROGRAM --plugin FILE --include FOLDER --filecheck PROGRAM --work FOLDER
                [--header FILE] [--library FILE]
  --header FILE  ddx/ad.h, precompiled with the options that all sources have in common: taken for
                 sources without options of their own. KIND `header` makes it.
  --library FILE  what programs of KIND `run` are linked with
  KIND  diagnostics: clang -verify finds every message it expects and no other
        run:         at -O0 and at -O2 the program compiles without a message and exits with 0
        print:       what the compiler prints passes FileCheck
        accepted:    with ACCEPTED defined, it compiles without a message
        header:      SOURCE is precompiled to the file of --header
A first line "// RUN-FLAGS: ..." adds options.
"""
import argparse
import pathlib
import shlex
import subprocess
import sys


def flags_of(source):
    first = source.read_text().split("\n", 1)[0]
    marker = "// RUN-FLAGS:"
    return shlex.split(first[len(marker):]) if first.startswith(marker) else []


def takes_header(source, flags):
    """True where the precompiled ddx/ad.h replaces the first include: nothing comes before it."""
    directives = [line for line in source.read_text().splitlines() if line.startswith("#")]
    return not flags and directives[:1] in (["#include <ddx/ad.h>"], ['#include "ddx/ad.h"'])


def call(command, **options):
    """Runs `command`; on failure shows it with its output and ends the test."""
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        print(shlex.join(map(str, command)), f"exit code {done.returncode}", done.stdout, done.stderr, sep="\n")
        sys.exit(1)
    return done


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=["diagnostics", "run", "print", "accepted", "header"])
    parser.add_argument("source", type=pathlib.Path)
    for option in ("clang", "plugin", "include", "filecheck", "work"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--header", type=pathlib.Path)
    parser.add_argument("--library", type=pathlib.Path)
    args = parser.parse_args()

    work = pathlib.Path(args.work)
    work.mkdir(parents=True, exist_ok=True)
    compiler = [args.clang, "-std=c++20", f"-fplugin={args.plugin}", "-D__DDX__=1", f"-I{args.include}"]
    if args.kind == "header":
        call(compiler + ["-x", "c++-header", args.source, "-o", args.header])
        return
    flags = flags_of(args.source)
    if args.header and takes_header(args.source, flags):
        flags = ["-include-pch", args.header]
    if args.kind in ("diagnostics", "accepted"):
        # Else what is not promoted is differentiated through memory. A source may choose so.
        compiler.append("-fplugin-arg-ddx-promote=all")
    compiler += flags
    if args.kind == "diagnostics":
        call(compiler + ["-fsyntax-only", "-Xclang", "-verify", args.source])
    elif args.kind == "accepted":
        call(compiler + ["-fsyntax-only", "-DACCEPTED", "-Werror", args.source])
    elif args.kind == "run":
        for level in ("-O0", "-O2"):
            program = work / f"program{level}"
            libraries = [args.library] if args.library else []
            call(compiler + ["-Wall", "-Wextra", "-Werror", level, args.source, *libraries, "-o", program])
            call([program])
    else:
        printed = call(compiler + ["-fsyntax-only", args.source]).stdout
        call([args.filecheck, args.source, "--dump-input=fail"], input=printed)


if __name__ == "__main__":
    main()
