#!/usr/bin/env python3
"""Records conversions to the 16-bit floating-point types, and operations on them, as the rows of
tests/goldens/float16_conversions.inc and tests/goldens/float16_operations.inc.

Usage: make_float16.py FOLDER
Recorded with NumPy 2.4 (conversions to f16) and PyTorch 2.15 (all else), on a processor. Elements
are recorded as their bits.
"""
import pathlib
import sys

import numpy
import torch

DTYPES = {"f16": torch.float16, "bf16": torch.bfloat16}


def hexadecimal(bits):
    return f"{int(bits):#x}"


def bits_of(tensor):
    return tensor.contiguous().view(torch.int16).numpy().astype(numpy.uint16).ravel()


def conversions():
    generator = numpy.random.default_rng(16)
    words = generator.integers(0, 2**32, 300, dtype=numpy.uint32)
    # Around the range of f16: its normal numbers, and its subnormal ones.
    sizes = numpy.concatenate([generator.uniform(-70000, 70000, 100),
                               generator.uniform(-1e-4, 1e-4, 100),
                               generator.uniform(-2e-7, 2e-7, 50)]).astype(numpy.float32)
    # Halfway between two numbers, and beside that.
    ties = numpy.array([0x3F801000, 0x3F803000, 0x3F800FFF, 0x3F801001, 0x3F808000, 0x3F818000,
                        0x3F807FFF, 0x3F808001, 0x477FEFFF, 0x477FF000, 0x7F7F7FFF, 0x7F7F8000,
                        0x33000000, 0x33000001, 0x7F800000, 0xFF800000, 0x00000000, 0x80000000,
                        0x00000001, 0x00008000, 0x00008001, 0x00018000], dtype=numpy.uint32)
    words = numpy.concatenate([words, sizes.view(numpy.uint32), ties])
    numbers = words.view(numpy.float32)
    numbers = numbers[~numpy.isnan(numbers)]
    with numpy.errstate(over="ignore"):
        halves = numbers.astype(numpy.float16).view(numpy.uint16)
    bfloats = bits_of(torch.from_numpy(numbers.copy()).to(torch.bfloat16))
    for word, half, bfloat in zip(numbers.view(numpy.uint32), halves, bfloats):
        yield f"{{{hexadecimal(word)}, {hexadecimal(half)}, {hexadecimal(bfloat)}}},"


OPERATIONS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "maximum": torch.maximum,
    "exp": lambda a, b: torch.exp(a),
    "tanh": lambda a, b: torch.tanh(a),
    "sigmoid": lambda a, b: torch.sigmoid(a),
    "abs": lambda a, b: torch.abs(a),
    "matmul": lambda a, b: a @ b.T,
    "sum": lambda a, b: a.sum(dim=1),
    "mean": lambda a, b: a.mean(dim=0),
    "softmax": lambda a, b: torch.softmax(a, dim=1),
    "log_softmax": lambda a, b: torch.log_softmax(a, dim=1),
}


def operations():
    generator = torch.Generator().manual_seed(16)
    for dtype_name, dtype in DTYPES.items():
        a = torch.randn(5, 24, generator=generator).to(dtype)
        b = (torch.randn(5, 24, generator=generator) + 0.01).to(dtype)
        for name, function in OPERATIONS.items():
            lists = [", ".join(hexadecimal(bits) for bits in bits_of(x))
                     for x in (a, b, function(a, b))]
            yield f'{{"{name}", DType::{dtype_name}, {{{lists[0]}}}, {{{lists[1]}}}, {{{lists[2]}}}}},'


folder = pathlib.Path(sys.argv[1])
(folder / "float16_conversions.inc").write_text("\n".join(conversions()) + "\n")
(folder / "float16_operations.inc").write_text("\n".join(operations()) + "\n")
