#!/usr/bin/env python3
"""Arrays that NumPy wrote, through ddx, back to NumPy. Skipped without NumPy.

Usage: numpy_exchange_test.py PROGRAM
  PROGRAM  reads the files of one folder and writes them into another, in several forms
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: the Python package numpy is not installed")
    sys.exit(77)

PROGRAM = str(pathlib.Path(sys.argv.pop()).resolve())
SKIPPED = 77
SHAPES = [(), (0,), (1,), (7,), (3, 5), (2, 0, 4), (2, 3, 4, 5), (1, 2, 1, 3, 1, 2, 1, 2)]
DTYPES = ["f4", "f8", "i4", "i8", "u1", "b1"]


class NumpyExchange(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.source, self.target = (pathlib.Path(self.scratch.name) / name for name in ("from", "to"))
        self.source.mkdir()
        self.target.mkdir()

    def test_arrays_come_back(self):
        random = np.random.default_rng(20261122)
        arrays = {}
        for dtype in DTYPES:
            for i, shape in enumerate(SHAPES):
                values = random.integers(0, 2 if dtype == "b1" else 100, shape)
                arrays[f"{dtype}_{i}"] = np.asarray(values).astype(dtype)
        for i, (name, array) in enumerate(arrays.items()):
            order = "CF"[i % 2]
            np.save(self.source / f"{name}.npy", np.asarray(array, dtype=array.dtype.newbyteorder("<>"[i // 2 % 2]), order=order))
        np.savez(self.source / "all.npz", **arrays)
        np.savez_compressed(self.source / "some.npz", **{name: array for name, array in arrays.items() if "f" in name})
        code = subprocess.run([PROGRAM, self.source, self.target], timeout=60).returncode
        if code == SKIPPED:
            self.skipTest("ddx was built without libzip")
        self.assertEqual(code, 0)
        for name, array in arrays.items():
            for form in ("rows", "columns"):
                self.compare(array, np.load(self.target / f"{name}_{form}.npy"))
        for archive, names in (("all", list(arrays)), ("some", [name for name in arrays if "f" in name])):
            for form in ("plain", "packed"):
                with np.load(self.target / f"{archive}_{form}.npz") as found:
                    self.assertEqual(sorted(found.files), sorted(names))
                    for name in names:
                        self.compare(arrays[name], found[name])

    def compare(self, expected, found):
        self.assertEqual(found.dtype.newbyteorder("="), expected.dtype)
        self.assertEqual(found.shape, expected.shape)
        self.assertTrue(np.array_equal(found, expected))


if __name__ == "__main__":
    unittest.main()
