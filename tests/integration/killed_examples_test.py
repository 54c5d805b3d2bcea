#!/usr/bin/env python3
"""Kills a training again and again; what it ends with must be what an undisturbed one ends with, bit for bit.

Usage: killed_examples_test.py SEED PROGRAM ARGUMENT...
  SEED      decides when the program is killed
  PROGRAM   writes checkpoints, named by their step, into the folder after --output, goes on from the newest, and
            says so: "goes on from"
"""
import pathlib
import random
import subprocess
import sys
import tempfile
import time


def newest(folder):
    return max(folder.glob("step-*.safetensors"), default=None)


def main(seed, *command):
    chance = random.Random(int(seed))
    with tempfile.TemporaryDirectory() as work:
        whole, parts = pathlib.Path(work) / "whole", pathlib.Path(work) / "parts"
        begin = time.monotonic()
        expected = subprocess.run([*command, "--output", str(whole)], check=True, capture_output=True, text=True,
                                  errors="replace").stdout
        duration = time.monotonic() - begin
        kills = resumed = 0
        while True:
            with subprocess.Popen([*command, "--output", str(parts)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, errors="replace") as process:
                # Later kills come later, so that the training ends some time.
                try:
                    output = process.communicate(timeout=chance.uniform(0, duration * (0.3 + 0.1 * kills)))[0]
                except subprocess.TimeoutExpired:
                    process.kill()
                    output = process.communicate()[0]
                    kills += 1
            resumed += "goes on from" in output
            if process.returncode == 0:
                break
            assert process.returncode == -9, f"ended with {process.returncode}: {output}"
        print(f"killed {kills} times, resumed {resumed} times in {duration:.1f} s of training")
        assert kills >= 2 and resumed >= 1, "was not killed often enough to tell anything"
        assert newest(whole).name == newest(parts).name, f"{newest(whole)} and {newest(parts)}"
        assert newest(whole).read_bytes() == newest(parts).read_bytes(), "the last checkpoints differ"
        assert expected.splitlines()[-1] == output.splitlines()[-1], f"{expected}\n{output}"
        left = [file.name for file in parts.iterdir() if ".safetensors" in file.name and file.name not in
                {other.name for other in whole.iterdir()}]
        assert not left, f"left behind: {left}"


if __name__ == "__main__":
    main(*sys.argv[1:])
