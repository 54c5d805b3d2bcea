"""What the scripts that train bench_models' models share: their arguments, what they are handed, and what they print."""
import argparse
import json
import resource
import statistics
import sys
import time


def parse_arguments(description, modes):
    """The command line; `modes` are those of the framework."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--workload", required=True)
    parser.add_argument("--mode", choices=modes, required=True)
    parser.add_argument("--dtype", choices=["f32", "bf16"], required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--content", required=True)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    return parser.parse_args()


def read_content(path):
    """Name -> array, of a safetensors file."""
    import numpy

    types = {"F32": numpy.float32, "I32": numpy.int32, "F64": numpy.float64, "I64": numpy.int64}
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    header.pop("__metadata__", None)
    return {name: numpy.frombuffer(data[slice(*a["data_offsets"])], types[a["dtype"]]).reshape(a["shape"])
            for name, a in header.items()}


def peak_rss_mb():
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(step, seconds):
    """Milliseconds of single steps: after three that warm up, at least five and for `seconds`."""
    for _ in range(3):
        step()
    times, begin = [], time.perf_counter()
    while len(times) < 5 or (time.perf_counter() - begin < seconds and len(times) < 1000):
        before = time.perf_counter()
        step()
        times.append(1e3 * (time.perf_counter() - before))
    return times


def run(framework, arguments, imported_mb, losses, step):
    """Times `step`, which appends its loss to `losses`, and prints one JSON object; fails where the loss does not
    fall."""
    begin = time.perf_counter()
    step()
    first = time.perf_counter() - begin
    times = measure(step, arguments.seconds)
    if not losses[-1] < losses[0]:
        sys.exit(f"{framework}: the loss does not fall: {losses[0]} to {losses[-1]}")
    print(json.dumps({
        "name": arguments.workload, "framework": framework, "mode": arguments.mode, "device": arguments.device,
        "dtype": arguments.dtype, "threads": arguments.threads, "median_ms": statistics.median(times),
        "min_ms": min(times), "compile_s": first, "peak_rss_mb": peak_rss_mb() - imported_mb, "losses": losses[:4]}))
