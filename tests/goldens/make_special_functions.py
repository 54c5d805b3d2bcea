#!/usr/bin/env python3
"""Records the gamma and error functions, as the rows of tests/goldens/special_functions.inc.

Usage: make_special_functions.py > special_functions.inc
Recorded with mpmath 1.3, in 40 digits, rounded to double.
"""
import mpmath

mpmath.mp.dps = 40
GAMMA_POINTS = [-1000.3, -20.75, -2.5, -0.5, -1e-3, 1e-3, 0.5, 1.0, 1.4616321449683623, 2.0, 7.25,
                30.0, 1000.0]
ERROR_POINTS = [-6.0, -1.5, -0.9, -1e-3, 1e-9, 0.3, 0.999, 1.001, 2.5, 5.0, 8.5, 25.0]
FUNCTIONS = [
    ("lgamma", GAMMA_POINTS, lambda x: mpmath.log(abs(mpmath.gamma(x)))),
    ("digamma", GAMMA_POINTS, mpmath.digamma),
    ("polygamma 1", GAMMA_POINTS, lambda x: mpmath.polygamma(1, x)),
    ("polygamma 2", GAMMA_POINTS, lambda x: mpmath.polygamma(2, x)),
    ("polygamma 5", GAMMA_POINTS, lambda x: mpmath.polygamma(5, x)),
    ("erf", ERROR_POINTS, mpmath.erf),
    ("erfc", ERROR_POINTS, mpmath.erfc),
]


def row(numbers):
    return "{" + ", ".join(repr(float(x)) for x in numbers) + "}"


for name, points, function in FUNCTIONS:
    print(f'{{"{name}", {row(points)}, {row(function(mpmath.mpf(x)) for x in points)}}},')
