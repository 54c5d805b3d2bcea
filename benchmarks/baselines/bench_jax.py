#!/usr/bin/env python3
"""Gradients of bench_ad's programs by JAX on one processor core.

Usage: bench_jax.py [--quick] [--only PREFIX] --data FOLDER --json FILE

The programs are written as JAX wants them (whole arrays; scan where state goes through time) and compiled by XLA, in
double precision except for mlp. FOLDER holds ADBench's inputs. Exit status 77: there is no JAX.
"""
import argparse
import json
import os
import pathlib
import sys
import time

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
RELATIVE_TOLERANCE = 1e-5  # Of central differences; mlp is in single precision and gets 1e-2.


def problems(data, jax, numpy):
    """Name -> (function, arguments); the gradient is taken by all of them."""
    jnp, lax = jax.numpy, jax.lax
    logsumexp = jax.scipy.special.logsumexp
    random = numpy.random.default_rng(1)

    def numbers(path):
        return numpy.array((data / path).read_text().split(), float)

    def gmm(d, k):
        v = numbers(f"gmm/gmm_d{d}_K{k}.txt")
        n, triangle = int(v[2]), d * (d - 1) // 2
        weights, v = v[3:3 + k], v[3 + k:]
        means, v = v[:k * d].reshape(k, d), v[k * d:]
        factors, v = v[:k * (d + triangle)].reshape(k, d + triangle), v[k * (d + triangle):]
        x, (gamma, m) = v[:n * d].reshape(n, d), v[n * d:]
        # Columns of the strict lower triangle, one behind the other.
        rows, columns = numpy.array([(i, j) for j in range(d) for i in range(j + 1, d)]).reshape(-1, 2).T

        def f(weights, means, factors):
            diagonal = jnp.exp(factors[:, :d])
            trace = factors[:, :d].sum(1)
            lower = jnp.zeros((k, d, d)).at[:, rows, columns].set(factors[:, d:])
            centred = x[:, None, :] - means[None]
            scaled = diagonal * centred + jnp.einsum("kij,nkj->nki", lower, centred)
            inner = logsumexp(weights + trace - 0.5 * (scaled ** 2).sum(2), axis=1).sum()
            prior = (0.5 * gamma ** 2 * ((diagonal ** 2).sum() + (factors[:, d:] ** 2).sum()) - m * trace.sum())
            return inner - n * logsumexp(weights) + prior
        return f, (weights, means, factors)

    def lstm(size):
        v = numbers(f"lstm/lstm_{size}.txt")
        layers, characters, n = (int(q) for q in v[:3])
        main, v = v[3:3 + 8 * layers * n].reshape(layers, 8, n), v[3 + 8 * layers * n:]
        output, v = v[:3 * n].reshape(3, n), v[3 * n:]
        state, text = v[:2 * layers * n].reshape(layers, 2, n), v[2 * layers * n:].reshape(characters, n)
        sigmoid = jax.nn.sigmoid

        def f(main, output):
            def step(state, pair):
                now, following = pair
                signal, after = now * output[0], []
                for w, (hidden, cell) in zip(main, state):
                    forget = sigmoid(signal * w[0] + w[4])
                    inward = sigmoid(hidden * w[1] + w[5])
                    out = sigmoid(signal * w[2] + w[6])
                    cell = cell * forget + inward * jnp.tanh(hidden * w[3] + w[7])
                    signal = out * jnp.tanh(cell)
                    after.append(jnp.stack([signal, cell]))
                signal = signal * output[1] + output[2]
                loss = (following * (signal - jnp.log(2 + jnp.exp(signal).sum()))).sum()
                return jnp.stack(after), loss
            return -lax.scan(step, jnp.asarray(state), (text[:-1], text[1:]))[1].sum() / ((characters - 1) * n)
        return f, (main, output)

    def llsq():
        t = numpy.linspace(-1, 1, 4000)
        return (lambda x: 0.5 * ((numpy.sign(t) - jnp.vander(t, 64, increasing=True) @ x) ** 2).sum(),
                (1 / (numpy.arange(64) + 2),))

    def rk4():
        step = 0.001

        def f(y, force):
            def slope(y):
                return (jnp.roll(y, -1) - jnp.roll(y, 2)) * jnp.roll(y, 1) - y + force

            def advance(y, _):
                k1 = slope(y)
                k2 = slope(y + 0.5 * step * k1)
                k3 = slope(y + 0.5 * step * k2)
                k4 = slope(y + step * k3)
                return y + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None
            return (lax.scan(advance, y, None, length=1000)[0] ** 2).sum()
        return f, (8 + random.normal(size=100), 8.0)

    def ode():
        def f(x):
            def slope(y):
                return x * jnp.concatenate([jnp.ones(1), y[:-1]])

            def advance(y, _):
                h = 2 / 200
                k1 = slope(y)
                k2 = slope(y + 0.5 * h * k1)
                k3 = slope(y + 0.5 * h * k2)
                k4 = slope(y + h * k3)
                return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None
            return lax.scan(advance, jnp.zeros(50), None, length=200)[0][-1]
        return f, (random.uniform(5, 7, size=50),)

    def kmeans():
        points = random.normal(size=(2000, 8))
        return (lambda c: ((points[:, None] - c[None]) ** 2).sum(2).min(1).sum(), (random.normal(size=(16, 8)),))

    def black_scholes():
        cdf = jax.scipy.stats.norm.cdf
        sign = numpy.where(numpy.arange(2000) % 2 == 0, 1.0, -1.0)

        def f(spot, strike, rate, volatility, maturity):
            spread = volatility * jnp.sqrt(maturity)
            d1 = (jnp.log(spot / strike) + (rate + 0.5 * volatility ** 2) * maturity) / spread
            d2 = d1 - spread
            return (sign * (spot * cdf(sign * d1) - strike * jnp.exp(-rate * maturity) * cdf(sign * d2))).sum()
        ranges = ((80, 120), (80, 120), (0.01, 0.05), (0.1, 0.4), (0.25, 2))
        return f, tuple(random.uniform(low, high, size=2000) for low, high in ranges)

    def heat():
        target = random.uniform(0, 1, (64, 64))

        def f(start, k):
            vertical, horizontal = 0.5 * (k[1:] + k[:-1]), 0.5 * (k[:, 1:] + k[:, :-1])

            def advance(u, _):
                down = (vertical * (u[1:] - u[:-1]))[:, 1:-1]
                right = (horizontal * (u[:, 1:] - u[:, :-1]))[1:-1]
                return u.at[1:-1, 1:-1].add(0.1 * (down[1:] - down[:-1] + right[:, 1:] - right[:, :-1])), None
            return 0.5 * ((lax.scan(advance, start, None, length=200)[0] - target) ** 2).sum()
        return f, (random.uniform(0, 1, (64, 64)), random.uniform(0.5, 1.5, (64, 64)))

    def mlp():
        images = random.normal(size=(32, 64)).astype("f")
        labels = random.integers(0, 10, 32)
        model = [0.1 * random.normal(size=shape).astype("f") for shape in ((128, 64), (128,), (10, 128), (10,))]

        def f(w1, b1, w2, b2):
            scores = jax.nn.relu(images @ w1.T + b1) @ w2.T + b2
            return (logsumexp(scores, axis=1) - scores[numpy.arange(32), labels]).mean()
        return f, tuple(0.1 * m for m in model)

    for d, k in ((2, 5), (10, 5), (10, 25), (20, 25), (32, 25)):
        yield (f"gmm_d{d}_k{k}", *gmm(d, k))
    for size in ("l2_c1024", "l4_c1024"):
        yield (f"lstm_{size}", *lstm(size))
    yield "lse", logsumexp, (random.normal(size=100000),)
    for make in (llsq, rk4, mlp, ode, kmeans, black_scholes, heat):
        yield (make.__name__, *make())


