#!/usr/bin/env python3
"""Times the tokens of transformers: a JSON object with the keys of a row of bench_generate.

Usage: transformers_tokens.py FOLDER f32|bf16 --prompt N --count N --threads N [--compile] [--follow FILE.json]

As llama_cpp_tokens.py. --compile compiles the step of one token by torch.compile, with a cache of a fixed size. Status
77 where PyTorch or transformers is not installed, or the step does not compile.
"""
import argparse
import json
import os
import sys
import time


class Steps:
    """A model with a cache."""

    def __init__(self, torch, arguments):
        from transformers import AutoModelForCausalLM, StaticCache
        dtype = {"f32": torch.float32, "bf16": torch.bfloat16}[arguments.format]
        self.torch = torch
        self.model = AutoModelForCausalLM.from_pretrained(arguments.folder, dtype=dtype).eval()
        self.step = self.model
        self.cache = None
        self.new_cache = lambda: None
        if arguments.compile:
            self.step = torch.compile(self.model, dynamic=False)
            room = arguments.prompt + arguments.count
            self.new_cache = lambda: StaticCache(config=self.model.config, max_cache_len=room)
        self.vocabulary = self.model.config.vocab_size

    def read(self, tokens):
        self.cache = self.new_cache()
        return self.best_after(self.model, tokens, 0)

    def best_after(self, model, tokens, seen):
        places = self.torch.arange(seen, seen + len(tokens))
        more = {"position_ids": places[None]} if seen else {}
        made = model(self.torch.tensor([tokens]), past_key_values=self.cache, use_cache=True, logits_to_keep=1, **more)
        self.cache = made.past_key_values
        return int(made.logits[0, -1].argmax())

    def deficit(self, prompt, followed):
        """How much lower than the best score that of a token is at most, relative to the largest."""
        scores = self.model(self.torch.tensor([prompt + followed[:-1]])).logits[0, len(prompt) - 1:].double()
        chosen = scores.gather(1, self.torch.tensor(followed)[:, None])[:, 0]
        return float(((scores.max(1).values - chosen) / scores.abs().max(1).values).max())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("format", choices=["f32", "bf16"])
    parser.add_argument("--prompt", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--follow")
    arguments = parser.parse_args()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:arguments.threads])
    try:
        import torch
        import transformers
    except ImportError as missing:
        print(f"transformers_tokens.py: {missing}", file=sys.stderr)
        sys.exit(77)
    torch.set_num_threads(arguments.threads)
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    with torch.inference_mode():
        steps = Steps(torch, arguments)
        prompt = [(i * 7919 + 3) % steps.vocabulary for i in range(arguments.prompt)]
        made = {}
        if arguments.follow and not arguments.compile:
            with open(arguments.follow, encoding="utf-8") as file:
                made["deficit"] = steps.deficit(prompt, json.load(file)[-1]["tokens"])
        readings = []
        for _ in range(3):
            begin = time.perf_counter()
            tokens = [steps.read(prompt)]
            readings.append(time.perf_counter() - begin)
        times = []
        while len(tokens) < arguments.count:
            begin = time.perf_counter()
            try:
                tokens.append(steps.best_after(steps.step, tokens[-1:], len(prompt) + len(tokens) - 1))
            except Exception as error:
                if not arguments.compile:
                    raise
                print(f"transformers_tokens.py: torch.compile: {str(error)[:300]}", file=sys.stderr)
                sys.exit(77)
            times.append(time.perf_counter() - begin)
    times = sorted(times[2:])
    json.dump(made | {"prompt_seconds": min(readings), "tokens_per_second": 1 / times[0],
                      "median_tokens_per_second": 1 / times[len(times) // 2], "tokens": tokens}, sys.stdout)


if __name__ == "__main__":
    main()
