#!/usr/bin/env python3
"""Records convolutions, poolings, resizing and rearrangement by PyTorch, and grey-value morphology by SciPy.

Usage: make_windows.py
Writes windows.json: values, and gradients of sum(y c). Recorded with PyTorch 2.15 and SciPy 1.17. All numbers are made by
`numbers`, as tests/support/recorded_layers.h does. PyTorch puts the channels second, ddx last: what is recorded is in
the order of ddx.
"""
import json
import math
import pathlib

import numpy
import scipy.ndimage
import torch
from torch.nn import functional

FILE = pathlib.Path(__file__).parent / "windows.json"


def numbers(shape, start):
    """sin(0.7 (start + i)), i from 0 on, in row-major order."""
    count = math.prod(shape)
    return torch.tensor([math.sin(0.7 * (start + i)) for i in range(count)], dtype=torch.float64).reshape(shape)


def leaf(shape, start):
    return numbers(shape, start).requires_grad_()


def first(x):
    """Channels second."""
    return x.movedim(-1, 1)


def last(x):
    """Channels last."""
    return x.movedim(1, -1)


def weights(filter_of_ddx):
    """[k..., c, f] as [f, c, k...]"""
    axes = filter_of_ddx.dim()
    return filter_of_ddx.permute(axes - 1, axes - 2, *range(axes - 2))


def flat(x):
    return [round(value, 13) for value in x.detach().contiguous().flatten().tolist()]


def gradients(y, *leaves):
    return torch.autograd.grad((y * numbers(y.shape, 50)).sum(), leaves)


def convolution(x_shape, filter_shape, strides, low, high, dilations, groups):
    axes = len(strides)
    x, w = leaf(x_shape, 1), leaf(filter_shape, 30)
    pads = [amount for axis in reversed(range(axes)) for amount in (low[axis], high[axis])]
    convolve = (functional.conv1d, functional.conv2d, functional.conv3d)[axes - 1]
    y = last(convolve(functional.pad(first(x), pads), weights(w), None, strides, 0, dilations, groups))
    dx, dw = torch.autograd.grad((y * numbers(y.shape, 50)).sum(), (x, w), create_graph=True)
    # The second derivatives: of sum(dx a) with respect to the filter, of sum(dw b) with respect to the input.
    of_dx, = torch.autograd.grad((dx * numbers(x_shape, 60)).sum(), w, retain_graph=True)
    of_dw, = torch.autograd.grad((dw * numbers(filter_shape, 70)).sum(), x)
    return {"x": x_shape, "filter": filter_shape, "strides": strides, "low": low, "high": high, "dilations": dilations,
            "groups": groups, "y_shape": list(y.shape), "y": flat(y), "dx": flat(dx), "dfilter": flat(dw),
            "dfilter_of_dx": flat(of_dx), "dx_of_dfilter": flat(of_dw)}


def transposed(x_shape, filter_shape, strides, padding, extra, dilations, groups):
    axes = len(strides)
    x, w = leaf(x_shape, 1), leaf(filter_shape, 30)
    convolve = (functional.conv_transpose1d, functional.conv_transpose2d, functional.conv_transpose3d)[axes - 1]
    y = last(convolve(first(x), weights(w), None, strides, padding, extra, groups, dilations))
    dx, dw = gradients(y, x, w)
    return {"x": x_shape, "filter": filter_shape, "strides": strides, "low": padding, "dilations": dilations,
            "groups": groups, "extents": list(y.shape[1:-1]) if any(extra) else [0] * axes, "y_shape": list(y.shape),
            "y": flat(y), "dx": flat(dx), "dfilter": flat(dw)}


def pooling(kind, x_shape, size, strides, padding):
    axes = len(size)
    x = leaf(x_shape, 1)
    if kind == "max":
        pool = (functional.max_pool1d, functional.max_pool2d, functional.max_pool3d)[axes - 1]
        y = last(pool(first(x), size, strides, padding))
    else:
        pool = (functional.avg_pool1d, functional.avg_pool2d, functional.avg_pool3d)[axes - 1]
        y = last(pool(first(x), size, strides, padding, count_include_pad=False))
    return {"kind": kind, "x": x_shape, "size": size, "strides": strides, "low": padding, "y_shape": list(y.shape),
            "y": flat(y), "dx": flat(gradients(y, x)[0])}


def resize(x_shape, to, mode, antialias=False, align_corners=None):
    x = leaf(x_shape, 1)
    arguments = {} if align_corners is None else {"align_corners": align_corners}
    y = last(functional.interpolate(first(x), size=to, mode=mode, antialias=antialias, **arguments))
    return {"x": x_shape, "to": to, "mode": mode, "antialias": antialias, "align_corners": bool(align_corners),
            "y": flat(y), "dx": flat(gradients(y, x)[0])}


