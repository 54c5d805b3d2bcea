#!/usr/bin/env python3
"""Compiles one source with a plugin and compares what happens with what the source says.

Usage: check.py KIND SOURCE --clang PROGRAM --plugin FILE --include FOLDER --filecheck PROGRAM --work FOLDER
                [--header FILE] [--library FILE]
  --header FILE  ddx/ad.h, precompiled with the options that all sources have in common: taken for
                 sources without options of their own. KIND `header` makes it.
  --library FILE  what programs of KIND `run` are linked with
  KIND  diagnostics: the compiler prints every message that the source expects, and no other; each error and each
                     warning ends in the note that says what to do, as compiler/diagnostics/diagnostics.def has it
        run:         at -O0 and at -O2 the program compiles without a message and exits with 0
        print:       what the compiler prints passes FileCheck
        ir:          the LLVM IR passes FileCheck
        accepted:    with ACCEPTED defined, it compiles without a message
        header:      SOURCE is precompiled to the file of --header
A first line "// RUN-FLAGS: ..." adds options.

Expectations are written as for clang -verify: `expected-error@+1 2 {{part of the text}}` expects two errors in the next
line with that part; `@N` and `@FILE:*` name a line and a file (with any line), and `@+1:5` a column as well.
"""
import argparse
import pathlib
import re
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


EXPECTED = re.compile(r"expected-(?P<level>error|warning|note|remark)(?:@(?P<at>[^\s{]+))?\s*(?P<count>\d[\d+-]*)?\s*"
                      r"\{\{(?P<text>.*?)\}\}")
MESSAGE = re.compile(r"^(?:(?P<file>[^\n:]+):(?P<line>\d+):(?P<column>\d+): )?(?:fatal )?"
                     r"(?P<level>error|warning|note|remark): (?P<text>.*)$", re.M)
ROW = re.compile(r'DDX_DIAGNOSTIC\(\w+, (?P<level>Error|Warning),\s*"(?P<text>(?:[^"\\]|\\.)*)",\s*'
                 r'"(?P<advice>(?:[^"\\]|\\.)*)"\)')


def rows():
    """The errors and warnings of the compiler: patterns of their texts, and what to do."""
    definitions = pathlib.Path(__file__).parents[2] / "compiler/diagnostics/diagnostics.def"
    for row in ROW.finditer(definitions.read_text()):
        text = row["text"].removeprefix("cannot differentiate").replace('\\"', '"')
        parts = re.split(r"%(?:select\{[^}]*\})?q?\d", text)
        yield re.compile("^(cannot differentiate|not promoted)?" + ".*".join(map(re.escape, parts)) + "$"), row["advice"]


def expectations(source):
    """What the source expects, once for each time: (level, file, line or None, column or None, text, whether it must be
    printed)."""
    for number, line in enumerate(source.read_text().splitlines(), 1):
        for found in EXPECTED.finditer(line):
            file, at = source.name, found["at"] or "+0"
            column = None
            if ":" in at and at[0] in "+-0123456789":
                at, column = at.split(":")
            elif ":" in at:
                file, at = at.split(":")
            where = None if at == "*" else number + int(at) if at[0] in "+-" else int(at)
            least, _, most = (found["count"] or "1").partition("-")
            if least.endswith("+"):
                least, most = least[:-1], "100"
            for i in range(int(most or least)):
                yield found["level"], file, where, column and int(column), found["text"], i < int(least)


def compare(source, output):
    """Complaints about the messages in `output`."""
    known = list(rows())
    wanted = list(expectations(source))
    complaints = []
    advice = []  # What the last error or warning must end in: any of these, where several rows may have made it.
    for message in list(MESSAGE.finditer(output)) + [None]:
        if message and message["level"] == "note" and message["text"] in advice:
            advice = []
            continue
        if advice and (not message or message["level"] != "note"):
            complaints.append(f"no note of what to do: {advice[0]}")
        if not message:
            break
        if message["level"] != "note":
            advice = [note for text, note in known if text.match(message["text"])]
        file = pathlib.Path(message["file"] or "").name
        line, column = int(message["line"] or 0), int(message["column"] or 0)
        fitting = [one for one in wanted if one[0] == message["level"] and pathlib.Path(one[1]).name in (file, "*") and
                   one[2] in (None, line) and one[3] in (None, column) and one[4] in message["text"]]
        if fitting:
            wanted.remove(fitting[0])
        else:
            complaints.append(f"not expected: {message[0]}")
    return complaints + [f"not printed: {one[:5]}" for one in wanted if one[5]]


def check_messages(command, source):
    done = subprocess.run(command, capture_output=True, text=True)
    complaints = compare(source, done.stderr)
    if complaints:
        print(shlex.join(map(str, command)), done.stderr, *complaints, sep="\n")
        sys.exit(1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=["diagnostics", "run", "print", "ir", "accepted", "header"])
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
        # What goes through memory is seen where code is generated.
        output = ["-S", "-o", "/dev/null"] if "-fplugin-arg-ddx-promote=auto" in flags else ["-fsyntax-only"]
        check_messages(compiler + output + ["-fno-caret-diagnostics", "-fno-diagnostics-show-option",
                                            "-ferror-limit=0", args.source], args.source)
    elif args.kind == "accepted":
        call(compiler + ["-fsyntax-only", "-DACCEPTED", "-Werror", args.source])
    elif args.kind == "run":
        for level in ("-O0", "-O2"):
            program = work / f"program{level}"
            libraries = [args.library] if args.library else []
            call(compiler + ["-Wall", "-Wextra", "-Werror", level, args.source, *libraries, "-o", program])
            call([program])
    else:
        output = ["-S", "-emit-llvm", "-o", "-"] if args.kind == "ir" else ["-fsyntax-only"]
        printed = call(compiler + output + [args.source]).stdout
        call([args.filecheck, args.source, "--dump-input=fail"], input=printed)


if __name__ == "__main__":
    main()
