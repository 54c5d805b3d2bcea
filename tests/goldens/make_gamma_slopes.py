#!/usr/bin/env python3
"""Computes derivatives of gamma variables by their concentration, as the rows of tests/goldens/gamma_slopes.inc.

Usage: make_gamma_slopes.py > gamma_slopes.inc
Computed with mpmath in 40 digits: {concentration a, variable x, dlog x/da}, where x moves with a so that its probability
P(a, x) stays: -(dP/da) / (x dP/dx).
"""
import mpmath

mpmath.mp.dps = 40


def probability(a, x):
    return mpmath.gammainc(a, 0, x, regularized=True)


for a, xs in ((0.001, (1e-300, 1e-20, 0.1)), (0.3, (1e-8, 0.2, 3.0)), (1.0, (0.01, 1.0, 6.0)), (2.5, (0.1, 2.0, 12.0)),
              (30.0, (15.0, 30.0, 60.0)), (1000.0, (900.0, 1000.0, 1100.0)), (1e5, (9.95e4, 1.003e5))):
    for x in xs:
        by_a = mpmath.diff(lambda t: probability(t, mpmath.mpf(x)), mpmath.mpf(a))
        by_x = mpmath.exp((a - 1) * mpmath.log(x) - x - mpmath.loggamma(a))
        print(f"{{{a!r}, {x!r}, {float(-by_a / (x * by_x))!r}}},")
