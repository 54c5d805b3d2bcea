#!/usr/bin/env python3
"""Records numpy/*: arrays as NumPy writes them, for the tests of io/npy.h and io/npz.h.

Usage: make_numpy_files.py
Needs numpy 2.4. Each array of shape [2, 3, 4] holds 0, 1, ... 23 less 5 (i4, i8, f4, f8), plus 200 (u1), or whether
the number is a multiple of 3 (b1).
"""
import pathlib

import numpy as np

FOLDER = pathlib.Path(__file__).parent / "numpy"
COUNT = np.arange(24).reshape(2, 3, 4)
VALUES = {"f4": COUNT - 5, "f8": COUNT - 5, "i4": COUNT - 5, "i8": COUNT - 5, "u1": COUNT + 200, "b1": COUNT % 3 == 0}


def main():
    FOLDER.mkdir(exist_ok=True)
    for name, values in VALUES.items():
        for byte_order, sign in (("little", "<"), ("big", ">")):
            for order, letter in (("rows", "C"), ("columns", "F")):
                array = np.asarray(values, dtype=sign + name, order=letter)
                np.save(FOLDER / f"{name}_{byte_order}_{order}.npy", array)
    np.save(FOLDER / "scalar.npy", np.float64(2.5))
    np.save(FOLDER / "empty.npy", np.zeros((0, 3), np.float32))
    np.save(FOLDER / "vector.npy", np.asarray([1, 2, 3], np.int32))
    for version in (1, 2, 3):
        with open(FOLDER / f"version{version}.npy", "wb") as file:
            np.lib.format.write_array(file, np.asarray([[1, 2], [3, 4]], np.int64), version=(version, 0))
    np.save(FOLDER / "complex.npy", np.asarray([1j], np.complex64))
    np.save(FOLDER / "text.npy", np.asarray(["a"]))
    np.save(FOLDER / "records.npy", np.zeros(2, dtype=[("a", "<f4"), ("b", "<i4")]))
    # What ddx has no dtype for, beside what it has.
    np.savez(FOLDER / "with_others.npz", w=np.array([1.5, 2.5], dtype="<f4"), name=np.array("model"),
             object=np.array([None]), records=np.zeros(1, dtype=[("a", "<i4"), ("b", "<f8", (2,))]))
    for function, file in ((np.savez, "plain.npz"), (np.savez_compressed, "packed.npz")):
        function(FOLDER / file, **{"weight": VALUES["f4"].astype("<f4"), "layer/bias": np.asarray([0.5, -1.0]),
                                   "steps": np.int64(7), "ones": np.ones((40, 25), np.float32)})


if __name__ == "__main__":
    main()
