"""Arrays whose numbers follow from their names; the same in tests/support/named_numbers.h. For scripts that record."""
import numpy as np
import torch


def hashed(name):
    """FNV-1a of 64 bits."""
    value = 0xCBF29CE484222325
    for byte in name.encode():
        value = ((value ^ byte) * 0x100000001B3) % 2**64
    return value


def numbers(name, count):
    """The first `count` results of splitmix64 from the hash of the name on, as numbers in [-1, 1)."""
    with np.errstate(over="ignore"):
        z = np.uint64(hashed(name)) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return ((z ^ (z >> np.uint64(31))) >> np.uint64(11)).astype(np.float64) * 2.0**-52 - 1


@torch.no_grad()
def fill_array(name, array):
    """Gives an array of PyTorch the numbers of its name."""
    u = torch.from_numpy(numbers(name, array.numel()).reshape(tuple(array.shape)))
    if name.endswith("running_var"):
        array.copy_(1 + 0.5 * u)
    elif array.dim() >= 2:
        array.copy_(u * (6 / (array.numel() / array.shape[0])) ** 0.5)
    else:
        array.copy_(0.1 * u + (1 if name.endswith("weight") else 0))
