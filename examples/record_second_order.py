#!/usr/bin/env python3
"""The numbers that the examples 11 to 16 end in, by JAX in f64.

Usage: record_second_order.py     (needs jax; recorded with 0.10.2)

Prints one line for each example: its name and the numbers that it compares with.
"""
import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)
tree_map = jax.tree_util.tree_map


def pattern(shape, seed, scale=1.0):
    """scale sin(seed + 0.7 i) for the elements i."""
    return jnp.asarray(scale * np.sin(seed + 0.7 * np.arange(int(np.prod(shape))))).reshape(shape)


def network(inputs, hidden):
    """Hidden weights and biases, output weights and bias."""
    return [pattern((inputs, hidden), 1.0, 0.8), pattern((hidden,), 2.0, 0.3),
            pattern((hidden, 1), 3.0, 0.5), pattern((1,), 4.0, 0.1)]


def apply(p, x):
    return jnp.tanh(x @ p[0] + p[1]) @ p[2] + p[3]


def dot(a, b):
    return sum(jnp.sum(x * y) for x, y in zip(a, b))


def descend(loss, p, rate, steps):
    step = jax.jit(lambda p: tree_map(lambda w, g: w - rate * g, p, jax.grad(loss)(p)))
    for _ in range(steps):
        p = step(p)
    return p


def burgers_equation():
    nu = 0.01 / np.pi
    inside = jnp.stack([0.5 + 0.5 * pattern((24,), 0.3), pattern((24,), 1.1)], 1)
    x = pattern((16,), 0.7)
    start = jnp.stack([jnp.zeros(16), x], 1)
    t = 0.5 + 0.5 * pattern((8,), 0.2)
    left, right = jnp.stack([t, -jnp.ones(8)], 1), jnp.stack([t, jnp.ones(8)], 1)

    def residual(p):
        def total(q):
            return jnp.sum(apply(p, q))

        first = jax.grad(total)(inside)
        second = jax.grad(lambda q: jnp.sum(jax.grad(total)(q)[:, 1]))(inside)[:, 1]
        return first[:, 0] + apply(p, inside)[:, 0] * first[:, 1] - nu * second

    def loss(p):
        return (jnp.mean(residual(p)**2) + jnp.mean((apply(p, start)[:, 0] + jnp.sin(np.pi * x))**2) +
                jnp.mean(apply(p, left)**2) + jnp.mean(apply(p, right)**2))

    p = network(2, 12)
    return loss(p), loss(descend(loss, p, 0.05, 200))


def gradient_penalty():
    real, generated = pattern((16, 2), 0.4) + 1, pattern((16, 2), 0.9, 0.5)
    share = 0.5 + 0.5 * pattern((16, 1), 0.1)

    def loss(p):
        slopes = jax.grad(lambda q: jnp.sum(apply(p, q)))(share * real + (1 - share) * generated)
        lengths = jnp.sqrt(jnp.sum(slopes * slopes, 1))
        return jnp.mean(apply(p, generated)) - jnp.mean(apply(p, real)) + 10 * jnp.mean((lengths - 1)**2)

    p = network(2, 8)
    return loss(p), loss(descend(loss, p, 0.01, 100))


def meta_learning():
    seen, asked = pattern((10, 1), 0.5, 5), pattern((10, 1), 1.5, 5)

    def error(p, x, task):
        return jnp.mean((apply(p, x) - task[0] * jnp.sin(x + task[1]))**2)

    def after_step(p, task):
        moved = tree_map(lambda w, g: w - 0.02 * g, p, jax.grad(error)(p, seen, task))
        return error(moved, asked, task)

    def loss(p):
        return sum(after_step(p, (1 + 0.5 * i, 0.4 * i)) for i in range(4)) / 4

    p = network(1, 10)
    return loss(p), loss(descend(loss, p, 0.01, 50))


def newton_cg():
    x = pattern((20, 1), 0.5, 2)

    def loss(p):
        return jnp.mean((apply(p, x) - jnp.sin(2 * x))**2) + 0.01 * dot(p, p)

    gradient = jax.jit(jax.grad(loss))
    hvp = jax.jit(lambda p, v: jax.jvp(jax.grad(loss), (p,), (v,))[1])

    def added(a, scale, b):
        return tree_map(lambda x, y: x + scale * y, a, b)

    p = network(1, 6)
    first = loss(p)
    for _ in range(300):
        g = gradient(p)
        direction, rest = tree_map(jnp.zeros_like, p), tree_map(lambda a: -a, g)
        conjugate, square = rest, dot(rest, rest)
        for _ in range(10):
            product = added(hvp(p, conjugate), 0.1, conjugate)
            curvature = dot(conjugate, product)
            if curvature <= 0:
                break
            length = square / curvature
            direction, rest = added(direction, length, conjugate), added(rest, -length, product)
            following = dot(rest, rest)
            conjugate, square = added(rest, following / square, conjugate), following
        length = 1.0
        while loss(added(p, length, direction)) > loss(p) + 1e-4 * length * dot(g, direction) and length > 1e-6:
            length /= 2
        p = added(p, length, direction)
    return first, loss(p)


def laplace_approximation():
    x = jnp.concatenate([pattern((30, 3), 0.5), jnp.ones((30, 1))], 1)
    labels = (pattern((30,), 0.9) + 0.5 * x[:, 0] > 0).astype(float)

    def energy(w):
        scores = x @ w
        return jnp.sum(jnp.logaddexp(0, scores) - labels * scores) + 0.5 * jnp.sum(w * w)

    w = jnp.zeros(4)
    for _ in range(20):
        w = w - jnp.linalg.solve(jax.hessian(energy)(w), jax.grad(energy)(w))
    curvature = jax.hessian(energy)(w)
    return (energy(w), -energy(w) - 0.5 * jnp.linalg.slogdet(curvature)[1],
            jnp.sqrt(jnp.linalg.inv(curvature)[0, 0]))


def inner_optimisation():
    x = jnp.concatenate([pattern((40, 3), 0.5), jnp.ones((40, 1))], 1)
    labels = (pattern((40,), 0.9) + 0.5 * x[:, 0] > 0).astype(float)

    def loss(w, of):
        scores = x[of] @ w
        return jnp.sum(jnp.logaddexp(0, scores) - labels[of] * scores)

    training, validation = slice(0, 6), slice(20, 40)

    def inner(w, strengths):
        return loss(w, training) + 0.5 * jnp.sum(jnp.exp(strengths) * w * w)

    @jax.jit
    def value_and_slope(strengths):
        w = jnp.zeros(4)
        for _ in range(20):
            w = w - jnp.linalg.solve(jax.hessian(inner)(w, strengths), jax.grad(inner)(w, strengths))
        value, by_w = jax.value_and_grad(lambda v: loss(v, validation) / 20)(w)
        mixed = jax.jacobian(jax.grad(inner), 1)(w, strengths)
        return value, -jnp.linalg.solve(jax.hessian(inner)(w, strengths), by_w) @ mixed

    strengths = jnp.zeros(4)
    first, slope = value_and_slope(strengths)
    for _ in range(30):
        strengths = strengths - 10 * value_and_slope(strengths)[1]
    return first, slope[0], value_and_slope(strengths)[0]


if __name__ == "__main__":
    for use in (burgers_equation, gradient_penalty, meta_learning, newton_cg, laplace_approximation,
                inner_optimisation):
        print(use.__name__, *(f"{float(number):.15g}" for number in use()))
