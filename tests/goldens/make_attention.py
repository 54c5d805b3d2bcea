#!/usr/bin/env python3
"""Records PyTorch's attention layers, as the rows of tests/goldens/attention.inc: values, and gradients of sum(y c).

Usage: make_attention.py > attention.inc
Recorded with PyTorch 2.15. All numbers are made by `numbers`, as tests/support/recorded_layers.h does. Weights are set
in PyTorch's order, out x in: ddx has them transposed.
"""
import torch
from torch.nn import functional as F

from layer_numbers import leaf, numbers, record


def operands():
    return leaf((2, 2, 3, 4), 1), leaf((2, 2, 5, 4), 20), leaf((2, 2, 5, 3), 40)


def attention():
    mask = torch.tensor([[True, False, True, True, False], [False, True, True, False, True], [True] * 5])
    for name, options in (("attention", {}), ("attention_masked", {"attn_mask": mask}), ("attention_scaled", {"scale": 0.3})):
        q, k, v = operands()
        record(name, F.scaled_dot_product_attention(q, k, v, **options), [("query", q), ("key", k), ("value", v)])
    q, k, v = leaf((2, 2, 4, 4), 1), leaf((2, 2, 4, 4), 20), leaf((2, 2, 4, 4), 40)
    record("attention_causal", F.scaled_dot_product_attention(q, k, v, is_causal=True), [("query", q), ("key", k), ("value", v)])
    # The last query stands at the last key.
    q, k, v = operands()
    last = torch.ones(3, 5, dtype=torch.bool).tril(5 - 3)
    record("attention_continued", F.scaled_dot_product_attention(q, k, v, attn_mask=last, scale=0.8),
           [("query", q), ("key", k), ("value", v)])


def rotary():
    """J. Su et al., equation 12: neighbours as complex numbers, multiplied by e^(i m theta)."""
    angles = torch.outer(torch.arange(3, 8, dtype=torch.float64), 100.0 ** (-torch.arange(0, 6, 2, dtype=torch.float64) / 6))
    turn = torch.polar(torch.ones_like(angles), angles)
    x = leaf((2, 5, 6), 1)
    turned = torch.view_as_real(torch.view_as_complex(x.reshape(2, 5, 3, 2)) * turn).reshape(2, 5, 6)
    record("rotary_neighbours", turned, [("x", x)])
    x = leaf((2, 5, 6), 1)
    halves = torch.stack(x.split(3, -1), -1).contiguous()
    turned = torch.view_as_real(torch.view_as_complex(halves) * turn)
    record("rotary_halves", torch.cat(turned.unbind(-1), -1), [("x", x)])


def set_weights(layer):
    with torch.no_grad():
        for i, parameter in enumerate(layer.parameters()):
            parameter.copy_(numbers(parameter.shape, 100 * (i + 1)))


def multi_head():
    for name, context_features in (("multi_head_self", 4), ("multi_head_cross", 6)):
        cross = context_features != 4
        layer = torch.nn.MultiheadAttention(4, 2, batch_first=True, dtype=torch.float64,
                                            kdim=context_features if cross else None, vdim=context_features if cross else None)
        set_weights(layer)
        x = leaf((2, 3, 4), 1)
        context = leaf((2, 5, context_features), 30) if cross else x
        leaves = [("x", x), ("in_bias", layer.in_proj_bias), ("out_weight", layer.out_proj.weight),
                  ("out_bias", layer.out_proj.bias)]
        if cross:
            leaves += [("context", context), ("query_weight", layer.q_proj_weight), ("key_weight", layer.k_proj_weight),
                       ("value_weight", layer.v_proj_weight)]
        else:
            leaves += [("in_weight", layer.in_proj_weight)]
        record(name, layer(x, context, context, need_weights=False)[0], leaves)


def blocks():
    for name, first in (("block_before", True), ("block_after", False)):
        layer = torch.nn.TransformerEncoderLayer(4, 2, 6, dropout=0, activation="gelu", batch_first=True, norm_first=first,
                                                 dtype=torch.float64)
        set_weights(layer)
        x = leaf((2, 3, 4), 1)
        leaves = [("x", x)] + [(label, parameter) for label, parameter in layer.named_parameters()]
        causal = torch.nn.Transformer.generate_square_subsequent_mask(3, dtype=torch.float64)
        record(name, layer(x, src_mask=causal), leaves)


attention()
rotary()
multi_head()
blocks()