def rearrangement(x_shape, block):
    """Channel (i block + j) c + k of ddx is channel (k block + i) block + j of PyTorch."""
    n, h, w, channels = x_shape
    c = channels // (block * block)
    x = numbers(x_shape, 1)
    in_order = x.reshape(n, h, w, block, block, c).permute(0, 5, 3, 4, 1, 2).reshape(n, channels, h, w)
    return {"x": x_shape, "block": block, "y": flat(last(functional.pixel_shuffle(in_order, block)))}


def morphology(x_shape, filter_shape):
    x, w = numbers(x_shape, 1).numpy(), numbers(filter_shape, 30).numpy()
    tall, wide = ((extent - 1) // 2 for extent in filter_shape[:2])
    inner = (slice(tall, x_shape[1] - tall), slice(wide, x_shape[2] - wide))

    def per_image(operation):
        """SciPy mirrors the structure of a dilation; TensorFlow that of an erosion."""
        return numpy.stack([numpy.stack([operation(x[n, :, :, c], structure=w[::-1, ::-1, c])[inner]
                                         for c in range(x_shape[3])], axis=-1) for n in range(x_shape[0])])

    return {"x": x_shape, "filter": filter_shape,
            "dilation": flat(torch.from_numpy(per_image(scipy.ndimage.grey_dilation))),
            "erosion": flat(torch.from_numpy(per_image(scipy.ndimage.grey_erosion)))}


def main():
    recorded = {
        "convolution": [
            convolution([2, 7, 3], [3, 3, 4], [1], [0], [0], [1], 1),
            convolution([2, 9, 4], [3, 2, 6], [2], [1], [2], [2], 2),
            convolution([1, 5, 3], [2, 1, 6], [3], [0], [1], [1], 3),
            convolution([2, 5, 6, 2], [3, 2, 2, 3], [2, 1], [1, 0], [0, 1], [1, 1], 1),
            convolution([1, 7, 8, 4], [2, 3, 2, 4], [1, 2], [0, 2], [1, 2], [3, 2], 2),
            convolution([1, 1, 1, 2], [1, 1, 2, 2], [2, 2], [0, 0], [0, 0], [1, 1], 1),
            convolution([2, 3, 4, 3, 2], [2, 2, 3, 2, 2], [1, 1, 1], [0, 1, 0], [1, 0, 0], [1, 1, 1], 1),
            convolution([1, 5, 4, 5, 4], [2, 2, 2, 2, 2], [2, 1, 2], [0, 0, 1], [0, 0, 1], [1, 2, 3], 2),
        ],
        "transposed": [
            transposed([2, 4, 3], [3, 2, 3], [1], [0], [0], [1], 1),
            transposed([2, 4, 4], [3, 3, 4], [3], [1], [2], [2], 2),
            transposed([2, 3, 4, 2], [3, 3, 4, 2], [2, 1], [0, 1], [0, 0], [1, 1], 1),
            transposed([1, 3, 2, 4], [2, 3, 1, 4], [3, 2], [0, 1], [1, 1], [1, 2], 2),
            transposed([1, 2, 3, 2, 4], [2, 3, 2, 1, 4], [2, 1, 2], [0, 1, 0], [1, 0, 1], [1, 1, 2], 2),
        ],
        "pooling": [pooling(kind, *arguments) for kind in ("max", "avg") for arguments in (
            ([2, 7, 3], [2], [2], [0]), ([2, 7, 3], [3], [1], [1]), ([2, 9, 1], [2], [3], [0]),
            ([2, 5, 6, 2], [3, 2], [2, 1], [1, 0]), ([1, 4, 4, 2], [2, 2], [2, 2], [1, 1]),
            ([2, 4, 5, 4, 3], [2, 3, 2], [2, 1, 2], [0, 1, 1]), ([1, 3, 3, 3, 2], [3, 3, 3], [1, 1, 1], [0, 0, 0]))],
        "resize": [
            *(resize([2, 4, 5, 2], to, mode, align_corners=align) for mode in ("bilinear", "bicubic")
              for align in (False, True) for to in ([7, 3], [1, 9])),
            *(resize([1, 9, 7, 2], to, mode, antialias=True, align_corners=False) for mode in ("bilinear", "bicubic")
              for to in ([4, 2], [5, 11])),
            resize([1, 5, 4, 2], [3, 9], "nearest-exact"), resize([2, 6, 8, 2], [2, 4], "area"),
            resize([1, 3, 2, 1], [6, 4], "area")],
        "rearrangement": [rearrangement([2, 3, 2, 8], 2), rearrangement([1, 1, 2, 9], 3)],
        "morphology": [morphology([2, 5, 6, 2], [3, 3, 2]), morphology([1, 5, 5, 1], [1, 5, 1])],
    }
    lines = [f'"{name}": [\n' + ",\n".join(map(json.dumps, table)) + "\n]" for name, table in recorded.items()]
    FILE.write_text("{" + ",\n".join(lines) + "}\n")


main()
