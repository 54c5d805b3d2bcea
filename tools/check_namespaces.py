#!/usr/bin/env python3
"""Fails when a file opens a namespace that its folder does not own (STYLE.md, rule 1).

Usage: check_namespaces.py ROOT
"""
import pathlib
import re
import sys

import source_files

# Folders whose names users write on every line declare straight into ddx.
STRAIGHT = {"core", "ad", "tensor"}
# Specialisations of standard templates (hash, tuple_size) must stand here.
FOREIGN = {"std"}
# Files whose names must be found elsewhere; each says why.
ELSEWHERE = {"include/ddx/nn/pipe.h": {"ddx"}}
# Eigen finds specialisations of its templates in its own namespaces.
for stem in ("assignments", "cholesky", "lu", "product", "triangular_solve", "vector_product"):
    ELSEWHERE[f"include/ddx/eigen/{stem}.h"] = {"Eigen", "Eigen::internal"}
# A replacement for a name of namespace std is found by that name, so it cannot be in ddx::detail.
for stem in ("algorithms/elements", "algorithms/function_objects", "algorithms/reductions", "algorithms/searches",
             "algorithms/sorting", "appending", "byte_copies", "complex_functions", "heaps", "range_algorithms", "rearrangements",
             "map_members", "memory_vectors", "vector_members"):
    ELSEWHERE[f"include/ddx/ad/detail/{stem}.h"] = {"ddx::detail::algorithms"}
OPENED = re.compile(r"^\s*(?:inline\s+)?namespace(?:\s+([A-Za-z_][\w:]*))?\s*\{(?!.*\}\s*$)")
CLOSED = re.compile(r"^\s*\}  // namespace\b")  # The form clang-format keeps.


def owned(folder):
    """The namespaces that the files of one top folder of include/ddx may open."""
    base = "ddx" if folder in STRAIGHT else f"ddx::{folder}"
    return {base, "ddx::detail", base + "::detail"}


def opened(path):
    """Yields (line, qualified name) of each namespace a file opens, unnamed ones left out."""
    around = []
    for number, line in source_files.lines(path):
        found = OPENED.match(line)
        if found:
            around.append(found[1] or "")
            if found[1]:
                yield number, "::".join(name for name in around if name)
        elif CLOSED.match(line) and around:
            around.pop()


def complaints(root):
    root = pathlib.Path(root)
    for library in (root / "include" / "ddx", root / "src", root / "compiler"):
        for path in source_files.find(library, (".h", ".cpp"), ("",)):
            parts = path.relative_to(library).parts
            if library.name == "compiler":
                allowed = {"ddx::compiler", "ddx::compiler::ir", "ddx::compiler::memory", "ddx::compiler::shapes"}
            elif len(parts) == 1:
                allowed = {"ddx"}
            else:
                allowed = owned(parts[0])
                if library.name == "src" and parts[0] in ("backend", "distributed") and len(parts) > 2:
                    allowed.add(f"ddx::{parts[0]}::{parts[1]}")  # A back end is a folder, and so is a transport.
            allowed |= FOREIGN | ELSEWHERE.get(path.relative_to(root).as_posix(), set())
            for number, name in opened(path):
                if name not in allowed:
                    names = ", ".join(sorted(allowed - FOREIGN))
                    yield f"{path}:{number}: opens namespace {name}; this folder owns {names}"


if __name__ == "__main__":
    sys.exit(source_files.report(complaints(sys.argv[1])))
