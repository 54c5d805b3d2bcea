#!/usr/bin/env python3
"""Records onnx/values.onnx: what the package onnx writes, for the tests of io/onnx_file.h.

Usage: make_onnx_files.py
Needs onnx 1.23. Of each dtype there are the numbers 0 to 5, [2, 3], as raw bytes ("raw_NAME") and in the list of the
dtype ("list_NAME"); besides a number without axes, an array of no elements, negative integers, and what is not read.
"""
import pathlib

import numpy
import onnx
from onnx import TensorProto, helper

FOLDER = pathlib.Path(__file__).parent / "onnx"
TYPES = {"f32": TensorProto.FLOAT, "f64": TensorProto.DOUBLE, "i32": TensorProto.INT32, "i64": TensorProto.INT64, "u8": TensorProto.UINT8,
         "bool": TensorProto.BOOL, "f16": TensorProto.FLOAT16, "bf16": TensorProto.BFLOAT16, "i8": TensorProto.INT8, "i16": TensorProto.INT16,
         "u16": TensorProto.UINT16, "u32": TensorProto.UINT32, "u64": TensorProto.UINT64, "c64": TensorProto.COMPLEX64,
         "c128": TensorProto.COMPLEX128}


def main():
    FOLDER.mkdir(exist_ok=True)
    arrays = []
    for name, kind in TYPES.items():
        values = numpy.arange(6).reshape(2, 3)
        if name == "bool":
            values = values % 3 == 0
        values = values.astype(helper.tensor_dtype_to_np_dtype(kind))
        arrays.append(helper.make_tensor("raw_" + name, kind, [2, 3], values.tobytes(), raw=True))
        arrays.append(helper.make_tensor("list_" + name, kind, [2, 3], values.flatten().tolist()))
    for name, kind, shape, values in [("scalar", TensorProto.FLOAT, [], [2.5]), ("empty", TensorProto.FLOAT, [0, 3], []),
                                      ("negative_i8", TensorProto.INT8, [2], [-1, -128]),
                                      ("negative_i64", TensorProto.INT64, [2], [-1, -2**63]),
                                      ("texts", TensorProto.STRING, [1], [b"a"]),
                                      ("small", TensorProto.FLOAT8E4M3FN, [1], [1.0])]:
        arrays.append(helper.make_tensor(name, kind, shape, values))
    elsewhere = TensorProto(name="elsewhere", data_type=TensorProto.FLOAT, dims=[1], data_location=TensorProto.EXTERNAL)
    elsewhere.external_data.add(key="location", value="other")
    segment = TensorProto(name="segment", data_type=TensorProto.FLOAT, dims=[1], segment=TensorProto.Segment(begin=0, end=1))
    sparse = helper.make_sparse_tensor(helper.make_tensor("sparse", TensorProto.FLOAT, [1], [1.0]),
                                       helper.make_tensor("places", TensorProto.INT64, [1], [2]), [4])
    node = helper.make_node("Identity", ["raw_f32"], ["y"])
    graph = helper.make_graph([node], "graph", [], [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 3])],
                              arrays + [elsewhere, segment], sparse_initializer=[sparse])
    (FOLDER / "values.onnx").write_bytes(helper.make_model(graph).SerializeToString())


if __name__ == "__main__":
    main()
