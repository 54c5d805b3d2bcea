#!/usr/bin/env python3
"""Writes the first images of MNIST as a data set of its own, uncompressed.

Usage: make_small_mnist.py FROM TO TRAINING TEST
  FROM, TO        folders of the four IDX files
  TRAINING, TEST  how many images to take
"""
import gzip
import pathlib
import sys


def main(source, target, training, test):
    target = pathlib.Path(target)
    target.mkdir(parents=True, exist_ok=True)
    for prefix, count in [("train", int(training)), ("t10k", int(test))]:
        for name, header, size in [("images-idx3", 16, 28 * 28), ("labels-idx1", 8, 1)]:
            name = f"{prefix}-{name}-ubyte"
            content = gzip.decompress((pathlib.Path(source) / f"{name}.gz").read_bytes())
            # The number of images stands behind the magic number.
            small = content[:4] + count.to_bytes(4, "big") + content[8:header + count * size]
            (target / name).write_bytes(small)


if __name__ == "__main__":
    main(*sys.argv[1:])
