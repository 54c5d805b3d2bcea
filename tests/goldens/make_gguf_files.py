#!/usr/bin/env python3
"""Records gguf/*: a file of the PyPI package gguf, and what its blocks are multiplied out, for the tests of io/gguf_view.h.

Usage: make_gguf_files.py
Needs gguf 0.19. The array "Q4_0", and so on, has 256 elements of that type in random blocks with random scales;
blocks.npy has their values as rows, in the order of TYPES.
"""
import pathlib

import gguf
import numpy

FOLDER = pathlib.Path(__file__).parent / "gguf"
# Where a block of the type has scales of 16 bits.
TYPES = {"Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0], "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208]}
PLAIN = {"F32": numpy.float32, "F16": numpy.float16, "F64": numpy.float64, "I8": numpy.int8, "I16": numpy.int16,
         "I32": numpy.int32, "I64": numpy.int64}


def random_blocks(generator, kind, scales):
    elements, size = gguf.GGML_QUANT_SIZES[kind]
    blocks = generator.integers(0, 256, (256 // elements, size), dtype=numpy.uint8)
    for place in scales:
        blocks[:, place:place + 2] = generator.normal(size=(len(blocks), 1)).astype(numpy.float16).view(numpy.uint8)
    return blocks.reshape(1, -1)


def main():
    FOLDER.mkdir(exist_ok=True)
    generator = numpy.random.default_rng(1)
    writer = gguf.GGUFWriter(FOLDER / "values.gguf", "llama")
    for name, add, value in [("u8", writer.add_uint8, 255), ("i8", writer.add_int8, -128), ("u16", writer.add_uint16, 65535),
                             ("i16", writer.add_int16, -32768), ("u32", writer.add_uint32, 2**32 - 1), ("i32", writer.add_int32, -2**31),
                             ("u64", writer.add_uint64, 2**64 - 1), ("i64", writer.add_int64, -2**63), ("f32", writer.add_float32, 0.1),
                             ("f64", writer.add_float64, 0.1), ("bool", writer.add_bool, True), ("text", writer.add_string, "\u00e4b"),
                             ("list", writer.add_array, ["a", "", "bc"]), ("numbers", writer.add_array, [1, -2, 3])]:
        add("test." + name, value)
    writer.add_custom_alignment(64)
    for name, dtype in PLAIN.items():
        writer.add_tensor(name, numpy.arange(6).reshape(1, 2, 3).astype(dtype))
    bf16 = numpy.arange(6, dtype=numpy.float32).reshape(2, 3)
    writer.add_tensor("BF16", gguf.quants.quantize(bf16, gguf.GGMLQuantizationType.BF16), raw_dtype=gguf.GGMLQuantizationType.BF16)
    rows = generator.normal(size=(2, 64)).astype(numpy.float32)
    packed = gguf.quants.quantize(rows, gguf.GGMLQuantizationType.Q8_0)
    writer.add_tensor("rows", packed, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
    numpy.save(FOLDER / "rows.npy", gguf.quants.dequantize(packed, gguf.GGMLQuantizationType.Q8_0))
    values = []
    for name, scales in TYPES.items():
        kind = gguf.GGMLQuantizationType[name]
        blocks = random_blocks(generator, kind, scales)
        writer.add_tensor(name, blocks, raw_dtype=kind)
        values.append(gguf.quants.dequantize(blocks, kind).reshape(-1))
    writer.add_tensor("other", random_blocks(generator, gguf.GGMLQuantizationType.Q2_K, [80, 82]),
                      raw_dtype=gguf.GGMLQuantizationType.Q2_K)
    numpy.save(FOLDER / "blocks.npy", numpy.stack(values))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


main()
