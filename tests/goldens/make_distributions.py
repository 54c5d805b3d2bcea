#!/usr/bin/env python3
"""Records PyTorch's probability distributions, as the rows of tests/goldens/distributions.inc: logarithms of densities with
gradients by the parameters, moments, entropies, divergences with their gradients.

Usage: make_distributions.py > distributions.inc
Recorded with PyTorch 2.15 in double precision, each result weighted by c_i = i + 1 for the gradients. PyTorch's trigamma
has an error of 4e-10: it is replaced by SciPy's.
"""
import scipy.special
import torch
from torch import distributions as d

from layer_numbers import show

torch.set_default_dtype(torch.float64)
plain_digamma = torch.digamma


class Digamma(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        context.save_for_backward(x)
        return plain_digamma(x)

    @staticmethod
    def backward(context, slope):
        return slope * torch.from_numpy(scipy.special.polygamma(1, context.saved_tensors[0].numpy()))


torch.digamma = Digamma.apply


def leaf(values):
    return torch.tensor(values, requires_grad=True)


def weighted(result):
    return (result * torch.arange(1.0, 1 + result.numel()).reshape(result.shape)).sum()


def record(name, make, first, second, x):
    """`first` and `second` are the parameters of two distributions of a kind."""
    p_leaves, q_leaves = [leaf(v) for v in first], [leaf(v) for v in second]
    p, q = make(*p_leaves), make(*q_leaves)
    log_probability = p.log_prob(torch.tensor(x))
    show(f"{name}.log_probability", log_probability)
    for i, slope in enumerate(torch.autograd.grad(weighted(log_probability), p_leaves, retain_graph=True)):
        show(f"{name}.log_probability.{i}", slope)
    show(f"{name}.entropy", p.entropy())
    if not isinstance(p, d.Categorical):
        show(f"{name}.mean", p.mean)
        show(f"{name}.variance", p.variance)
    divergence = d.kl_divergence(p, q)
    show(f"{name}.kl", divergence)
    for i, slope in enumerate(torch.autograd.grad(weighted(divergence), p_leaves + q_leaves)):
        show(f"{name}.kl.{i}", slope)


A, B, C, D = [0.5, 1.5, 3.0], [2.0, 0.25, 1.25], [1.0, 2.5, 0.75], [0.5, 1.5, 4.0]
record("normal", d.Normal, ([-1.0, 0.5, 2.0], B), ([0.25, -0.5, 1.0], D), [0.5, -1.5, 2.0])
record("laplace", d.Laplace, ([-1.0, 0.5, 2.0], B), ([0.25, -0.5, 1.0], D), [0.5, -1.5, 2.5])
record("uniform", d.Uniform, ([-1.0, 0.5, 2.0], [1.0, 2.0, 5.0]), ([-2.0, 0.25, 1.5], [2.0, 2.5, 7.0]), [0.5, 1.75, 2.0])
record("gamma", d.Gamma, (A, B), (C, D), [0.5, 1.75, 2.0])
record("beta", d.Beta, (A, B), (C, D), [0.5, 0.25, 0.875])
record("exponential", d.Exponential, (A,), (B,), [0.5, 1.75, 2.0])
record("bernoulli", lambda logits: d.Bernoulli(logits=logits), ([-1.0, 0.5, 20.0],), ([0.25, -0.5, 1.0],), [0.0, 1.0, 1.0])
record("categorical", lambda logits: d.Categorical(logits=logits), ([[-1.0, 0.5, 2.0], [0.0, 0.0, 0.0]],),
       ([[0.25, -0.5, 1.0], [1.0, 2.0, 3.0]],), [2, 1])