def best_seconds(jax, function, arguments, quick):
    """Processor time of one call, in all threads (XLA works in one of its own); the least over the samples."""
    jax.block_until_ready(function(*arguments))
    begin = time.process_time()
    jax.block_until_ready(function(*arguments))
    repetitions = max(1, round((0.005 if quick else 0.02) / max(time.process_time() - begin, 1e-7)))
    best = float("inf")
    for _ in range(5 if quick else 21):
        begin = time.process_time()
        for _ in range(repetitions):
            result = function(*arguments)
        jax.block_until_ready(result)
        best = min(best, (time.process_time() - begin) / repetitions)
    return best


def error_of(jax, numpy, function, gradient, arguments):
    """The gradient against central differences in one direction."""
    random = numpy.random.default_rng(0)
    directions = [random.normal(size=numpy.shape(a)).astype(numpy.asarray(a).dtype) for a in arguments]
    step = 1e-6 if numpy.asarray(arguments[0]).dtype == float else 1e-2
    ahead, behind = (float(function(*(a + s * d for a, d in zip(arguments, directions)))) for s in (step, -step))
    products = [numpy.asarray(g) * d for g, d in zip(gradient(*arguments)[1], directions)]
    scale = sum(float(numpy.abs(p).sum()) for p in products)
    return abs((ahead - behind) / (2 * step) - sum(float(p.sum()) for p in products)) / scale


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--json", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    try:
        import jax
        import jax.scipy.stats
        import numpy
    except ImportError as error:
        print(f"bench_jax: {error}", file=sys.stderr)
        return 77
    jax.config.update("jax_enable_x64", True)
    rows = []
    for name, function, inputs in problems(arguments.data, jax, numpy):
        if not name.startswith(arguments.only):
            continue
        inputs = tuple(jax.numpy.asarray(i) for i in inputs)
        primal = jax.jit(function)
        gradient = jax.jit(jax.value_and_grad(function, argnums=tuple(range(len(inputs)))))
        error = error_of(jax, numpy, primal, gradient, inputs)
        times = [best_seconds(jax, f, inputs, arguments.quick) for f in (primal, gradient)]
        row = {"peer": "JAX", "name": name, "primal_ms": 1e3 * times[0], "gradient_ms": 1e3 * times[1],
               "ratio": times[1] / times[0], "right": error <= (1e-2 if name == "mlp" else RELATIVE_TOLERANCE)}
        print(f"{name:<18} {1e6 * times[0]:>11.2f} {1e6 * times[1]:>12.2f} {row['ratio']:>7.2f}   {error:.1e}",
              file=sys.stderr, flush=True)
        rows.append(row)
    arguments.json.write_text(json.dumps(rows, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
