#!/usr/bin/env python3
"""Records PyTorch's spectral normalisation, as the rows of tests/goldens/spectral_norm.inc: a dense layer and a convolution
in evaluation, with given singular vectors, and after one training step's power iteration.

Usage: make_spectral_norm.py > spectral_norm.inc
Recorded with PyTorch 2.15. The right vector of ddx is PyTorch's u, the left one its v. What is recorded of convolutions
is in the order of ddx: [n, h, w, channels] and [kh, kw, in, out].
"""
import torch
from torch.nn import functional as F
from torch.nn.utils.parametrizations import spectral_norm

from layer_numbers import leaf, numbers, record, show


def normed(layer, weight):
    with torch.no_grad():
        layer.weight.copy_(weight)
        layer.bias.copy_(numbers(layer.bias.shape, 40))
    spectral_norm(layer)
    norm = layer.parametrizations.weight[0]
    with torch.no_grad():
        norm._u.copy_(F.normalize(numbers(norm._u.shape, 60), dim=0))
        norm._v.copy_(F.normalize(numbers(norm._v.shape, 70), dim=0))
    return layer, norm


for name, training in (("spectral_norm", False), ("spectral_norm_step", True)):
    layer, norm = normed(torch.nn.Linear(4, 3, dtype=torch.float64), numbers((4, 3), 1).T)
    layer.train(training)
    x = leaf((2, 4), 20)
    record(name, layer(x), [("x", x)])
    show(name + ".weight", layer.parametrizations.weight.original.grad.T)
    show(name + ".left", norm._v)
    show(name + ".right", norm._u)
# The filter's axes in ddx are [kh, kw, in, out]; PyTorch's rows run over [in, kh, kw], so its v is permuted.
filter_of_ddx = numbers((2, 2, 2, 3), 1)
layer, norm = normed(torch.nn.Conv2d(2, 3, 2, dtype=torch.float64), filter_of_ddx.permute(3, 2, 0, 1))
with torch.no_grad():
    norm._v.copy_(F.normalize(numbers((2, 2, 2), 70).permute(2, 0, 1).flatten(), dim=0))
layer.eval()
x = leaf((1, 3, 3, 2), 20)
record("spectral_norm_conv", layer(x.permute(0, 3, 1, 2)).permute(0, 2, 3, 1), [("x", x)])
show("spectral_norm_conv.filter", layer.parametrizations.weight.original.grad.permute(2, 3, 1, 0))
