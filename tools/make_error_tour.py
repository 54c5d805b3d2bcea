#!/usr/bin/env python3
"""Writes docs/guide/errors.md: wrong programs and inputs, each with the message it gets.

Usage: make_error_tour.py ROOT BUILD [--check]
  --check  compare with the page instead of writing it; exit 1 where they differ

A case is a file of tests/error_tour. Its opening comment is a title and an explanation; then
  NN_name.cpp  a program that ddx++ must reject; with a line "// RUN" one that must fail when run;
               with "// RUN-WITH: COMMAND" one that this other compiler must reject
  NN_name.sh   commands after "$ ", run in a folder that has ./quickstart and data/mnist; each that
               calls ./quickstart must exit with status 2
"""
import difflib
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

INTRODUCTION = """# An error tour

This page shows common mistakes in programs and inputs, each with its error message. `tools/make_error_tour.py`
generates it from the files in `tests/error_tour`, and a test keeps it up to date. Lines of headers, and notes that
point into them, are left out of the messages.
"""


class CaseError(Exception):
    """A case that did not fail the way it should."""


class Tour:
    """Runs the cases of one source tree with the programs of one build."""

    def __init__(self, root, build):
        self.root = pathlib.Path(root).resolve()
        self.build = pathlib.Path(build).resolve()
        self.folder = self.root / "tests" / "error_tour"

    def page(self):
        """The text of the page."""
        parts = [INTRODUCTION]
        cases = sorted(path for path in self.folder.iterdir() if path.suffix in (".cpp", ".sh"))
        for number, case in enumerate(cases, 1):
            title, words, options, body = opening(case)
            shown = self.program(case, body, options) if case.suffix == ".cpp" else self.commands(body)
            parts.append(f"## {number}. {title}\n\n{words}\n\n{shown}")
        return "\n".join(parts)

    def program(self, case, body, options):
        """A C++ case: the program, the command, the message."""
        with tempfile.TemporaryDirectory() as scratch:
            # What the page shows is what is compiled, so that the lines of a message fit.
            name = f"{case.stem[3:]}.cpp"
            (pathlib.Path(scratch) / name).write_text(body.strip() + "\n", encoding="utf-8")
            result = f"{scratch}/{case.stem[3:]}"
            compiler = options.get("RUN-WITH", "ddx++")
            words = [str(self.build / "bin" / "ddx++"), "-o", result]
            if "RUN-WITH" in options:
                words = shlex.split(compiler.replace("-I include", f"-I {self.root}/include"))
                words.append("-fsyntax-only")
            elif "RUN" not in options:
                words.append("-c")
            status, message = run([*words, name], scratch)
            command = f"{compiler} {name}"
            if "RUN" in options:
                if status != 0:
                    raise CaseError(f"{case.name}: does not compile\n{message}")
                status, message = run([result], scratch)
                command = f"{command} -o {case.stem[3:]} && ./{case.stem[3:]}"
            message = self.tidy(message, scratch)
        if status == 0:
            raise CaseError(f"{case.name}: was accepted")
        if status < 0 or status > 2:
            raise CaseError(f"{case.name}: exit status {status}\n{message}")
        return f"```c++\n{body.strip()}\n```\n\n```console\n$ {command}\n{message}```\n"

    def commands(self, body):
        """A session of commands with what they print."""
        shown = ""
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            shutil.copytree(self.root / "data" / "mnist", folder / "data" / "mnist")
            program = self.build / "bin" / "05_lenet_mnist"
            (folder / "quickstart").write_text(f'#!/bin/sh\nexec {shlex.quote(str(program))} "$@"\n')
            (folder / "quickstart").chmod(0o755)
            for command in re.findall(r"^\$ (.*)$", body, re.MULTILINE):
                before = set(folder.rglob("*"))
                status, output = run(["bash", "-c", command], folder)
                expected = 2 if command.startswith("./quickstart") else 0
                if status != expected:
                    raise CaseError(f"{command}: exit status {status}, expected {expected}\n{output}")
                if expected == 2 and set(folder.rglob("*")) != before:
                    raise CaseError(f"{command}: left files behind")
                shown += f"$ {command}\n{self.tidy(output, scratch)}"
        return f"```console\n{shown}```\n"

    def tidy(self, message, scratch):
        """A message without the places of one machine, and without what lies in headers.

        A place in a header would change with every change of the header.
        """
        message = message.replace(f"{scratch}/", "")
        message = re.sub(r"[^\s:]*/include/(ddx/)", r"\1", message)
        message = re.sub(r"^In file included from .*\n", "", message, flags=re.MULTILINE)
        excerpt = r"(?: *\d* \|[^\n]*\n)*"
        message = re.sub(rf"^(?:/|ddx/)\S+:[\d:]+ note: [^\n]*\n{excerpt}", "", message,
                         flags=re.MULTILINE)
        message = re.sub(rf"^(ddx/[\w/]+\.h):[\d:]+ (error: [^\n]*\n){excerpt}", r"\1: \2", message,
                         flags=re.MULTILINE)
        return message if message.endswith("\n") or not message else message + "\n"


def opening(case):
    """The title, the explanation, the options and the rest of a case."""
    lines = case.read_text(encoding="utf-8").splitlines(keepends=True)
    mark = "//" if case.suffix == ".cpp" else "#"
    count = next(i for i, line in enumerate(lines) if not line.startswith(mark))
    head = [line[len(mark):].strip() for line in lines[:count]]
    options = {}
    for line in head[1:]:
        if found := re.match(r"(RUN(?:-WITH)?)(?:: (.*))?$", line):
            options[found[1]] = found[2]
    words = [line for line in head[1:] if not re.match(r"RUN\b", line)]
    return head[0], "\n".join(words).strip(), options, "".join(lines[count:])


def run(words, folder):
    """Runs a command; returns (exit status, everything it printed)."""
    done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False, timeout=300, text=True, errors="replace")
    return done.returncode, done.stdout


def main(root, build, check):
    page = pathlib.Path(root) / "docs" / "guide" / "errors.md"
    try:
        made = Tour(root, build).page()
    except CaseError as error:
        print(error)
        return 1
    if not check:
        page.write_text(made, encoding="utf-8")
        return 0
    stored = page.read_text(encoding="utf-8") if page.exists() else ""
    difference = list(difflib.unified_diff(stored.splitlines(), made.splitlines(),
                                           "docs/guide/errors.md", "what is printed now", "", "", 1, ""))
    print("\n".join(difference))
    return 1 if difference else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], "--check" in sys.argv[3:]))
