#!/usr/bin/env python3
"""Compares what the analysis of shapes reports with what a source says, and with what a run of the source throws.

Usage: check_shapes.py KIND SOURCE --ddx PROGRAM [--library] [--work FOLDER]
  KIND  wrong:  the errors are those of the comments `// error: part of the message`, each in the next line, and each
                ends in the note that says what to do; with --library, each function without parameters that has an error in it
                or in what it calls throws a UsageError when it runs
        right:  nothing is reported, also not as a warning
"""
import argparse
import pathlib
import re
import subprocess
import sys

EXPECTED = re.compile(r"^ *// error: (?P<text>.*)$")
MESSAGE = re.compile(r"^(?P<file>[^\n:]+):(?P<line>\d+):\d+: (?P<level>error|warning): (?P<text>.*)$", re.M)
FUNCTION = re.compile(r"^void (?P<name>\w+)\(\) \{$", re.M)
ADVICE = "note: change one of the shapes"


def run(command):
    return subprocess.run(command, capture_output=True, text=True)


def check_wrong(source, command):
    output = run(command + ["-fsyntax-only", source]).stderr
    reported = {(int(one["line"]), one["text"]) for one in MESSAGE.finditer(output)
                if pathlib.Path(one["file"]).name == source.name}
    complaints = []
    for number, line in enumerate(source.read_text().splitlines(), 1):
        if expected := EXPECTED.search(line):
            found = {one for one in reported if one[0] == number + 1 and expected["text"] in one[1]}
            reported -= found
            if not found:
                complaints.append(f"{source.name}:{number + 1}: not reported: {expected['text']}")
    complaints += [f"{source.name}:{line}: not expected: {text}" for line, text in sorted(reported)]
    if output.count(ADVICE) != len(MESSAGE.findall(output)):
        complaints.append("not every error ends in what to do")
    return complaints, output


def check_run(source, command, work):
    """Complaints about functions that do not throw."""
    names = FUNCTION.findall(source.read_text())
    main = work / f"{source.stem}_main.cpp"
    declarations = "".join(f"void {name}();\n" for name in names)
    calls = "".join(f'  check("{name}", [] {{ {name}(); }});\n' for name in names)
    main.write_text(f"""#include <cstdio>
#include <ddx/core/error.h>
{declarations}int failures = 0;
template <class F>
void check(const char* name, const F& f) {{
  try {{
    f();
    std::printf("%s does not throw\\n", name);
    ++failures;
  }} catch (const ddx::UsageError&) {{
  }}
}}
int main() {{
{calls}  return failures;
}}
""")
    program = work / source.stem
    made = run(command + ["-fddx-shapes=off", source, main, "-o", program])
    if made.returncode != 0:
        return [made.stderr]
    done = run([program])
    return [] if done.returncode == 0 else [done.stdout + done.stderr]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=["wrong", "right"])
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("--ddx", required=True)
    parser.add_argument("--library", action="store_true")
    parser.add_argument("--work", type=pathlib.Path)
    args = parser.parse_args()
    command = [args.ddx, "-fno-caret-diagnostics", "-ferror-limit=0"]
    if args.kind == "wrong":
        complaints, output = check_wrong(args.source, command)
        if not complaints and args.library:
            args.work.mkdir(parents=True, exist_ok=True)
            complaints += check_run(args.source, command, args.work)
    else:
        output = run(command + ["-fsyntax-only", "-Werror", args.source]).stderr
        complaints = ["there are messages"] if output else []
    if complaints:
        print(*complaints, output, sep="\n")
        sys.exit(1)


if __name__ == "__main__":
    main()
