#!/usr/bin/env python3
"""Where the time of a clean build and of the tests goes.

Usage: build_report.py ROOT FOLDER [--headers] [--no-tests] [--json FILE]
  FOLDER      a folder without a build: built from scratch, without a compiler cache
  --headers   also the headers by inclusive time (-ftime-trace; the build takes some percent longer)
  --no-tests  builds only

Prints processor seconds by target, the 50 dearest sources, the links, the tests by label and the 30
slowest tests. Processor seconds are the compiler's own, user and system, children included.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent


def build(root, folder, headers):
    """Builds everything; returns the rows of the log and the wall seconds."""
    log = folder / "build_times.log"
    folder.mkdir(parents=True, exist_ok=True)
    timed = f"{sys.executable};-B;{HERE / 'timed_command.py'};{log}"
    options = [f"-DCMAKE_CXX_COMPILER_LAUNCHER={timed}", f"-DCMAKE_CXX_LINKER_LAUNCHER={timed}", "-DDDX_USE_CCACHE=OFF"]
    if headers:
        options.append("-DCMAKE_CXX_FLAGS=-ftime-trace")
    began = time.monotonic()
    subprocess.run(["cmake", "--preset", "release", "-B", folder, *options], cwd=root, check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", folder, "-j", str(os.cpu_count()), "--quiet"], check=True)
    wall = time.monotonic() - began
    rows = []
    for line in log.read_text().splitlines():
        seconds, _, peak, output = line.split("\t")
        rows.append({"seconds": float(seconds), "peak_mb": int(peak) // 1024, "output": output})
    return rows, wall


def target_of(output):
    """The target that an object or a precompiled header belongs to; None for what is linked."""
    found = re.search(r"CMakeFiles/([^/]+)\.dir/", output)
    return found[1] if found else None


def table(title, rows, most=None):
    print(f"\n{title}")
    for name, seconds, *more in sorted(rows, key=lambda row: -row[1])[:most]:
        print(f"{seconds:>9.1f}  {name}" + "".join(f"  {text}" for text in more))


def header_times(folder):
    """Seconds by header, what it includes counted with it, over all sources."""
    sums, counts = collections.Counter(), collections.Counter()
    for trace in folder.rglob("*.json"):
        if ".dir/" not in trace.as_posix():
            continue
        try:
            events = json.loads(trace.read_text())["traceEvents"]
        except (KeyError, TypeError, json.JSONDecodeError):
            continue
        for event in events:
            if event.get("name") == "Source" and event.get("ph") == "X":
                name = os.path.normpath(event["args"]["detail"])
                sums[name] += event["dur"] / 1e6
                counts[name] += 1
    return [(name, seconds, f"({counts[name]} times)") for name, seconds in sums.items()]


def test_times(root, folder):
    """(label, seconds, name) of each test, and the wall seconds of all."""
    results = folder / "tests.xml"
    began = time.monotonic()
    subprocess.run(["ctest", "--test-dir", folder, "--parallel", str(os.cpu_count()), "--output-junit", results], cwd=root,
                   check=False, stdout=subprocess.DEVNULL)
    wall = time.monotonic() - began
    labels = {}
    listed = json.loads(subprocess.run(["ctest", "--test-dir", folder, "--show-only=json-v1"], capture_output=True, text=True,
                                       check=True).stdout)
    for test in listed["tests"]:
        named = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
        labels[test["name"]] = ",".join(named.get("LABELS", ["none"]))
    rows = []
    for case in xml.etree.ElementTree.parse(results).getroot().iter("testcase"):
        rows.append((labels.get(case.get("name"), "none"), float(case.get("time", 0)), case.get("name"), case.get("status")))
    return rows, wall


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--headers", action="store_true")
    parser.add_argument("--no-tests", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    if (arguments.folder / "build.ninja").exists():
        sys.exit(f"build_report: folder '{arguments.folder}' has a build; a clean one needs a new folder")

    rows, wall = build(arguments.root, arguments.folder.resolve(), arguments.headers)
    by_target, sizes, links = collections.Counter(), collections.Counter(), []
    for row in rows:
        target = target_of(row["output"])
        if target is None:
            links.append((row["output"], row["seconds"]))
        else:
            by_target[target] += row["seconds"]
            sizes[target] += 1
    total = sum(row["seconds"] for row in rows)
    print(f"build: {total:.0f} processor s, {wall:.0f} s on {os.cpu_count()} processors, {len(rows)} commands")
    table("processor s by target (objects)", [(name, s, f"({sizes[name]})") for name, s in by_target.items()])
    compiled = [row for row in rows if target_of(row["output"])]
    table("the 50 dearest sources (peak MB)", [(row["output"], row["seconds"], str(row["peak_mb"])) for row in compiled], 50)
    table(f"links: {len(links)}, {sum(seconds for _, seconds in links):.1f} s; the dearest", links, 10)
    if arguments.headers:
        table("headers by inclusive s over all sources", header_times(arguments.folder), 50)
    measured = [{"name": f"build_{name}", "seconds": seconds} for name, seconds in by_target.items()]
    measured.append({"name": "build", "seconds": total, "wall_seconds": wall})

    failed = 0
    if not arguments.no_tests:
        tests, test_wall = test_times(arguments.root, arguments.folder)
        by_label, entries = collections.Counter(), collections.Counter()
        for label, seconds, _, status in tests:
            by_label[label] += seconds
            entries[label] += 1
            failed += status == "fail"
        print(f"\ntests: {test_wall:.0f} s, {len(tests)} entries, {failed} failed")
        table("wall s by label, summed over tests (entries)", [(name, s, f"({entries[name]})") for name, s in by_label.items()])
        table("the 30 slowest tests", [(name, seconds) for _, seconds, name, _ in tests], 30)
        measured += [{"name": f"tests_{name}", "seconds": seconds} for name, seconds in by_label.items()]
    if arguments.json:
        arguments.json.write_text(json.dumps(measured, indent=2) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
