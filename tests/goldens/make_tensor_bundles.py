#!/usr/bin/env python3
"""Records tensor_bundles/*: checkpoints as TensorFlow writes them, for the tests of io/tensor_bundle.h.

Usage: make_tensor_bundles.py
Needs tensorflow 2.21. The values are those that tests/unit/io/tensor_bundle_test.cpp expects.
"""
import pathlib
import tempfile

import numpy as np
import tensorflow as tf

FOLDER = pathlib.Path(__file__).parent / "tensor_bundles"
COUNT = np.arange(24).reshape(2, 3, 4)


def save(prefix, tensors, slices=None):
    tf.raw_ops.SaveV2(prefix=str(prefix), tensor_names=list(tensors), tensors=[tf.constant(x) for x in tensors.values()],
                      shape_and_slices=slices or [""] * len(tensors))


def main():
    FOLDER.mkdir(exist_ok=True)
    # As Keras and tf.train.Checkpoint write them: names of attributes, and the object graph as a text.
    tf.train.Checkpoint(weight=tf.Variable(COUNT.astype(np.float32) - 5), step=tf.Variable(7, dtype=tf.int64),
                        layer=tf.train.Checkpoint(bias=tf.Variable([0.5, -1.0], dtype=tf.float64))).write(str(FOLDER / "object"))
    types = {name: (COUNT - 5).astype(name) for name in ("float32", "float64", "int32", "int64")}
    types |= {"uint8": (COUNT + 200).astype(np.uint8), "bool": COUNT % 3 == 0, "scalar": np.float64(2.5),
              "empty": np.zeros((0, 3), np.float32), "complex64": np.asarray([1j], np.complex64), "text": np.asarray(["a", "bc"])}
    save(FOLDER / "types", types)
    # Names that share their beginnings; more than one restart of the table.
    save(FOLDER / "names", {f"model/layer_{i:03}/kernel": np.asarray([i, -i], np.float32) for i in range(40)})
    save(FOLDER / "slices", {"rows": np.ones((2, 3), np.float32)}, ["4 3 0,2:-"])
    with tempfile.TemporaryDirectory() as scratch:
        parts = [pathlib.Path(scratch) / f"part{i}" for i in range(2)]
        save(parts[0], {"a": np.asarray([1, 2], np.int32)})
        save(parts[1], {"b": np.asarray([[3.0]], np.float64)})
        tf.raw_ops.MergeV2Checkpoints(checkpoint_prefixes=[str(x) for x in parts], destination_prefix=str(FOLDER / "shards"),
                                      delete_old_dirs=False)


if __name__ == "__main__":
    main()
