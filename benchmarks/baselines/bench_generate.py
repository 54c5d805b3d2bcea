#!/usr/bin/env python3
"""Tokens per second of transformers beside those of bench_generate, in the same run.

Usage: bench_generate.py --program build/bin/bench_generate [--threads N] [--quick] [--json FILE] [--only MODEL]

Models have the shapes of bench_generate's and random weights; all run on the same N processors (default 1). The scores
of the last place are first compared with those of the whole sequence. Prints tokens per second and ddx / transformers:
above 1 ddx is faster. Status 77 where PyTorch or transformers is not installed, 1 where scores differ.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time


def configurations(quick):
    """The shapes of bench_generate."""
    from transformers import GPT2Config, LlamaConfig
    gpt2 = {"vocab_size": 50257, "bos_token_id": None, "eos_token_id": None, "n_layer": 12, "n_embd": 768, "n_head": 12}
    llama = {"vocab_size": 32000, "num_hidden_layers": 16, "hidden_size": 2048, "intermediate_size": 8192,
             "num_attention_heads": 32, "num_key_value_heads": 8, "tie_word_embeddings": True}
    if quick:
        gpt2 |= {"vocab_size": 101, "n_layer": 2, "n_embd": 64, "n_head": 4}
        llama |= {"vocab_size": 101, "num_hidden_layers": 2, "hidden_size": 64, "intermediate_size": 128,
                  "num_attention_heads": 4, "num_key_value_heads": 2}
    return {"gpt2": GPT2Config(**gpt2), "llama": LlamaConfig(**llama)}


def seconds_per_token(torch, model, vocabulary, beginning, count):
    """The least of the tokens behind the second one."""
    step = model(torch.tensor([[(i * 7919 + 3) % vocabulary for i in range(beginning)]]), use_cache=True)
    times = []
    last = time.perf_counter()
    for _ in range(count - 1):
        token = step.logits[:, -1:].argmax(-1)
        step = model(token, past_key_values=step.past_key_values, use_cache=True)
        now = time.perf_counter()
        times.append(now - last)
        last = now
    return min(times[1:])


def check_scores(torch, model, vocabulary, tolerance):
    tokens = torch.tensor([[(i * 7919 + 3) % vocabulary for i in range(20)]])
    whole = model(tokens).logits[0, -1].double()
    step = model(tokens[:, :19], use_cache=True)
    last = model(tokens[:, 19:], past_key_values=step.past_key_values).logits[0, -1].double()
    if not (last - whole).abs().max() <= tolerance * whole.abs().max():
        sys.exit("bench_generate.py: the scores of transformers with a cache differ from those without")


def own_rows(arguments):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        command = [arguments.program, "--json", file.name]
        command += ["--quick"] if arguments.quick else []
        command += ["--only", arguments.only] if arguments.only else []
        if subprocess.run(command, check=False).returncode != 0:
            sys.exit(1)
        with open(file.name, encoding="utf-8") as stream:
            return json.load(stream)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    processors = sorted(os.sched_getaffinity(0))[:arguments.threads]
    os.sched_setaffinity(0, processors)
    try:
        import torch
        from transformers import AutoModelForCausalLM
    except ImportError as error:
        print(f"bench_generate.py: {error}", file=sys.stderr)
        sys.exit(77)
    torch.set_num_threads(len(processors))
    torch.manual_seed(0)
    print(f"{len(processors)} threads")
    rows = own_rows(arguments)
    own = {(row["model"], row["dtype"], row["device"]): row["tokens_per_second"] for row in rows if "model" in row}
    for name, configuration in configurations(arguments.quick).items():
        if arguments.only not in ("", name):
            continue
        for kind, dtype, tolerance in (("f32", torch.float32, 1e-4), ("bf16", torch.bfloat16, 0.05)):
            model = AutoModelForCausalLM.from_config(configuration).to(dtype).eval()
            with torch.inference_mode():
                check_scores(torch, model, configuration.vocab_size, tolerance)
                size = (8, 6) if arguments.quick else (128, 128)
                speed = 1 / seconds_per_token(torch, model, configuration.vocab_size, *size)
            ratios = {device: own[name, kind, device] / speed for device in ("cpu", "lazy")}
            print(f"{name:<8} {kind:<5} transformers {speed:9.2f} tokens/s; ddx / transformers: "
                  + ", ".join(f"{device} {ratio:.2f}" for device, ratio in ratios.items()), flush=True)
            rows.append({"model": name, "dtype": kind, "peer": "transformers", "tokens_per_second": speed,
                         "threads": len(processors)})
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as stream:
            json.dump(rows, stream, indent=2)


if __name__ == "__main__":
    main()
