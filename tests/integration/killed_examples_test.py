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

KILLS = 4
PATIENCE = 300  # Seconds for one training; reached by one that hangs.


def newest(folder):
    return max(folder.glob("step-*.safetensors"), default=None)


def run(command, folder, checkpoints, seconds):
    """Kills the program so many seconds after it has written so many checkpoints more (None: lets it end).

    What it printed, and its exit status.
    """
    seen = newest(folder)
    with subprocess.Popen([*command, "--output", str(folder)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace") as process:
        if checkpoints is not None:
            end = time.monotonic() + PATIENCE
            while checkpoints and process.poll() is None and time.monotonic() < end:
                if newest(folder) != seen:
                    seen = newest(folder)
                    checkpoints -= 1
                time.sleep(0.001)
            time.sleep(seconds)
            process.kill()  # Says nothing to a program that has ended.
        return process.communicate(timeout=PATIENCE)[0], process.returncode


def main(seed, *command):
    chance = random.Random(int(seed))
    with tempfile.TemporaryDirectory() as work:
        whole, parts = pathlib.Path(work) / "whole", pathlib.Path(work) / "parts"
        begin = time.monotonic()
        expected = subprocess.run([*command, "--output", str(whole)], check=True, capture_output=True, text=True,
                                  errors="replace", timeout=PATIENCE).stdout
        duration = time.monotonic() - begin
        parts.mkdir()
        kills = resumed = 0
        for turn in range(KILLS + 1):
            # The first one is killed while it starts, the last one not at all. What is waited for is
            # what the training has done, and not a time: machines change how fast they are.
            output, code = run(command, parts, min(turn, 1) if turn < KILLS else None,
                               chance.uniform(0, 0.03 * duration))
            resumed += "goes on from" in output
            kills += code == -9
            assert code in (-9, 0), f"ended with {code}: {output}"
            if code == 0:
                break
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
