#!/usr/bin/env python3
"""Computes quantiles of the normal distribution, as the rows of tests/goldens/normal_quantiles.inc.

Usage: make_normal_quantiles.py > normal_quantiles.inc
Computed with mpmath in 50 digits: {probability, quantile}, of the probability as a double.
"""
import mpmath

mpmath.mp.dps = 50
PROBABILITIES = [1e-300, 1e-20, 1e-12, 1e-11, 1e-5, 0.01, 0.022750131948179207, 0.0749, 0.075,
                 0.0751, 0.1, 0.25, 0.4, 0.499999, 0.5000001, 0.6, 0.9, 0.925, 0.9251, 0.97, 0.999]

for probability in PROBABILITIES:
    p = mpmath.mpf(probability)
    tail = 2 * min(p, 1 - p)  # Of both sides, beyond sqrt(2) t.
    start = mpmath.sqrt(-mpmath.log(tail)) if tail < 0.2 else mpmath.mpf(0.1)
    t = mpmath.findroot(lambda t: mpmath.log(mpmath.erfc(t) / tail), start)
    assert abs(mpmath.erfc(t) / tail - 1) < mpmath.mpf(10) ** -40
    quantile = mpmath.sqrt(2) * (-t if p < 0.5 else t)
    print(f"{{{probability!r}, {float(quantile)!r}}},")
