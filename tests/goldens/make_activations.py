#!/usr/bin/env python3
"""Records PyTorch's activation functions and their slopes, as the rows of
tests/goldens/activations.inc.

Usage: make_activations.py > activations.inc
Recorded with PyTorch 2.15, in double. No point is a kink, where the frameworks' conventions differ.
"""
import torch
from torch.nn import functional as F

POINTS = [-1000.0, -40.0, -4.5, -2.0, -0.5, -0.001, 0.001, 0.5, 2.0, 4.5, 40.0, 1000.0]
FUNCTIONS = [
    # PyTorch replaces softplus by its asymptote above a threshold, by default 20.
    ("softplus", lambda x: F.softplus(x, threshold=500)),
    ("log_sigmoid", F.logsigmoid),
    ("softsign", F.softsign),
    ("elu", lambda x: F.elu(x, alpha=0.7)),
    ("selu", F.selu),
    ("leaky_relu", lambda x: F.leaky_relu(x, 0.2)),
    ("relu6", F.relu6),
    ("gelu", F.gelu),
    ("gelu_tanh", lambda x: F.gelu(x, approximate="tanh")),
    ("silu", F.silu),
    ("hard_sigmoid", F.hardsigmoid),
    ("hard_swish", F.hardswish),
    ("mish", F.mish),
]


def row(numbers):
    return "{" + ", ".join(repr(x) for x in numbers) + "}"


print(f'{{"points", {row(POINTS)}, {row([1.0] * len(POINTS))}}},')
for name, function in FUNCTIONS:
    x = torch.tensor(POINTS, dtype=torch.float64, requires_grad=True)
    y = function(x)
    y.sum().backward()
    print(f'{{"{name}", {row(y.tolist())}, {row(x.grad.tolist())}}},')
