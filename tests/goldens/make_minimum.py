#!/usr/bin/env python3
"""Computes the minimum of a logistic regression, as the numbers of tests/goldens/minimum.inc.

Usage: make_minimum.py > minimum.inc
Recorded with SciPy (trust-exact, by gradient and Hessian): both slopes, offset, value. The problem is
that of tests/unit/nn/optimizers/lbfgs_test.cpp.
"""
import numpy as np
from scipy.optimize import minimize

X = np.array([[1.0, 2.0], [2.0, -1.0], [-1.5, 0.5], [0.5, 0.5], [-1.0, -2.0], [3.0, 1.0]])
LABELS = np.array([1.0, 0.0, 1.0, 0.0, 0.0, 1.0])
A = np.c_[X, np.ones(6)]
PENALTY = np.diag([0.1, 0.1, 0.0])


def value(w):
    z = A @ w
    return np.mean(np.logaddexp(0, z) - LABELS * z) + 0.5 * w @ PENALTY @ w


def gradient(w):
    return A.T @ (1 / (1 + np.exp(-A @ w)) - LABELS) / 6 + PENALTY @ w


def hessian(w):
    p = 1 / (1 + np.exp(-A @ w))
    return A.T @ (A * (p * (1 - p))[:, None]) / 6 + PENALTY


found = minimize(value, np.zeros(3), jac=gradient, hess=hessian, method="trust-exact",
                 options={"gtol": 1e-9}).x
for _ in range(5):  # Newton to the last digit.
    found = found - np.linalg.solve(hessian(found), gradient(found))
assert np.abs(gradient(found)).max() < 1e-15
assert np.linalg.eigvalsh(hessian(found)).min() > 0.05  # The test relies on it.
print(", ".join(repr(float(v)) for v in [*found, value(found)]))
