#!/usr/bin/env python3
"""Records five steps of PyTorch's optimisers, as the rows of tests/goldens/optimizers.inc.

Usage: make_optimizers.py > optimizers.inc
Recorded with PyTorch 2.15. The parameters start at START; the gradient is w^3 + SLOPE.
"""
import torch

START = [1.0, -2.0, 0.5]
SLOPE = [0.5, 0.25, -1.0]
RUNS = [
    ("sgd", torch.optim.SGD, dict(lr=0.05)),
    ("sgd_decay", torch.optim.SGD, dict(lr=0.05, weight_decay=0.1)),
    ("sgd_momentum", torch.optim.SGD, dict(lr=0.02, momentum=0.9)),
    ("sgd_momentum_decay", torch.optim.SGD, dict(lr=0.02, momentum=0.9, weight_decay=0.1)),
    ("sgd_nesterov", torch.optim.SGD, dict(lr=0.02, momentum=0.9, nesterov=True)),
    ("adam", torch.optim.Adam, dict(lr=0.1)),
    ("adam_betas", torch.optim.Adam, dict(lr=0.05, betas=(0.5, 0.8), eps=0.01)),
    ("adam_decay", torch.optim.AdamW, dict(lr=0.1, weight_decay=0.3)),
]

for name, optimizer, options in RUNS:
    weight = torch.tensor(START, dtype=torch.float64, requires_grad=True)
    stepper = optimizer([weight], **options)
    for _ in range(5):
        weight.grad = (weight**3).detach() + torch.tensor(SLOPE, dtype=torch.float64)
        stepper.step()
    print(f'{{"{name}", {{{", ".join(repr(x) for x in weight.tolist())}}}}},')
