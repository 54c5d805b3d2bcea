#!/usr/bin/env python3
"""Programs of bench_fusion beside torch.compile and JAX on the CPU, in the same run.

Usage: bench_fusion.py --program build/bin/bench_fusion [--threads N] [--quick] [--json FILE]

All compute on the same operands and on the same N processors (default 1). The results are compared by weighted sums;
ours are timed before the others and after them. Prints milliseconds and the fastest other / ddx (minimum, median):
above 1 ddx is faster. Status 77 where neither is installed, 1 where a result differs.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

from bench_torch_ops import operand

TABLE, ROW, MILLION = (4096, 1024), (1024,), (1000000,)


def numbers(shape, k, low=-2.0, high=2.0):
    """Operand k as bench_fusion makes it, as an array."""
    import torch
    return operand({"shape": shape, "low": low, "high": high, "index": False}, k, torch).numpy()


def operands():
    """Of each program, in the order of its arguments."""
    rows = lambda k: numbers(TABLE, k)
    row = lambda k: numbers(ROW, k, 0.5, 1.5)
    million = [numbers(MILLION, k) for k in range(2)]
    return {"elementwise": [rows(0), rows(1)], "squared_error": million, "weighted_sum": million,
            "row_squares": [rows(0)], "softmax": [rows(0)], "normalization": [rows(0), row(1), row(2)],
            "softmax_gradient": [rows(0), rows(1)], "normalization_gradient": [rows(0), row(1), row(2), rows(3)]}


def torch_programs(torch):
    """Functions of tensors, each with a list of results."""
    def softmax(x):
        powers = torch.exp(x - x.amax(-1, keepdim=True))
        return powers / powers.sum(-1, keepdim=True)

    def normalization(x, scale, shift):
        centred = x - x.mean(-1, keepdim=True)
        return centred * torch.rsqrt(centred.square().mean(-1, keepdim=True) + 1e-5) * scale + shift

    compiled = {"elementwise": lambda x, y: torch.tanh(x * y + x) * 0.5 + y,
                "squared_error": lambda x, y: torch.mean(torch.square(x - y)),
                "weighted_sum": lambda x, y: torch.sum(torch.exp(x) * y),
                "row_squares": lambda x: torch.sum(torch.square(x), -1), "softmax": softmax,
                "normalization": normalization}
    compiled = {name: torch.compile(f) for name, f in compiled.items()}

    def with_gradient(f):
        def run(*x):
            leaves = [a.detach().requires_grad_() for a in x[:-1]]
            y = f(*leaves)
            return [y, *torch.autograd.grad(y, leaves, x[-1])]
        return run

    plain = {name: (lambda *x, f=f: [f(*x)]) for name, f in compiled.items()}
    return plain | {"softmax_gradient": with_gradient(torch.compile(softmax)),
                    "normalization_gradient": with_gradient(torch.compile(normalization))}


def jax_programs(jax):
    """The same of JAX's arrays."""
    jnp = jax.numpy

    def softmax(x):
        powers = jnp.exp(x - x.max(-1, keepdims=True))
        return powers / powers.sum(-1, keepdims=True)

    def normalization(x, scale, shift):
        centred = x - x.mean(-1, keepdims=True)
        return centred * jax.lax.rsqrt(jnp.square(centred).mean(-1, keepdims=True) + 1e-5) * scale + shift

    def with_gradient(f):
        def run(*x):
            y, pullback = jax.vjp(f, *x[:-1])
            return [y, *pullback(x[-1])]
        return run

    functions = {"elementwise": lambda x, y: [jnp.tanh(x * y + x) * 0.5 + y],
                 "squared_error": lambda x, y: [jnp.mean(jnp.square(x - y))],
                 "weighted_sum": lambda x, y: [jnp.sum(jnp.exp(x) * y)],
                 "row_squares": lambda x: [jnp.sum(jnp.square(x), -1)], "softmax": lambda x: [softmax(x)],
                 "normalization": lambda *x: [normalization(*x)], "softmax_gradient": with_gradient(softmax),
                 "normalization_gradient": with_gradient(normalization)}
    return {name: jax.jit(f) for name, f in functions.items()}


