#!/usr/bin/env python3
"""Runs the analysis of shapes over sources of the project, in which no operation fails whenever it runs.

Usage: check_project.py BUILD [--only PATTERN] [--plugin FILE] [--jobs N]
  BUILD  a configured build folder, with compile_commands.json; its precompiled headers need not be built
  --only PATTERN  a regular expression for the paths of sources
Exits with 1 and the messages, if anything is reported, or a source does not compile, which then has not been analysed.
Cost: seconds a source.
"""
import argparse
import concurrent.futures
import json
import pathlib
import re
import shlex
import subprocess
import sys

REPORT = "this fails whenever it runs"


def command_of(entry, plugin):
    """The command of a source with the plugin, for its syntax alone and without precompiled headers."""
    words = shlex.split(entry["command"])
    if words[0].endswith("ccache"):
        words = words[1:]
    kept = []
    skip = 0
    for i, word in enumerate(words):
        if skip:
            skip -= 1
        elif word == "-Xclang" and words[i + 1] in ("-include-pch", "-include"):
            header = words[i + 3]
            if words[i + 1] == "-include" and pathlib.Path(header).exists():
                kept += ["-include", header]
            skip = 3
        elif word in ("-o", "-MF", "-MT"):
            skip = 1
        elif word not in ("-c", "-MD", "-Winvalid-pch") and not word.startswith("-fplugin"):
            kept.append(word)
    return kept + [f"-fplugin={plugin}", "-fplugin-arg-ddx-shapes=warn", "-fplugin-arg-ddx-shapes-steps=100000000", "-D__DDX__=1", "-fsyntax-only", "-Wno-error",
                   "-fno-caret-diagnostics"]


def check(entry, plugin):
    """The source, what is reported of it, its first other error, and all messages."""
    done = subprocess.run(command_of(entry, plugin), capture_output=True, text=True, cwd=entry["directory"])
    reports = [line for line in done.stderr.splitlines() if REPORT in line]
    errors = [line for line in done.stderr.splitlines() if "error: " in line]
    other = "" if done.returncode == 0 else f", exit code {done.returncode}: {(errors or ['no message'])[0]}"
    return entry["file"], reports, other, done.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--only", default="")
    parser.add_argument("--plugin", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    plugin = args.plugin or args.build / "lib/ddx_plugin.so"
    entries = json.loads((args.build / "compile_commands.json").read_text())
    root = pathlib.Path(__file__).resolve().parents[3]
    own = (f"{root}/src/", f"{root}/compiler/", "/src/CMakeFiles/", "/build/compiler/", "cmake_pch")
    entries = [one for one in entries if re.search(args.only, one["file"]) and one["file"].endswith((".cpp", ".cxx")) and
               not any(part in one["file"] for part in own)]
    seen = set()
    entries = [one for one in entries if not (one["file"] in seen or seen.add(one["file"]))]
    failures = unread = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for file, reports, other, output in pool.map(lambda one: check(one, plugin), entries):
            print(f"{file}: {len(reports)} reports{other}", flush=True)
            failures += bool(reports)
            unread += bool(other)
            if reports:
                print(output)
    print(f"{len(entries)} sources, {failures} with reports, {unread} not compiled")
    sys.exit(1 if failures or unread else 0)


if __name__ == "__main__":
    main()
