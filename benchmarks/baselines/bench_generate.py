#!/usr/bin/env python3
"""Tokens per second of llama.cpp and transformers beside those of bench_generate, in the same run.

Usage: bench_generate.py --program build/bin/bench_generate [--threads N] [--rounds N] [--quick] [--json FILE]
                         [--only MODEL]

bench_generate writes its models, which llama.cpp (as GGUF files, by gguf_model.py) and transformers (as it is, and
compiled) read. For each model and format all run in turn, each in a process of its own on the same N processors
(default 1), and so again for each round (default 2), of which the fastest tokens count. Before that, each peer follows
the tokens of bench_generate: their scores must be its best ones, within a tolerance of its format. Prints tokens per
second, and ddx's by the peer's: above 1 ddx is faster. Status 77 where no peer is installed, 1 where scores differ.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FORMATS = ("f32", "bf16", "int8", "int4")
# By how much of the largest score a chosen one may be below the best: llama.cpp has GELU in a table of 16 bits, and
# multiplies quantised weights by activations of 8 bits.
TOLERANCES = {"f32": 2e-3, "bf16": 0.05, "int8": 0.05, "int4": 0.1}


class Peers:
    """The processes that are compared, for one model and format after the other."""

    def __init__(self, arguments, folder):
        self.arguments = arguments
        self.folder = folder
        self.sizes = ["--prompt", "8", "--count", "6"] if arguments.quick else ["--prompt", "128", "--count", "128"]
        self.missing = {}

    def own(self, model, form, device):
        path = os.path.join(self.folder, f"own_{device}.json")
        command = [self.arguments.program, "--json", path, "--only", model, "--format", form, "--device", device]
        command += ["--quick"] if self.arguments.quick else []
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with open(path, encoding="utf-8") as file:
            return json.load(file)[-1]

    def peer(self, name, script, file, more=()):
        """The row of a peer, or none where it is not installed."""
        if name in self.missing:
            return None
        command = [sys.executable, "-B", os.path.join(HERE, script), file, *self.sizes, "--threads",
                   str(self.arguments.threads), "--follow", os.path.join(self.folder, "own_cpu.json"), *more]
        done = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode == 77:
            self.missing[name] = done.stderr.strip()
            return None
        if done.returncode != 0:
            sys.exit(f"bench_generate.py: {name} failed: {done.stderr[-2000:]}")
        return json.loads(done.stdout)

    def llama_file(self, model, form):
        path = os.path.join(self.folder, f"{model}.gguf")
        command = [sys.executable, "-B", os.path.join(HERE, "gguf_model.py"), os.path.join(self.folder, model), path,
                   form]
        done = subprocess.run(command, check=False, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            if done.returncode != 77:
                sys.exit(done.stderr)
            self.missing["llama.cpp"] = done.stderr.strip()
        return path

    def round(self, model, form, file):
        """Rows by the name of what ran."""
        rows = {"cpu": self.own(model, form, "cpu")}
        if form in ("f32", "bf16"):
            rows["lazy"] = self.own(model, form, "lazy")
        exact = ["--exact"] if form == "f32" else []
        rows["llama.cpp"] = self.peer("llama.cpp", "llama_cpp_tokens.py", file, exact)
        if form in ("f32", "bf16"):
            folder = os.path.join(self.folder, model)
            rows["transformers"] = self.peer("transformers", "transformers_tokens.py", folder, [form])
            rows["compiled"] = self.peer("compiled", "transformers_tokens.py", folder, [form, "--compile"])
        return {name: row for name, row in rows.items() if row is not None}


def joined(rounds):
    """The fastest row of each, with the best of the medians and of the prompts."""
    rows = {}
    for name in rounds[0]:
        all_rows = [one[name] for one in rounds]
        rows[name] = max(all_rows, key=lambda row: row["tokens_per_second"])
        rows[name] |= {"median_tokens_per_second": max(row["median_tokens_per_second"] for row in all_rows),
                       "prompt_seconds": min(row["prompt_seconds"] for row in all_rows)}
    return rows


def report(model, form, rows, threads):
    for name, row in rows.items():
        if not row.get("deficit", 0) <= TOLERANCES[form]:
            sys.exit(f"bench_generate.py: in {form} a token of {model} has a score that is {row['deficit']:.3g} of the "
                     f"largest below the best one of {name}")
        ratios = f"{rows['cpu']['tokens_per_second'] / row['tokens_per_second']:9.2f}"
        print(f"{model:<6} {form:<5} {name:<13} {row['tokens_per_second']:9.2f} {row['median_tokens_per_second']:9.2f} "
              f"{row['prompt_seconds'] * 1e3:10.1f} {ratios}", flush=True)
    return [{"model": model, "format": form, "program": name, "threads": threads}
            | {key: row[key] for key in ("tokens_per_second", "median_tokens_per_second", "prompt_seconds")}
            for name, row in rows.items()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    processors = sorted(os.sched_getaffinity(0))[:arguments.threads]
    os.sched_setaffinity(0, processors)
    all_rows = []
    with tempfile.TemporaryDirectory() as folder:
        peers = Peers(arguments, folder)
        for model in ("gpt2", "llama"):
            if arguments.only not in ("", model):
                continue
            save = [arguments.program, "--save", folder, "--only", model] + (["--quick"] if arguments.quick else [])
            subprocess.run(save, check=True, stdout=subprocess.DEVNULL)
            for form in FORMATS:
                file = peers.llama_file(model, form)
                rows = joined([peers.round(model, form, file) for _ in range(arguments.rounds)])
                if not all_rows:
                    if "llama.cpp" not in rows and "transformers" not in rows:
                        print("\n".join(peers.missing.values()), file=sys.stderr)
                        sys.exit(77)
                    print(f"{len(processors)} threads\n{'':26} {'tokens/s':>9} {'median':>9} {'prompt ms':>10} "
                          f"{'cpu / it':>9}")
                all_rows += report(model, form, rows, len(processors))
    for name, reason in peers.missing.items():
        print(f"{name} is not measured: {reason}")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as stream:
            json.dump(all_rows, stream, indent=2)


if __name__ == "__main__":
    main()