class Peer:
    """A framework: its programs, how an array becomes one of its own, and how a result is awaited."""

    def __init__(self, name, programs, convert, wait):
        self.name, self.programs, self.convert, self.wait = name, programs, convert, wait

    def prepare(self, name, arrays):
        f, x = self.programs[name], [self.convert(a) for a in arrays]
        return lambda: self.wait(f(*x))

    @staticmethod
    def weighted_sums(results):
        flat = [np.asarray(r.detach() if hasattr(r, "detach") else r).ravel().astype(np.float64) for r in results]
        return [(float((a * np.cos(np.arange(a.size))).sum()), float(np.abs(a).sum())) for a in flat]


def peers():
    """Those that are installed."""
    found = []
    try:
        import torch
        torch.set_num_threads(len(os.sched_getaffinity(0)))
        found.append(Peer("torch.compile", torch_programs(torch), torch.from_numpy, lambda y: y))
    except ImportError:
        pass
    try:
        import jax
        found.append(Peer("jax", jax_programs(jax), jax.numpy.asarray, jax.block_until_ready))
    except ImportError:
        pass
    return found


def times_of(f, samples):
    """Milliseconds of single calls."""
    for _ in range(6):
        f()
    times = []
    for _ in range(samples):
        begin = time.perf_counter()
        f()
        times.append(1e3 * (time.perf_counter() - begin))
    return times


def own_rows(arguments):
    """What bench_fusion measures, by the name of the program."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.json")
        quick = ["--quick"] if arguments.quick else []
        subprocess.run([arguments.program, *quick, "--json", path], check=True, stdout=subprocess.DEVNULL)
        with open(path, encoding="utf-8") as file:
            return {row["name"]: row for row in json.load(file)}


def differs(own, others):
    """Where results differ, in words; else nothing."""
    for i, (sum_here, (there, scale)) in enumerate(zip(own, others, strict=True)):
        if not abs(sum_here - there) <= 1e-4 * max(scale, 1.0):
            return f"result {i} has the weighted sum {sum_here}, not {there}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    processors = sorted(os.sched_getaffinity(0))[-arguments.threads:]
    threads = len(processors)
    os.environ.update(OMP_NUM_THREADS=str(threads), MKL_NUM_THREADS=str(threads), CUDA_VISIBLE_DEVICES="")
    os.sched_setaffinity(0, processors)
    found = peers()
    if not found:
        print("bench_fusion: neither PyTorch nor JAX is installed", file=sys.stderr)
        sys.exit(77)
    before = own_rows(arguments)
    given, rows, status = operands(), [], 0
    for name, own in before.items():
        row = {"name": name, "threads": threads, "ms": own["ms"], "median_ms": own["median_ms"]}
        for peer in found:
            f = peer.prepare(name, given[name])
            message = differs(own["sums"], peer.weighted_sums(f()))
            if message:
                print(f"bench_fusion: {name}, {peer.name}: {message}", file=sys.stderr)
                status = 1
            times = times_of(f, 20 if arguments.quick else 100)
            row |= {f"{peer.name}_ms": min(times), f"{peer.name}_median_ms": statistics.median(times)}
        rows.append(row)
    after = own_rows(arguments)
    columns = "".join(f" {peer.name:>14} {'median':>9}" for peer in found)
    print(f"{'ms, ' + str(threads) + ' thread(s)':<24} {'ddx':>9} {'median':>9}{columns}  fastest other / ddx")
    ratios = []
    for row in rows:
        again = after[row["name"]]
        row |= {key: min(row[key], again[key]) for key in ("ms", "median_ms")}
        others = "".join(f" {row[peer.name + '_ms']:>14.3f} {row[peer.name + '_median_ms']:>9.3f}" for peer in found)
        least = min(row[peer.name + "_ms"] for peer in found) / row["ms"]
        median = min(row[peer.name + "_median_ms"] for peer in found) / row["median_ms"]
        ratios.append(least)
        print(f"{row['name']:<24} {row['ms']:>9.3f} {row['median_ms']:>9.3f}{others}  {least:6.2f}, {median:6.2f}")
    print(f"geometric mean of the minima {math.exp(statistics.fmean(map(math.log, ratios))):.2f}")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=2)
    sys.exit(status)


if __name__ == "__main__":
    main()
