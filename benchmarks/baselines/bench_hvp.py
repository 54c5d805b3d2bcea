#!/usr/bin/env python3
"""Products of the Hessian and the gradient of models in PyTorch and JAX, in turn with those of bench_hvp.

Usage: bench_hvp.py --program bench_hvp [--threads N] [--quick] [--only NAME] [--json FILE]

Each measurement is a process on N processors. A peer computes the product along its own gradient, of the parameters and
the batch that bench_hvp writes; gradient and curvature must be those of ours. Exit 77: neither peer is installed.
"""
import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

from training_run import peak_rss_mb, read_content

MODELS = ["lenet", "resnet20", "gpt"]
PEERS = {"jax": "jax", "torch": "torch", "torch.func": "torch"}


def measured(f, seconds):
    """Least and median milliseconds of single calls, after two that warm up."""
    f(), f()
    times, begin = [], time.perf_counter()
    while len(times) < 5 or time.perf_counter() - begin < seconds:
        before = time.perf_counter()
        f()
        times.append(1e3 * (time.perf_counter() - before))
    return min(times), statistics.median(times)


def jax_functions(model, content):
    """The gradient and the product, each with a number that says what it is."""
    os.environ.update(JAX_PLATFORMS="cpu", JAX_DEFAULT_MATMUL_PRECISION="highest")
    import jax
    import jax.numpy as jnp
    from bench_jax_models import loss_function, parameters_of

    jnp.zeros(3).block_until_ready()
    before = peak_rss_mb()
    loss = loss_function(model, jnp.float32)
    p, x, labels = parameters_of(content), jnp.array(content["x"]), jnp.array(content["labels"])

    def dot(a, b):
        return sum(jnp.vdot(a[name], b[name]) for name in a)

    gradient = jax.jit(lambda p, x, labels: jax.grad(loss)(p, x, labels))
    product = jax.jit(lambda p, v, x, labels: jax.jvp(lambda q: jax.grad(loss)(q, x, labels), (p,), (v,))[1])
    v = gradient(p, x, labels)
    return (lambda: jax.block_until_ready(gradient(p, x, labels)), lambda: jax.block_until_ready(product(p, v, x, labels)),
            lambda h: float(dot(h, v)), before)


def torch_functions(model, content, forward_over_reverse):
    import torch
    import torch.nn.functional as F
    from torch.nn.attention import SDPBackend, sdpa_kernel
    from bench_torch import batch, build, load

    torch.set_num_threads(len(os.sched_getaffinity(0)))
    torch.set_num_interop_threads(1)
    before = peak_rss_mb()
    (module, images), (x, labels) = build(model), batch(content)
    load(module, content)
    if images:
        module, x = module.to(memory_format=torch.channels_last), x.contiguous(memory_format=torch.channels_last)
    module.train()
    for part in module.modules():
        if isinstance(part, torch.nn.BatchNorm2d):  # torch.func refuses to write to its averages.
            part.track_running_stats, part.running_mean, part.running_var, part.num_batches_tracked = False, None, None, None
    p = dict(module.named_parameters())

    def loss(p):
        with sdpa_kernel(SDPBackend.MATH):  # The others have no second derivative.
            scores = torch.func.functional_call(module, p, (x,))
        return F.cross_entropy(scores.flatten(0, -2), labels)

    def reverse():
        return torch.autograd.grad(loss(p), list(p.values()))

    v = [g.detach() for g in reverse()]
    along = dict(zip(p, v))

    def reverse_twice():
        gradient = torch.autograd.grad(loss(p), list(p.values()), create_graph=True)
        return torch.autograd.grad(gradient, list(p.values()), v)

    def mixed():
        return list(torch.func.jvp(torch.func.grad(loss), (p,), (along,))[1].values())

    return (reverse, mixed if forward_over_reverse else reverse_twice,
            lambda h: float(sum((a * b).sum() for a, b in zip(h, v))), before)


