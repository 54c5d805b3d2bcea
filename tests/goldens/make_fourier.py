#!/usr/bin/env python3
"""Records Fourier transforms by NumPy, and functions of complex numbers with their gradients by PyTorch,
all in double. Complex numbers are written as [real, imaginary, real, imaginary, ...].

usage: make_fourier.py > fourier.json
"""

import json

import numpy
import torch

random = numpy.random.default_rng(7)
SHAPES = [((1,), 0), ((2,), 0), ((3,), 0), ((8,), 0), ((30,), 0), ((37,), 0), ((128,), 0), ((3, 7, 2), 1),
          ((5, 12), -1), ((4, 3), 0)]


def normal(shape, is_complex=True):
    x = random.standard_normal(shape)
    return x + 1j * random.standard_normal(shape) if is_complex else x


def flat(x):
    x = numpy.ascontiguousarray(x).reshape(-1)
    return [float(f"{v:.11g}") for v in (x.view(numpy.float64) if numpy.iscomplexobj(x) else x)]


def transforms():
    for shape, axis in SHAPES:
        extent = shape[axis]
        for name in ["fft", "ifft", "rfft", "irfft"]:
            lengths = [None, max(extent - 2, 1), extent + 3] if extent < 100 else [None]
            for n in lengths if name != "irfft" or extent > 1 else lengths[1:]:
                for norm in ["backward", "ortho", "forward"] if extent < 10 else ["backward"]:
                    x = normal(shape, name != "rfft")
                    y = getattr(numpy.fft, name)(x, n=n, axis=axis, norm=norm)
                    yield {"name": name, "shape": shape, "axis": axis, "n": n or 0, "norm": norm,
                           "x": flat(x), "result": y.shape, "y": flat(y)}


FUNCTIONS = {
    "neg": (1, lambda a: -a),
    "add": (2, lambda a, b: a + b),
    "sub": (2, lambda a, b: a - b),
    "mul": (2, lambda a, b: a * b),
    "div": (2, lambda a, b: a / b),
    "square": (1, lambda a: a * a),
    "reciprocal": (1, lambda a: 1 / a),
    "exp": (1, torch.exp),
    "log": (1, torch.log),
    "sqrt": (1, torch.sqrt),
    "sin": (1, torch.sin),
    "cos": (1, torch.cos),
    "tanh": (1, torch.tanh),
    "conj": (1, lambda a: torch.conj(a).resolve_conj()),
    "real": (1, torch.real),
    "imag": (1, torch.imag),
    "abs": (1, torch.abs),
    "angle": (1, torch.angle),
    "sum": (1, lambda a: a.sum(0)),
    "mean": (1, lambda a: a.mean(1)),
    "matmul": (2, lambda a, b: a @ b.T),
    "fft": (1, lambda a: torch.fft.fft(a, n=5, dim=1)),
    "ifft": (1, lambda a: torch.fft.ifft(a, n=2, dim=1, norm="ortho")),
    "irfft": (1, lambda a: torch.fft.irfft(a, dim=1)),
    "irfft_odd": (1, lambda a: torch.fft.irfft(a, n=7, dim=1, norm="forward")),
}


def functions():
    for name, (count, function) in FUNCTIONS.items():
        operands = [torch.tensor(normal((2, 3)), requires_grad=True) for _ in range(count)]
        y = function(*operands)
        dy = torch.tensor(normal(tuple(y.shape), y.is_complex()))
        y.backward(dy)
        yield {"name": name, "operands": [flat(x.detach().numpy()) for x in operands],
               "result": list(y.shape), "y": flat(y.detach().resolve_conj().numpy()),
               "dy": flat(dy.numpy()),
               "gradients": [flat(x.grad.resolve_conj().numpy()) for x in operands]}


if __name__ == "__main__":
    print(json.dumps({"transforms": list(transforms()), "functions": list(functions())},
                     separators=(",", ":")))
