#!/usr/bin/env python3
"""Records torch_files/*: what torch.save writes, for the tests of io/torch_file.h.

Usage: make_torch_files.py
Needs torch 2.15. A tensor of n elements holds 0, 1, ... n - 1, or whether the number is a multiple of 3 (bool), unless
said otherwise.
"""
import collections
import pathlib

import torch

FOLDER = pathlib.Path(__file__).parent / "torch_files"
DTYPES = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "i64": torch.int64,
          "i32": torch.int32, "i16": torch.int16, "i8": torch.int8, "u64": torch.uint64, "u32": torch.uint32,
          "u16": torch.uint16, "u8": torch.uint8, "c64": torch.complex64, "c128": torch.complex128}


def numbers(*shape):
    return torch.arange(torch.Size(shape).numel(), dtype=torch.float32).reshape(shape)


def dtypes():
    tensors = {name: numbers(2, 3).to(dtype) for name, dtype in DTYPES.items()}
    tensors["boolean"] = numbers(2, 3) % 3 == 0
    tensors["f8"] = numbers(2).to(torch.float8_e4m3fn)
    tensors["scalar"] = torch.tensor(2.5)
    tensors["empty"] = torch.zeros(2, 0, 3)
    return tensors


def strided():
    whole = numbers(4, 6)
    return {"whole": whole, "transposed": whole.t(), "part": whole[1:3, 2:5], "every_second": whole[::2, 1::2],
            "column": whole[:, 3], "expanded": numbers(3).reshape(3, 1).expand(3, 2), "scalar": whole[2, 1],
            "permuted": numbers(2, 3, 4).permute(2, 0, 1), "as_integers": numbers(2, 3).to(torch.int16).t(),
            "complex": numbers(2, 2).to(torch.complex128).t(), "bytes": numbers(3, 2).to(torch.uint8).t(),
            "no_elements": whole[:, 6:]}


def training():
    layer = torch.nn.BatchNorm1d(2)
    optimizer = torch.optim.Adam(layer.parameters())
    layer(numbers(3, 2)).sum().backward()
    optimizer.step()
    with torch.no_grad():
        for values in [*layer.state_dict().values()]:
            values.copy_(torch.arange(values.numel()).reshape(values.shape))
    shared = layer.state_dict()
    return {"state_dict": shared, "ema": shared, "optimizer": optimizer.state_dict(), "epoch": 3, "loss": 0.5,
            "note": "\u00e4", "large": 2 ** 70, "negative": -(2 ** 40), "nothing": None, "is_best": True,
            "size": torch.Size([2, 3]), "dtype": torch.float32, "device": torch.device("cpu"),
            "list": [numbers(1), (numbers(2), "text")], "more": collections.OrderedDict(a=numbers(1))}


def parameters():
    parameter = torch.nn.Parameter(numbers(2))
    with_state = torch.nn.Parameter(numbers(3))
    with_state.kept = 1
    return {"plain": parameter, "with_state": with_state}


def main():
    FOLDER.mkdir(exist_ok=True)
    torch.manual_seed(0)
    conjugate = {"conj": numbers(2).to(torch.complex64).conj(), "plain": numbers(2)}
    files = {"dtypes": dtypes(), "strided": strided(), "training": training(), "parameters": parameters(),
             "tensor": numbers(2), "conjugate": conjugate, "object": torch.nn.Linear(1, 1)}
    for name, value in files.items():
        torch.save(value, FOLDER / f"{name}.pth")
    torch.save({"a": numbers(2), "b": [numbers(3).t()]}, FOLDER / "protocol4.pth", pickle_protocol=4)
    torch.save({"a": numbers(2)}, FOLDER / "legacy.pth", _use_new_zipfile_serialization=False)


if __name__ == "__main__":
    main()