def run_peer(arguments):
    content = read_content(arguments.content)
    if arguments.peer == "jax":
        gradient, product, along, before = jax_functions(arguments.model, content)
    else:
        gradient, product, along, before = torch_functions(arguments.model, content, arguments.peer == "torch.func")
    norm, curvature = along(gradient()), along(product())
    seconds = 0 if arguments.quick else 3
    gradient_times, product_times = measured(gradient, seconds), measured(product, seconds)
    print(json.dumps({"name": arguments.model, "framework": arguments.peer, "mode": "", "norm": norm, "curvature": curvature,
                      "gradient_ms": gradient_times[0], "gradient_median_ms": gradient_times[1], "hvp_ms": product_times[0],
                      "hvp_median_ms": product_times[1], "hvp_mb": peak_rss_mb() - before}))


def own_rows(arguments, model, device):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        quick = ["--quick"] if arguments.quick else []
        subprocess.run([arguments.program, *quick, "--only", model, "--device", device, "--json", file.name], check=True,
                       stdout=subprocess.DEVNULL)
        return json.load(file)


def compare(arguments):
    processors = sorted(os.sched_getaffinity(0))[-arguments.threads:]
    os.environ.update(OMP_NUM_THREADS=str(len(processors)), MKL_NUM_THREADS=str(len(processors)), CUDA_VISIBLE_DEVICES="",
                      NPROC=str(len(processors)))
    os.sched_setaffinity(0, processors)
    found = [peer for peer, package in PEERS.items() if importlib.util.find_spec(package)]
    if not found:
        print("bench_hvp: neither PyTorch nor JAX is installed", file=sys.stderr)
        sys.exit(77)
    status, rows = 0, []
    print(f"{'ms, ' + str(len(processors)) + ' thread(s)':<22}{'gradient':>10}{'median':>10}{'hvp':>10}{'median':>10}{'MB':>8}"
          "  hvp / that of ddx on cpu, on lazy")
    with tempfile.TemporaryDirectory() as folder:
        for model in MODELS:
            if not model.startswith(arguments.only):
                continue
            subprocess.run([arguments.program, "--only", model, "--write-content", folder], check=True)
            those = own_rows(arguments, model, "cpu") + own_rows(arguments, model, "lazy")
            for peer in found:
                command = [sys.executable, "-B", __file__, "--peer", peer, "--model", model, "--content",
                           os.path.join(folder, model + ".safetensors"), *(["--quick"] if arguments.quick else [])]
                child = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                if child.returncode:
                    print(f"bench_hvp: {peer} failed on {model}: {child.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
                    continue
                those.append(json.loads(child.stdout))
            for row in those:
                factors = ", ".join(f"{row['hvp_ms'] / own['hvp_ms']:.2f}" for own in those[:2])
                print(f"{row['name'] + ' ' + row['framework'] + ' ' + row['mode']:<22}{row['gradient_ms']:>10.2f}"
                      f"{row['gradient_median_ms']:>10.2f}{row['hvp_ms']:>10.2f}{row['hvp_median_ms']:>10.2f}"
                      f"{row['hvp_mb']:>8.0f}  {factors}", flush=True)
                for key in ("norm", "curvature"):
                    if not abs(row[key] - those[0][key]) <= 2e-3 * abs(those[0][key]):
                        print(f"bench_hvp: {model}: {key} is {those[0][key]}, by {row['framework']} {row[key]}", file=sys.stderr)
                        status = 1
                rows.append({**row, "threads": len(processors)})
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=2)
    sys.exit(status)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--json")
    parser.add_argument("--peer", choices=PEERS, help=argparse.SUPPRESS)
    parser.add_argument("--model", help=argparse.SUPPRESS)
    parser.add_argument("--content", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peer:
        run_peer(arguments)
    else:
        compare(arguments)


if __name__ == "__main__":
    main()
