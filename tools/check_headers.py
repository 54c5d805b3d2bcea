#!/usr/bin/env python3
"""Fails when a public header does not compile alone, included twice (STYLE.md, rule 3).

Usage: check_headers.py ROOT CACHE [COMPILER [--without-details]]
  --without-details  leaves out the headers in folders named detail, which users do not include
  CACHE  folder for what was found last time: a header is compiled again only when it, or a file it
         includes, has changed

Only include/ is on the path, so a header that leans on src/, on Clang or on a library that is no
part of the interface fails here; optional headers have their library too, where it is installed. The headers of the standard library that many include are
precompiled: whether each is included is for check_includes.py to say.
"""
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

import source_files

FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
MANY = 25  # headers
# Where the library of an optional header is, and which headers need it.
EIGEN = pathlib.Path("/usr/include/eigen3")
EIGEN_HEADERS = re.compile(r"ddx/eigen[./]")


def is_current(stamp):
    """True when everything the header was compiled from is older than its stamp."""
    try:
        made = stamp.stat().st_mtime
        return all(os.stat(name).st_mtime < made for name in stamp.read_text().splitlines())
    except FileNotFoundError:
        return False


def precompiled(compiler, include, cache):
    """Makes one precompiled header of what many public headers include of the standard library.

    Of all that any of them includes, to load it would take longer than most headers.
    """
    names = collections.Counter()
    for header in source_files.find(include, (".h",), ("ddx",)):
        names.update(set(re.findall(r"^#include (<[a-z_]+>)$", header.read_text(encoding="utf-8"), re.M)))
    names = [name for name, count in names.items() if count >= MANY]
    source = cache / "standard_library.h"
    text = "".join(f"#include {name}\n" for name in sorted(names))
    made = cache / "standard_library.pch"
    if not made.exists() or not source.exists() or source.read_text() != text:
        source.write_text(text)
        subprocess.run([compiler, *FLAGS, "-x", "c++-header", str(source), "-o", str(made)], check=True)
    return made


def failure(compiler, include, header, stamp, standard_library):
    """Compiles one header twice over; returns the compiler's complaint, or None."""
    if is_current(stamp):
        return None
    name = header.relative_to(include)
    optional = ["-isystem", str(EIGEN)] if EIGEN_HEADERS.match(name.as_posix()) else []
    if optional and not EIGEN.exists():
        return None
    depends = stamp.with_suffix(".d")
    run = subprocess.run(
        [compiler, *FLAGS, "-fsyntax-only", "-include-pch", str(standard_library), "-I", str(include), *optional,
         "-MMD", "-MF", str(depends), "-x", "c++", "-"],
        input=f'#include "{name}"\n#include "{name}"\n', capture_output=True, text=True, check=False)
    if run.returncode != 0:
        return f"{header}: does not compile alone\n{run.stderr}"
    used = [word for word in depends.read_text().split() if word not in ("\\", "-.o:", "-")]
    stamp.write_text("\n".join(word for word in used if not word.endswith(":")))
    return None


def complaints(root, cache, compiler, with_details):
    include = pathlib.Path(root) / "include"
    cache = pathlib.Path(cache)
    cache.mkdir(parents=True, exist_ok=True)
    standard_library = precompiled(compiler, include, cache)
    headers = [header for header in source_files.find(include, (".h",), ("ddx",))
               if with_details or "detail" not in header.parts]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        stamps = [cache / "-".join(header.relative_to(include).parts) for header in headers]
        results = pool.map(lambda pair: failure(compiler, include, *pair, standard_library),
                           zip(headers, stamps))
        yield from (result for result in results if result)


if __name__ == "__main__":
    COMPILER = sys.argv[3] if len(sys.argv) > 3 else "clang++-19"
    sys.exit(source_files.report(complaints(sys.argv[1], sys.argv[2], COMPILER, "--without-details" not in sys.argv)))
