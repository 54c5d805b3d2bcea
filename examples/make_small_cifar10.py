#!/usr/bin/env python3
"""Writes the first images of MNIST, each digit in a colour of its own, in the form of CIFAR-10.

Usage: make_small_cifar10.py FROM TO TRAINING TEST
  FROM            folder of the four IDX files
  TO              folder for data_batch_1.bin and test_batch.bin
  TRAINING, TEST  how many images to take
"""
import gzip
import pathlib
import random
import sys


def record(label, pixels, chance):
    """Label, then 32 by 32 points in red, in green and in blue."""
    planes = bytes([label])
    for strength in (chance.uniform(0.4, 1) for _ in range(3)):
        rows = [bytes(int(strength * point) for point in pixels[28 * y:28 * y + 28]) for y in range(28)]
        planes += bytes(64) + b"".join(bytes(2) + row + bytes(2) for row in rows) + bytes(64)
    return planes


def main(source, target, training, test):
    chance = random.Random(1)
    target = pathlib.Path(target)
    target.mkdir(parents=True, exist_ok=True)
    for prefix, name, count in [("train", "data_batch_1", int(training)), ("t10k", "test_batch", int(test))]:
        images, labels = (gzip.decompress((pathlib.Path(source) / f"{prefix}-{kind}-ubyte.gz").read_bytes())
                          for kind in ("images-idx3", "labels-idx1"))
        (target / f"{name}.bin").write_bytes(b"".join(
            record(labels[8 + i], images[16 + 784 * i:16 + 784 * (i + 1)], chance) for i in range(count)))


if __name__ == "__main__":
    main(*sys.argv[1:])
