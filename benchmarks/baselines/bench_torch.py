#!/usr/bin/env python3
"""One training step of a model in eager PyTorch on the CPU, as bench_models measures its own.

Usage: bench_torch.py --workload mlp|lenet --threads N --seconds S

Prints one JSON object. The caller pins the process to N processors.
"""
import argparse
import json
import os
import resource
import statistics
import time


def build(workload):
    """The model and its fixed batch."""
    import torch
    from torch import nn
    import torch.nn.functional as F

    class Mlp(nn.Module):
        def __init__(self):
            super().__init__()
            self.l1, self.l2, self.l3 = nn.Linear(784, 512), nn.Linear(512, 512), nn.Linear(512, 10)

        def forward(self, x):
            return self.l3(F.relu(self.l2(F.relu(self.l1(x)))))

    class LeNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.c1, self.c2 = nn.Conv2d(1, 6, 5, padding=2), nn.Conv2d(6, 16, 5)
            self.l1, self.l2, self.l3 = nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, 10)

        def forward(self, x):
            x = F.avg_pool2d(F.relu(self.c1(x)), 2)
            x = F.avg_pool2d(F.relu(self.c2(x)), 2)
            return self.l3(F.relu(self.l2(F.relu(self.l1(x.flatten(1))))))

    torch.manual_seed(0)
    model, shape = (Mlp(), (128, 784)) if workload == "mlp" else (LeNet(), (128, 1, 28, 28))
    return model, torch.randn(*shape), torch.randint(0, 10, (128,))


def measure(step, seconds):
    """Milliseconds of single steps: after three that warm up, at least ten and for `seconds`."""
    for _ in range(3):
        step()
    times, begin = [], time.perf_counter()
    while len(times) < 10 or (time.perf_counter() - begin < seconds and len(times) < 1000):
        before = time.perf_counter()
        step()
        times.append(1e3 * (time.perf_counter() - before))
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workload", choices=["mlp", "lenet"], required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    arguments = parser.parse_args()
    os.environ.update(OMP_NUM_THREADS=str(arguments.threads), MKL_NUM_THREADS=str(arguments.threads),
                      CUDA_VISIBLE_DEVICES="")
    import torch
    import torch.nn.functional as F

    torch.set_num_threads(arguments.threads)
    torch.set_num_interop_threads(1)
    model, x, labels = build(arguments.workload)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, fused=True)
    losses = []

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(x), labels)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())

    begin = time.perf_counter()
    step()
    first = time.perf_counter() - begin
    times = measure(step, arguments.seconds)
    if not losses[-1] < losses[0]:
        raise SystemExit(f"bench_torch: the loss does not fall: {losses[0]} to {losses[-1]}")
    print(json.dumps({
        "name": arguments.workload, "framework": "torch", "mode": "eager", "device": "cpu",
        "dtype": "f32", "threads": arguments.threads, "median_ms": statistics.median(times),
        "min_ms": min(times), "compile_s": first,
        "peak_rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))


if __name__ == "__main__":
    main()
