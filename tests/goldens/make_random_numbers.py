#!/usr/bin/env python3
"""Computes random numbers of the key 42 independently of ddx, as the rows of tests/goldens/random_numbers.inc.

Usage: make_random_numbers.py > random_numbers.inc
The generator is Philox4x32-10 (J. Salmon et al., 2011), written out below; quantiles are SciPy's.
"""
import math

from scipy.special import ndtr, ndtri

MASK = 0xFFFFFFFF


class Key:
    def __init__(self, key, stream=0):
        self.key, self.stream = key, stream

    def words(self, block):
        c = [block & MASK, block >> 32, self.stream & MASK, self.stream >> 32]
        k = [self.key & MASK, self.key >> 32]
        for _ in range(10):
            p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
            c = [(q >> 32) ^ c[1] ^ k[0], q & MASK, (p >> 32) ^ c[3] ^ k[1], p & MASK]
            k = [(k[0] + 0x9E3779B9) & MASK, (k[1] + 0xBB67AE85) & MASK]
        return c

    def child(self, number):
        w = self.words(2**63 + number)
        return Key(w[1] << 32 | w[0], w[3] << 32 | w[2])

    def uniform(self, index):
        """Number `index` of random_uniform<double>."""
        w = self.words(index // 2)[2 * (index % 2):]
        return ((w[0] << 32 | w[1]) >> 11) * 2.0**-53


class Draws:
    """The stream of one element: the blocks index, index + 2^40, ..., two numbers of 64 bits in each."""

    def __init__(self, key, index):
        self.key, self.block, self.left = key, index, []

    def bits(self):
        if not self.left:
            w = self.key.words(self.block)
            self.block += 2**40
            self.left = [w[0] << 32 | w[1], w[2] << 32 | w[3]]
        return self.left.pop(0)

    def uniform(self):
        return ((self.bits() >> 11) + 1) * 2.0**-53

    def normal(self):
        radius = math.sqrt(-2 * math.log(self.uniform()))
        return radius * math.cos(2 * math.pi * self.uniform())

    def below(self, width):
        while True:
            drawn = self.bits()
            if drawn >= 2**64 % width:
                return drawn % width


def log_gamma(key, index, a):
    draws = Draws(key, index)
    d = (a + 1 if a < 1 else a) - 1 / 3
    c = 1 / math.sqrt(9 * d)
    while True:
        x = draws.normal()
        u = draws.uniform()
        v = (1 + c * x) ** 3
        if v > 0 and math.log(u) < 0.5 * x * x + d - d * v + d * math.log(v):
            return math.log(d * v) + (math.log(draws.uniform()) / a if a < 1 else 0)


def permutation(key, count):
    order = list(range(count))
    for left in range(count, 1, -1):
        chosen = Draws(key, left).below(left)
        order[left - 1], order[chosen] = order[chosen], order[left - 1]
    return order


def categorical(key, weights, count):
    drawn = []
    for i in range(count):
        level, sum_so_far, chosen = key.uniform(i) * sum(weights), 0, 0
        for chosen, weight in enumerate(weights):
            sum_so_far += weight
            if sum_so_far > level:
                break
        drawn.append(chosen)
    return drawn


def row(name, values):
    print(f'{{"{name}", {{{", ".join(repr(float(value)) for value in values)}}}}},')


KEY = Key(42)
row("integers", [Draws(KEY, i).below(1000) - 500 for i in range(8)])
row("permutation", permutation(KEY, 10))
row("categorical", categorical(KEY, [1, 2, 0, 5], 12))
row("truncated_normal", [3 + 0.5 * ndtri(ndtr(-2) + KEY.uniform(i) * (ndtr(2) - ndtr(-2))) for i in range(6)])
row("gamma", [math.exp(log_gamma(KEY, i, a)) for i, a in enumerate((0.1, 0.7, 1.0, 2.5, 100.0))])
first, second = KEY.child(0), KEY.child(1)
row("beta", [1 / (1 + math.exp(log_gamma(second, i, b) - log_gamma(first, i, a)))
             for i, (a, b) in enumerate(((0.5, 0.5), (2.0, 3.0), (30.0, 0.2)))])
