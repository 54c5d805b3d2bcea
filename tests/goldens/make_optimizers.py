#!/usr/bin/env python3
"""Records ten steps of optimisers, as the rows of tests/goldens/optimizers.inc.

Usage: make_optimizers.py > optimizers.inc
Recorded with PyTorch 2.15 in double precision. There are three parameters: a vector, a matrix and a
number; the gradient of each is w^3 + slope. Lion, LAMB and LARS, which PyTorch lacks, and Adafactor
are transcribed from their papers into NumPy; Adafactor is compared with PyTorch's as well.
"""
import numpy as np
import torch

# NAdam keeps a product in the default type.
torch.set_default_dtype(torch.float64)
STARTS = [np.array([1.0, -2.0, 0.5]),
          np.array([[1.5, -0.5, 0.25], [-1.0, 2.0, 0.75]]),
          np.array(1.0)]
SLOPES = [np.array([0.5, 0.25, -1.0]),
          np.array([[0.5, -1.0, 2.0], [0.25, -0.5, 1.0]]),
          np.array(0.5)]
STEPS = 10


class Lion:
    """X. Chen et al., "Symbolic discovery of optimization algorithms", program 1."""

    def __init__(self, w, lr, betas, weight_decay=0.0):
        self.lr, self.betas, self.weight_decay = lr, betas, weight_decay
        self.m = np.zeros_like(w)

    def step(self, w, g, t):
        b1, b2 = self.betas
        update = np.sign(b1 * self.m + (1 - b1) * g)
        self.m = b2 * self.m + (1 - b2) * g
        return w - self.lr * (update + self.weight_decay * w)


class LAMB:
    """Y. You et al., "Large batch optimization for deep learning", algorithm 2, phi(x) = x."""

    def __init__(self, w, lr, betas=(0.9, 0.999), eps=1e-6, weight_decay=0.0):
        self.lr, self.betas, self.eps, self.weight_decay = lr, betas, eps, weight_decay
        self.m, self.v = np.zeros_like(w), np.zeros_like(w)

    def step(self, w, g, t):
        b1, b2 = self.betas
        self.m = b1 * self.m + (1 - b1) * g
        self.v = b2 * self.v + (1 - b2) * g * g
        m = self.m / (1 - b1**t)
        v = self.v / (1 - b2**t)
        update = m / (np.sqrt(v) + self.eps) + self.weight_decay * w
        return w - self.lr * np.linalg.norm(w) / np.linalg.norm(update) * update


class LARS:
    """Y. You et al., "Large batch training of convolutional networks", algorithm 1."""

    def __init__(self, w, lr, momentum, eta, weight_decay=0.0, nesterov=False):
        self.lr, self.momentum, self.eta = lr, momentum, eta
        self.weight_decay, self.nesterov = weight_decay, nesterov
        self.v = np.zeros_like(w)

    def step(self, w, g, t):
        w_norm, g_norm = np.linalg.norm(w), np.linalg.norm(g)
        local_lr = self.eta * w_norm / (g_norm + self.weight_decay * w_norm)
        change = self.lr * local_lr * (g + self.weight_decay * w)
        self.v = self.momentum * self.v + change
        return w - (change + self.momentum * self.v if self.nesterov else self.v)


class Adafactor:
    """N. Shazeer, M. Stern, "Adafactor", algorithms 4 (matrices) and 5 (vectors)."""

    def __init__(self, w, lr, clip=1.0, eps=(1e-30, 1e-3)):
        self.lr, self.clip, self.eps = lr, clip, eps
        self.r = self.c = self.v = 0.0

    def step(self, w, g, t):
        beta2 = 1 - t**-0.8
        squares = g * g + self.eps[0]
        if w.ndim == 2:
            n, m = w.shape
            self.r = beta2 * self.r + (1 - beta2) * squares @ np.ones(m)
            self.c = beta2 * self.c + (1 - beta2) * np.ones(n) @ squares
            v = np.outer(self.r, self.c) / np.sum(self.r)
        else:
            self.v = v = beta2 * self.v + (1 - beta2) * squares
        update = g / np.sqrt(v)
        rate = max(self.eps[1], rms(w)) * min(self.lr, t**-0.5)
        return w - rate * update / max(1.0, rms(update) / self.clip)


def rms(x):
    return np.sqrt(np.mean(x * x))


def run_torch(optimizer, options):
    weights = [torch.tensor(s, dtype=torch.float64, requires_grad=True) for s in STARTS]
    stepper = optimizer(weights, **options)
    for _ in range(STEPS):
        for weight, slope in zip(weights, SLOPES):
            weight.grad = (weight**3).detach() + torch.tensor(slope, dtype=torch.float64)
        stepper.step()
    return [w.detach().numpy() for w in weights]


