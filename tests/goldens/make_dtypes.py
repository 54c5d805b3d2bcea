#!/usr/bin/env python3
"""Records a file with one array of each element type, as the bytes of
tests/goldens/dtypes_safetensors.inc.

Usage: make_dtypes.py > dtypes_safetensors.inc
Recorded with safetensors 0.8 and PyTorch 2.15.
"""
import torch
from safetensors.torch import save

NUMBERS = [0, 1, 2, 100]
DTYPES = {
    "f32": torch.float32, "f64": torch.float64, "f16": torch.float16, "bf16": torch.bfloat16,
    "i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64,
    "u8": torch.uint8, "u16": torch.uint16, "u32": torch.uint32, "u64": torch.uint64,
    "bool": torch.bool,
}
data = save({name: torch.tensor(NUMBERS).to(dtype).reshape(2, 2)
             for name, dtype in DTYPES.items()})
for first in range(0, len(data), 20):
    print(", ".join(str(byte) for byte in data[first:first + 20]) + ",")
