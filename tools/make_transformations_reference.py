#!/usr/bin/env python3
"""Writes docs/reference/transformations.md: what each transformation makes of what each other one has made.

Usage: make_transformations_reference.py ROOT [--check]
  --check  compare with the page instead of writing it; exit 1 where they differ

The cells are those of tests/transformations/cells.def, of which the program `transformations` tests each that compiles.
A pair that is missing or occurs twice is an error, and so is a refusal that no test of diagnostics names.
"""
import pathlib
import re
import sys

INTRODUCTION = """# Transformations of functions of tensors

A transformation makes a function of a function, and the result can be transformed again. Each row is the outer
transformation, each column the inner one: row `vmap`, column `hvp` is `vmap` of a function that calls `hvp`, the
products with the Hessian of many examples.

- **right**: compared with formulas, or with differences of formulas, in f64 on the devices naive, cpu and lazy. Where a
  column or row is `shard`, the mesh has two devices of XLA.
- A number refers to the errors below the table.

`tools/make_transformations_reference.py` generates the page from `tests/transformations/cells.def`, which the program
`transformations` tests (`./test -R transformations`). It also tests `vmap` over models, `compile` of `vmap` of `hvp` of
`scan`, and gradients of `vmap` by arguments and captures that all examples share.

`graph` has no column: what it returns is a graph, which is no function of tensors."""

NAMES = ["Compile", "Graph", "Vmap", "Gradient", "Jvp", "Hvp", "Scan", "Checkpointed", "Shard"]


def fail(text):
    sys.exit(f"make_transformations_reference: {text}")


def cells_of(root):
    """(outer, inner) -> None where it is right, else the error."""
    text = (root / "tests/transformations/cells.def").read_text()
    rows = re.findall(r"^DDX_(RIGHT|THROWS|REFUSED)\((\w+), (\w+)(?:, (.*))?\)$", text, re.M)
    if len(rows) != len(re.findall(r"^DDX_", text, re.M)):
        fail("cells.def has a row of another form")
    cells = {}
    for kind, outer, inner, about in rows:
        if (outer, inner) in cells or outer not in NAMES or inner not in NAMES:
            fail(f"{outer} of {inner} is there twice, or unknown")
        cells[outer, inner] = (None if kind == "RIGHT" else ("at run time, on devices that record: " + about.strip('"'))
                               if kind == "THROWS" else "at compile time: " + refusal(root, about))
    missing = [f"{o} of {i}" for o in NAMES for i in NAMES if i != "Graph" and (o, i) not in cells]
    if missing:
        fail("missing: " + ", ".join(missing))
    return cells


def refusal(root, name):
    """The text of a message of the compiler, which a test must expect."""
    text = (root / "compiler/diagnostics/diagnostics.def").read_text()
    found = re.search(rf'DDX_DIAGNOSTIC\({name}, Error,\s*"(.*)",\s*"(.*)"\)', text)
    if not found:
        fail(f"there is no message {name}")
    fixed = max(re.split("%0|cannot differentiate: ", found[1]), key=len).strip("', ")
    tests = (path.read_text() for path in (root / "tests/compiler/diagnostics").glob("*.cpp"))
    if not any(fixed in test for test in tests):
        fail(f"no test of diagnostics expects '{fixed}'")
    return f"{found[1].replace('%0', '...')}; {found[2]}"


def page(cells):
    columns = [name for name in NAMES if name != "Graph"]
    lines = [INTRODUCTION, "", "| outer, inner | " + " | ".join(f"`{c.lower()}`" for c in columns) + " |",
             "|---|" + "---|" * len(columns)]
    errors = []
    for outer in NAMES:
        shown = []
        for inner in columns:
            error = cells[outer, inner]
            if error and error not in errors:
                errors.append(error)
            shown.append(f"error {errors.index(error) + 1}" if error else "right")
        lines.append(f"| `{outer.lower()}` | " + " | ".join(shown) + " |")
    lines += ["", "| error | text |", "|---|---|"]
    lines += [f"| {number} | {error} |" for number, error in enumerate(errors, 1)]
    return "\n".join(lines) + "\n"


def main():
    root = pathlib.Path(sys.argv[1])
    stored = root / "docs/reference/transformations.md"
    text = page(cells_of(root))
    if sys.argv[2:] == ["--check"]:
        if not stored.exists() or stored.read_text() != text:
            fail("docs/reference/transformations.md is not that of cells.def: run tools/make_transformations_reference.py .")
    else:
        stored.write_text(text)


if __name__ == "__main__":
    main()