def run_numpy(optimizer, options):
    ends = []
    for start, slope in zip(STARTS, SLOPES):
        stepper, w = optimizer(start, **options), start
        for t in range(1, STEPS + 1):
            w = stepper.step(w, w**3 + slope, t)
        ends.append(w)
    return ends


O = torch.optim
RUNS = [
    ("sgd", O.SGD, dict(lr=0.05)),
    ("sgd_decay", O.SGD, dict(lr=0.05, weight_decay=0.1)),
    ("sgd_momentum", O.SGD, dict(lr=0.02, momentum=0.9)),
    ("sgd_momentum_decay", O.SGD, dict(lr=0.02, momentum=0.9, weight_decay=0.1)),
    ("sgd_nesterov", O.SGD, dict(lr=0.02, momentum=0.9, nesterov=True)),
    ("sgd_dampening", O.SGD, dict(lr=0.02, momentum=0.9, dampening=0.5, weight_decay=0.1)),
    ("adam", O.Adam, dict(lr=0.1)),
    ("adam_betas", O.Adam, dict(lr=0.05, betas=(0.5, 0.8), eps=0.01)),
    ("adam_decay", O.Adam, dict(lr=0.1, weight_decay=0.3)),
    ("adamw", O.AdamW, dict(lr=0.1, weight_decay=0.3)),
    ("amsgrad", O.Adam, dict(lr=0.1, betas=(0.5, 0.6), amsgrad=True)),
    ("amsgrad_decay", O.Adam, dict(lr=0.1, betas=(0.5, 0.6), amsgrad=True, weight_decay=0.3)),
    ("radam", O.RAdam, dict(lr=0.1)),
    ("radam_decay", O.RAdam, dict(lr=0.1, betas=(0.8, 0.99), eps=0.01, weight_decay=0.3)),
    ("nadam", O.NAdam, dict(lr=0.1)),
    ("nadam_decay", O.NAdam, dict(lr=0.1, betas=(0.8, 0.99), eps=0.01, weight_decay=0.3,
                                  momentum_decay=0.1)),
    ("adamax", O.Adamax, dict(lr=0.1)),
    ("adamax_decay", O.Adamax, dict(lr=0.1, betas=(0.5, 0.8), eps=0.01, weight_decay=0.3)),
    ("adagrad", O.Adagrad, dict(lr=0.1, initial_accumulator_value=0.1, eps=1e-8)),
    ("adagrad_decay", O.Adagrad, dict(lr=0.1, lr_decay=0.2, weight_decay=0.3, eps=0.01)),
    ("adadelta", O.Adadelta, dict(lr=1.0, rho=0.95, eps=1e-6)),
    ("adadelta_decay", O.Adadelta, dict(lr=0.5, rho=0.5, eps=0.01, weight_decay=0.3)),
    ("rmsprop", O.RMSprop, dict(lr=0.05, alpha=0.9, eps=1e-8)),
    ("rmsprop_decay", O.RMSprop, dict(lr=0.05, alpha=0.5, eps=0.01, weight_decay=0.3)),
    ("rmsprop_momentum", O.RMSprop, dict(lr=0.01, alpha=0.9, momentum=0.9)),
    ("rmsprop_centered", O.RMSprop, dict(lr=0.01, alpha=0.9, centered=True)),
    ("rmsprop_centered_momentum", O.RMSprop, dict(lr=0.01, alpha=0.9, momentum=0.5,
                                                  centered=True)),
    ("lion", Lion, dict(lr=0.1, betas=(0.9, 0.99))),
    ("lion_decay", Lion, dict(lr=0.03, betas=(0.5, 0.9), weight_decay=0.3)),
    ("lamb", LAMB, dict(lr=0.05)),
    ("lamb_decay", LAMB, dict(lr=0.02, betas=(0.5, 0.9), eps=0.01, weight_decay=0.3)),
    ("lars", LARS, dict(lr=1.0, momentum=0.9, eta=0.02)),
    ("lars_nesterov", LARS, dict(lr=1.0, momentum=0.8, eta=0.02, weight_decay=0.3, nesterov=True)),
    ("adafactor", Adafactor, dict(lr=0.05)),
    ("adafactor_clipped", Adafactor, dict(lr=0.1, clip=0.5)),
    ("adafactor_decay", O.Adafactor, dict(lr=0.1, weight_decay=0.3)),
]

for name, optimizer, options in RUNS:
    run = run_torch if optimizer.__module__.startswith("torch") else run_numpy
    ends = run(optimizer, options)
    if name == "adafactor":
        for end, peer in zip(ends, run_torch(O.Adafactor, options)):
            np.testing.assert_allclose(end, peer, rtol=1e-12)
    values = np.concatenate([end.ravel() for end in ends]).tolist()
    print(f'{{"{name}", {{{", ".join(repr(v) for v in values)}}}}},')
