"""What the scripts that record layers share: their operands, and the form of their rows."""
import math

import torch


def numbers(shape, start):
    """sin(0.7 (start + i)), i from 0 on, in row-major order."""
    count = math.prod(shape)
    return torch.tensor([math.sin(0.7 * (start + i)) for i in range(count)], dtype=torch.float64).reshape(shape)


def leaf(shape, start):
    return numbers(shape, start).requires_grad_()


def show(name, tensor):
    print(f'{{"{name}", {{{", ".join(repr(x) for x in tensor.detach().contiguous().flatten().tolist())}}}}},')


def record(name, output, leaves):
    """The output and the gradients of its weighted sum; `leaves` are pairs of a name and a tensor."""
    (output * numbers(output.shape, 50)).sum().backward()
    show(name, output)
    for label, tensor in leaves:
        show(f"{name}.{label}", tensor.grad)
