#!/usr/bin/env python3
"""A training that is killed again and again, at any time, ends with the bits of one that was left alone.

Usage: killed_training_test.py PROGRAM
  PROGRAM  trains with checkpoints in the folder it is given, from the latest one on, and writes final.safetensors
"""
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = str(pathlib.Path(sys.argv.pop()).resolve())
KILLS = 25  # At least so many, while the training runs.


def train(folder):
    """One uninterrupted run; the bytes of its end and how many seconds it took."""
    begin = time.monotonic()
    subprocess.run([PROGRAM, folder], check=True, timeout=120)
    return (folder / "final.safetensors").read_bytes(), time.monotonic() - begin


class KilledTraining(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)

    def folder(self, name):
        folder = pathlib.Path(self.scratch.name) / name
        folder.mkdir()
        return folder

    def killed_run(self, name, whole_seconds, choose):
        """Runs in a folder, killed after times of the generator, until it ends: final bytes, kills, resumptions."""
        folder, kills, resumed = self.folder(name), 0, 0
        newest = None
        while True:
            reached = max(folder.glob("step-*.safetensors"), default=None)
            resumed += reached is not None
            if kills and reached == newest:
                whole_seconds *= 1.5  # The machine has become slower: not even a step was made.
            newest = reached
            process = subprocess.Popen([PROGRAM, folder])
            try:
                code = process.wait(timeout=choose.uniform(0.02, 0.35) * whole_seconds)
            except subprocess.TimeoutExpired:
                process.kill()
                code = process.wait()
            if code == 0:
                return (folder / "final.safetensors").read_bytes(), kills, resumed
            self.assertEqual(code, -signal.SIGKILL)
            kills += 1
            leftovers = len(list(folder.glob(".step-*")))
            self.assertLessEqual(leftovers, 1, "what killed writers leave is removed by the next one")
            self.assertLess(kills, 1000, "the training does not get on")

    def test_the_final_bits_are_those_of_an_uninterrupted_run(self):
        expected, seconds = train(self.folder("whole"))
        self.assertEqual(train(self.folder("again"))[0], expected)
        choose = random.Random(20261122)
        kills = resumed = runs = 0
        while kills < KILLS:
            found, more_kills, more_resumed = self.killed_run(f"killed{runs}", seconds, choose)
            self.assertEqual(found, expected)
            kills, resumed, runs = kills + more_kills, resumed + more_resumed, runs + 1
        self.assertGreater(resumed, KILLS // 4, "too few of the killed runs had reached a checkpoint")
        print(f"{kills} kills in {runs} runs, {resumed} resumptions from a checkpoint; a whole run takes {seconds:.2f} s")


if __name__ == "__main__":
    unittest.main()
