#!/usr/bin/env python3
"""A training on the lazy device prints for every epoch what it prints on the cpu device, to the last digit.

Usage: lazy_examples_test.py PROGRAM ARGUMENT...
  PROGRAM  trains on the device after --device, and writes history.csv into the folder after --output
"""
import pathlib
import subprocess
import sys
import tempfile


def history(command, device, folder):
    subprocess.run([*command, "--device", device, "--output", str(folder)], check=True, stdout=subprocess.DEVNULL,
                   timeout=300)
    return (folder / "history.csv").read_text()


def main(*command):
    with tempfile.TemporaryDirectory() as work:
        expected, found = (history(command, device, pathlib.Path(work) / device) for device in ("cpu", "lazy"))
    assert len(expected.splitlines()) > 2, f"hardly an epoch: {expected}"
    assert found == expected, f"{found}\nnot\n{expected}"


if __name__ == "__main__":
    main(*sys.argv[1:])
