#!/usr/bin/env python3
"""Records PyTorch's layers, as the rows of tests/goldens/layers.inc: values, and gradients of sum(y c).

Usage: make_layers.py > layers.inc
Recorded with PyTorch 2.15. All numbers are made by `numbers`, as tests/support/recorded_layers.h does. PyTorch puts the
channels second, ddx last: what is recorded is in the order of ddx.
"""
import math

import torch


def numbers(shape, start):
    """sin(0.7 (start + i)), i from 0 on, in row-major order."""
    count = math.prod(shape)
    return torch.tensor([math.sin(0.7 * (start + i)) for i in range(count)], dtype=torch.float64).reshape(shape)


def show(name, tensor):
    print(f'{{"{name}", {{{", ".join(repr(x) for x in tensor.detach().contiguous().flatten().tolist())}}}}},')


def record(name, output, leaves):
    """The output and the gradients of its weighted sum; `leaves` are (name, tensor, order of axes) or pairs."""
    (output * numbers(output.shape, 50)).sum().backward()
    show(name, output)
    for label, leaf in leaves:
        show(f"{name}.{label}", leaf.grad)


def leaf(shape, start):
    return numbers(shape, start).requires_grad_()


def norms():
    x, scale, offset = leaf((2, 3, 4), 1), leaf((4,), 30), leaf((4,), 40)
    record("layer_norm", torch.nn.functional.layer_norm(x, (4,), scale, offset, eps=1e-3),
           [("x", x), ("scale", scale), ("offset", offset)])
    x, scale = leaf((2, 3, 4), 1), leaf((4,), 30)
    record("rms_norm", torch.nn.functional.rms_norm(x, (4,), scale, eps=1e-6), [("x", x), ("scale", scale)])
    for name, groups in (("group_norm", 2), ("instance_norm", 4)):
        x, scale, offset = leaf((2, 3, 3, 4), 1), leaf((4,), 30), leaf((4,), 40)
        first = torch.nn.functional.group_norm(x.permute(0, 3, 1, 2), groups, scale, offset, eps=1e-3)
        record(name, first.permute(0, 2, 3, 1), [("x", x), ("scale", scale), ("offset", offset)])


def embedding():
    weight = leaf((5, 3), 1)
    record("embedding", torch.nn.functional.embedding(torch.tensor([[0, 4], [2, 2]]), weight), [("weight", weight)])


def recurrent():
    kinds = [("lstm", torch.nn.LSTM, 4), ("gru", torch.nn.GRU, 3), ("basic_rnn", torch.nn.RNN, 1)]
    for name, kind, gates in kinds:
        for both in (False, True):
            layer = kind(4, 3, batch_first=True, bidirectional=both, dtype=torch.float64)
            with torch.no_grad():
                for end, start in (("", 0), ("_reverse", 100))[: 2 if both else 1]:
                    getattr(layer, f"weight_ih_l0{end}").copy_(numbers((gates * 3, 4), start + 100))
                    getattr(layer, f"weight_hh_l0{end}").copy_(numbers((gates * 3, 3), start + 200))
                    getattr(layer, f"bias_ih_l0{end}").copy_(numbers((gates * 3,), start + 300))
                    getattr(layer, f"bias_hh_l0{end}").copy_(0.5 * numbers((gates * 3,), start + 350))
            x = leaf((2, 5, 4), 1)
            leaves = [("x", x), ("input_weight", layer.weight_ih_l0), ("hidden_weight", layer.weight_hh_l0),
                      ("input_bias", layer.bias_ih_l0), ("hidden_bias", layer.bias_hh_l0)]
            record(("bidirectional_" if both else "") + name, layer(x)[0], leaves)


norms()
embedding()
recurrent()
