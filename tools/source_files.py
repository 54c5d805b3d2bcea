"""The files of this repository that the style checks read."""
import pathlib
import re

# Folders that hold sources of this project; everything else at the top is a page or a script.
FOLDERS = ("include", "src", "compiler", "tests", "programs", "examples", "benchmarks", "tools", "cmake", "docs")
# Recorded data is kept as it was published.
DATA = ("benchmarks/data/",)
CODE = (".h", ".cpp", ".def")


def find(root, suffixes=CODE, folders=FOLDERS):
    """Yields the files below the given folders of `root` that end in one of `suffixes`, sorted."""
    for folder in folders:
        for path in sorted((pathlib.Path(root) / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if name.startswith(DATA) or "__pycache__" in path.parts:
                continue
            if path.is_file() and path.suffix in suffixes:
                yield path


def lines(path):
    """Yields (number, text) for each line of a file, from 1."""
    yield from enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)


def without_raw_strings(text):
    """C++ text with the raw strings emptied and the number of lines kept."""
    return re.sub(r'R"(\w*)\(.*?\)\1"', lambda found: '""' + "\n" * found[0].count("\n"), text,
                  flags=re.DOTALL)


def report(complaints):
    """Prints the complaints and returns the exit status: 1 when there is any."""
    complaints = list(complaints)
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0
