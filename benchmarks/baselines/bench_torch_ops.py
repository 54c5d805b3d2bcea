#!/usr/bin/env python3
"""Single tensor operations of bench_ops beside those of eager PyTorch on the CPU, in the same run.

Usage: bench_torch_ops.py --program build/bin/bench_ops [--threads N] [--quick] [--only PREFIX] [--json FILE]

Both compute on the same operands and on the same N processors (default 1). The results are compared element by element;
then the two are timed in turn, several times. Where PyTorch has two ways (images with channels first, its default, or
last, as ours lie), the faster counts. Prints nanoseconds and torch / ddx (minimum, median): above 1 ddx is faster. Status
77 where PyTorch is not installed, 1 where a result differs.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import time

import numpy as np


def operand(description, k, torch):
    """Operand k as bench_ops makes it; see benchmarks/ops/operand.cpp."""
    count = math.prod(description["shape"])
    h = np.arange(count, dtype=np.uint32) + np.uint32(k * 0x9E3779B9 & 0xFFFFFFFF)
    h = (h ^ (h >> np.uint32(16))) * np.uint32(0x85EBCA6B)
    h = (h ^ (h >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    u = ((h ^ (h >> np.uint32(16))) >> np.uint32(8)).astype(np.float64) / 16777216.0
    x = description["low"] + (description["high"] - description["low"]) * u
    x = np.floor(x).astype(np.int32) if description["index"] else x.astype(np.float32)
    return torch.from_numpy(x.reshape(description["shape"]))


class Torch:
    """The operations by the names of bench_ops. Each is prepared with the operands, outside of the time: it returns one
    or more ways to compute it, each a function of no argument with the result as a function of what that returns."""

    def __init__(self, torch):
        self.torch, self.functional = torch, torch.nn.functional

    def prepare(self, name, x):
        method = getattr(self, name, None)
        if method is not None:
            return method(*x)
        for suffix, axis in (("_rows", -1), ("_columns", 0)):
            if name.endswith(suffix):
                return self.along(name.removesuffix(suffix), axis, *x)
        return self.over_all(name, *x)

    @staticmethod
    def plain(f):
        return [(f, lambda y: y)]

    # Element by element.

    def over_all(self, name, *x):
        torch = self.torch
        named = {"silu": self.functional.silu, "gelu": self.functional.gelu, "is_finite": torch.isfinite,
                 "add_number": lambda a: a + 1.5, "less": torch.lt, "add_row": torch.add, "add_column": torch.add,
                 "product": torch.prod, "max": torch.max, "log_sum_exp": lambda a: torch.logsumexp(a, (0, 1)),
                 "transpose": lambda a: a.t().contiguous()}
        f = named.get(name) or getattr(torch, name)
        if len(x) == 1:
            a, = x
            return self.plain(lambda: f(a))
        a, b = x
        return self.plain(lambda: f(a, b))

    def add_in_place(self, a, b):
        return self.plain(lambda: a.add_(b))

    def relu_gradient(self, dy, x):
        return self.plain(lambda: self.torch.ops.aten.threshold_backward(dy, x, 0))

    def tanh_gradient(self, dy, y):
        return self.plain(lambda: self.torch.ops.aten.tanh_backward(dy, y))

    def sigmoid_gradient(self, dy, y):
        return self.plain(lambda: self.torch.ops.aten.sigmoid_backward(dy, y))

    def gelu_gradient(self, dy, x):
        return self.plain(lambda: self.torch.ops.aten.gelu_backward(dy, x))

    def where(self, c, a, b):
        condition = c < 0
        return self.plain(lambda: self.torch.where(condition, a, b))

    # Along axes.

    def all(self, x):
        condition = x > 0
        return self.plain(condition.all)

    def any_rows(self, x):
        condition = x < 0
        return self.plain(lambda: condition.any(-1))

    def along(self, name, axis, *x):
        torch = self.torch
        if name in ("broadcast", "concatenate", "gather", "take_along", "reverse", "add"):
            return getattr(self, "moved_" + name)(axis, *x)
        a, = x
        f = {"sum": torch.sum, "mean": torch.mean, "max": torch.amax, "product": torch.prod,
             "log_sum_exp": torch.logsumexp, "argmax": torch.argmax, "argmin": torch.argmin,
             "cumulative_sum": torch.cumsum, "cumulative_product": torch.cumprod,
             "cumulative_max": lambda a, axis: torch.cummax(a, axis)[0],
             "sort": lambda a, axis: torch.sort(a, dim=axis, stable=True)[0],
             "argsort": lambda a, axis: torch.argsort(a, dim=axis, stable=True),
             "softmax": torch.softmax, "log_softmax": torch.log_softmax}[name]
        return self.plain(lambda: f(a, axis))

    # Elements that change place.

    def moved_add(self, axis, a, b):
        return self.plain(lambda: a + b)

    def moved_reverse(self, axis, a):
        return self.plain(lambda: self.torch.flip(a, (1,)))

    def moved_broadcast(self, axis, a):
        size = max(a.shape)
        shape = {16: (16, 16), 256: (256, 256), 2048: (2048, 1024), 1024: (2048, 1024)}[size]
        return self.plain(lambda: a.expand(shape).contiguous())

    def moved_concatenate(self, axis, a, b):
        along = 1 if axis == 0 else 0
        return self.plain(lambda: self.torch.cat((a, b), along))

    def moved_gather(self, axis, a, i):
        along = 1 if axis == 0 else 0
        return self.plain(lambda: self.torch.index_select(a, along, i))

    def moved_take_along(self, axis, a, i):
        i = i.long()
        return self.plain(lambda: self.torch.gather(a, 1, i))

    def gather_rows_gradient(self, dy, i):
        i = i.long()
        return self.plain(lambda: self.torch.ops.aten.embedding_dense_backward(dy, i, dy.shape[0], -1, False))

    def one_hot(self, i):
        i, depth = i.long(), {16: 16, 256: 256, 2048: 1024}[len(i)]
        return self.plain(lambda: self.torch.zeros(len(i), depth).scatter_(1, i[:, None], 1))

    def slice(self, a):
        rows, columns = a.shape
        return self.plain(lambda: a[rows // 4:rows // 2, columns // 4:3 * columns // 4].contiguous())

    def pad(self, a):
        return self.plain(lambda: self.functional.pad(a, (1, 1, 1, 1)))

    def channels_first(self, a):
        return self.plain(lambda: a.permute(0, 3, 1, 2).contiguous())

    # Layers. Images of ours have their channels last.

    def matmul(self, a, b):
        return self.plain(lambda: self.torch.matmul(a, b))

    def matmul_left_transposed(self, a, b):
        return self.plain(lambda: self.torch.matmul(a.transpose(-1, -2), b))

    def matmul_right_transposed(self, a, b):
        return self.plain(lambda: self.torch.matmul(a, b.transpose(-1, -2)))

    def images(self, f, *x):
        """f on images in both of PyTorch's layouts; others than images stay as they are."""
        last = lambda y: y.permute(0, 2, 3, 1) if y.dim() == 4 else y
        ways = []
        for layout in (self.torch.contiguous_format, self.torch.channels_last):
            moved = [a.permute(0, 3, 1, 2).contiguous(memory_format=layout) if a.dim() == 4 else a for a in x]
            ways.append((lambda moved=moved: f(*moved), last))
        return ways

    def convolution(self, result, x, w, dy, padding):
        """The convolution, or one of its gradients: result is 0 of the input, 1 of the filter, None of neither."""
        backward = self.torch.ops.aten.convolution_backward
        ways = []
        for layout in (self.torch.contiguous_format, self.torch.channels_last):
            first = lambda a: a.permute(0, 3, 1, 2).contiguous(memory_format=layout)
            weights = w.permute(3, 2, 0, 1).contiguous(memory_format=layout)
            image, cotangent = first(x), first(dy)
            if result is None:
                ways.append((lambda image=image, weights=weights: self.functional.conv2d(image, weights, padding=padding),
                             lambda y: y.permute(0, 2, 3, 1)))
                continue
            mask = [result == 0, result == 1, False]
            ways.append((lambda image=image, weights=weights, cotangent=cotangent: backward(
                cotangent, image, weights, None, (1, 1), (padding, padding), (1, 1), False, (0, 0), 1, mask)[result],
                lambda y: y.permute(0, 2, 3, 1) if result == 0 else y.permute(2, 3, 1, 0)))
        return ways

    def shaped(self, image, filter_, padding):
        """Zeros of the shape of a convolution's result."""
        return self.torch.zeros(image.shape[0], image.shape[1] + 2 * padding - filter_.shape[0] + 1,
                                image.shape[2] + 2 * padding - filter_.shape[1] + 1, filter_.shape[3])

    def conv2d_same(self, x, w):
        padding = w.shape[0] // 2
        return self.convolution(None, x, w, self.shaped(x, w, padding), padding)

    def conv2d_valid(self, x, w):
        return self.convolution(None, x, w, self.shaped(x, w, 0), 0)

    def conv2d_input_gradient_same(self, dy, w):
        return self.convolution(0, self.torch.zeros(*dy.shape[:3], w.shape[2]), w, dy, w.shape[0] // 2)

    def conv2d_input_gradient_valid(self, dy, w):
        shape = (dy.shape[0], dy.shape[1] + w.shape[0] - 1, dy.shape[2] + w.shape[1] - 1, w.shape[2])
        return self.convolution(0, self.torch.zeros(shape), w, dy, 0)

    def conv2d_filter_gradient_same(self, x, dy):
        size = 5 if x.shape[3] == 1 else 3
        return self.convolution(1, x, self.torch.zeros(size, size, x.shape[3], dy.shape[3]), dy, size // 2)

    def conv2d_filter_gradient_valid(self, x, dy):
        size = x.shape[1] - dy.shape[1] + 1
        return self.convolution(1, x, self.torch.zeros(size, size, x.shape[3], dy.shape[3]), dy, 0)

    def avg_pool2d(self, x):
        return self.images(lambda a: self.functional.avg_pool2d(a, 2), x)

    def max_pool2d(self, x):
        return self.images(lambda a: self.functional.max_pool2d(a, 2), x)

    def avg_pool2d_gradient(self, dy):
        image = self.torch.zeros(dy.shape[0], 2 * dy.shape[1], 2 * dy.shape[2], dy.shape[3])
        backward = self.torch.ops.aten.avg_pool2d_backward
        return self.images(lambda d, a: backward(d, a, (2, 2), (2, 2), (0, 0), False, True, None), dy, image)

    def batch_norm_training(self, x, scale, offset):
        return self.images(lambda a, s, o: self.functional.batch_norm(a, None, None, s, o, True, 0, 1e-3), x, scale,
                           offset)

    def batch_norm_inference(self, x, scale, offset, mean, variance):
        return self.images(lambda a, s, o, m, v: self.functional.batch_norm(a, m, v, s, o, False, 0, 1e-3), x, scale,
                           offset, mean, variance)

    def batch_norm_training_gradient(self, x, scale, dy):
        torch = self.torch
        mean, inverse = x.mean((0, 1, 2)), (x.var((0, 1, 2), correction=0) + 1e-3).rsqrt()
        backward = torch.ops.aten.native_batch_norm_backward
        return self.images(lambda d, a: backward(d, a, scale, None, None, mean, inverse, True, 1e-3,
                                                 [True, True, True])[0], dy, x)

    def layer_norm(self, x, scale, offset):
        return self.plain(lambda: self.functional.layer_norm(x, scale.shape, scale, offset, 1e-3))

    def layer_norm_gradient(self, x, scale, dy):
        _, mean, inverse = self.torch.native_layer_norm(x, scale.shape, scale, scale, 1e-3)
        backward = self.torch.ops.aten.native_layer_norm_backward
        return self.plain(lambda: backward(dy, x, scale.shape, mean, inverse, scale, scale, [True, True, True])[0])

    def softmax_gradient(self, y, dy):
        return self.plain(lambda: self.torch.ops.aten._softmax_backward_data(dy, y, -1, self.torch.float32))

    def cross_entropy(self, x, labels):
        labels = labels.long()
        return self.plain(lambda: self.functional.cross_entropy(x, labels, reduction="none"))

    def cross_entropy_gradient(self, x, labels, dy):
        aten, labels = self.torch.ops.aten, labels.long()
        weight = self.torch.tensor(0.0)

        def gradient():
            y = self.torch.log_softmax(x, 1)
            d = aten.nll_loss_backward(dy, y, labels, None, 0, -100, weight)
            return aten._log_softmax_backward_data(d, y, 1, self.torch.float32)
        return self.plain(gradient)

    def attention(self, q, k, v, causal=False):
        return self.plain(lambda: self.functional.scaled_dot_product_attention(q, k, v, is_causal=causal))

    def attention_causal(self, q, k, v):
        return self.attention(q, k, v, True)

    def attention_and_gradient(self, q, k, v, dy, causal=False):
        leaves = [x.detach().clone().requires_grad_() for x in (q, k, v)]

        def both():
            with self.torch.enable_grad():
                y = self.functional.scaled_dot_product_attention(*leaves, is_causal=causal)
                return self.torch.autograd.grad(y, leaves, dy)
        return [(both, lambda gradients: gradients[0])]

    def attention_causal_and_gradient(self, q, k, v, dy):
        return self.attention_and_gradient(q, k, v, dy, True)


class Server:
    """A running bench_ops that executes commands."""

    def __init__(self, program, threads):
        self.process = subprocess.Popen([program, "--serve", "--threads", str(threads)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.operations = json.loads(self.process.stdout.readline())

    def ask(self, command):
        self.process.stdin.write(command.encode() + b"\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def elements(self, i):
        count = int(self.ask(f"elements {i}"))
        return np.frombuffer(self.process.stdout.read(4 * count), np.float32)

    def times(self, i, seconds, samples):
        return json.loads(self.ask(f"time {i} {seconds} {samples}"))


def times_of(f, seconds, samples):
    """Nanoseconds of one call, as bench_ops takes them."""
    def sample(times):
        begin = time.perf_counter()
        for _ in range(times):
            f()
        return time.perf_counter() - begin

    sample(2)
    few = max(1, round(0.1 * seconds / max(sample(3) / 3, 1e-8)))
    times = max(1, round(seconds / max(sample(few) / few, 1e-9)))
    return [1e9 * sample(times) / times for _ in range(samples)]


def differs(own, other):
    """Where the results differ, in words; else nothing."""
    if own.size != other.size:
        return f"has {own.size} elements, PyTorch's {other.size}"
    scale = max(1.0, float(np.abs(other).max(initial=0)))
    far = ~(np.abs(own - other) <= 5e-5 * scale)
    if not far.any():
        return None
    i = int(np.argmax(far))
    return f"has {own[i]} as element {i}, PyTorch {other[i]}"


def compare(server, torch, i, seconds, rounds):
    """The times of operation i here and there, or a message where the results differ."""
    description = server.operations[i]
    make = lambda: [operand(o, k, torch) for k, o in enumerate(description["operands"])]
    ways = Torch(torch).prepare(description["name"], make())
    own = server.elements(i)
    for f, arranged in ways:
        message = differs(own, arranged(f()).to(torch.float32).contiguous().numpy().ravel())
        if message:
            return message
    ways = [f for f, _ in Torch(torch).prepare(description["name"], make())]
    here, there = [], [[] for _ in ways]
    for _ in range(rounds):
        here += server.times(i, seconds, 10)
        for f, times in zip(ways, there):
            times += times_of(f, seconds, 10)
    there = min(there, key=min)
    return {"name": description["name"], "shape": description["shapes"], "ns": min(here),
            "median_ns": statistics.median(here), "torch_ns": min(there), "torch_median_ns": statistics.median(there)}


def mean_ratio(rows):
    return math.exp(statistics.fmean(math.log(row["torch_ns"] / row["ns"]) for row in rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    processors = sorted(os.sched_getaffinity(0))[-arguments.threads:]
    os.environ.update(OMP_NUM_THREADS=str(len(processors)), MKL_NUM_THREADS=str(len(processors)), CUDA_VISIBLE_DEVICES="")
    os.sched_setaffinity(0, processors)
    try:
        import torch
    except ImportError:
        print("bench_torch_ops: PyTorch is not installed", file=sys.stderr)
        sys.exit(77)
    torch.set_num_threads(len(processors))
    torch.set_grad_enabled(False)
    server = Server(arguments.program, len(processors))
    print(f"{'operation':<30} {'shapes':<31} {'ddx ns':>10} {'median':>10} {'torch ns':>10} {'median':>10}"
          f"  torch / ddx, {len(processors)} thr")
    rows, status = [], 0
    for i, description in enumerate(server.operations):
        if not description["name"].startswith(arguments.only):
            continue
        row = compare(server, torch, i, 0.001 if arguments.quick else 0.002, 2 if arguments.quick else 5)
        if isinstance(row, str):
            print(f"bench_torch_ops: {description['name']} of {description['shapes']} {row}", file=sys.stderr)
            status = 1
            continue
        rows.append(row)
        print(f"{row['name']:<30} {row['shape'][:31]:<31} {row['ns']:>10.0f} {row['median_ns']:>10.0f}"
              f" {row['torch_ns']:>10.0f} {row['torch_median_ns']:>10.0f}  {row['torch_ns'] / row['ns']:6.2f},"
              f" {row['torch_median_ns'] / row['median_ns']:6.2f}", flush=True)
    slower = [row for row in rows if row["ns"] > 1.1 * row["torch_ns"]]
    if rows:
        print(f"geometric mean of the minima {mean_ratio(rows):.2f}; above 1.1 times PyTorch: {len(slower)} of {len(rows)}")
    for row in slower:
        print(f"  {row['name']} {row['shape']}: {row['ns'] / row['torch_ns']:.2f}")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump([row | {"dtype": "f32", "threads": len(processors)} for row in rows], file, indent=2)
    sys.exit(status)


if __name__ == "__main__":
    main()
