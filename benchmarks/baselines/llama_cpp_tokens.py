#!/usr/bin/env python3
"""Times the tokens of llama.cpp: a JSON object with the keys of a row of bench_generate.

Usage: llama_cpp_tokens.py FILE.gguf --prompt N --count N --threads N [--exact] [--follow FILE.json]

Reads the prompt of bench_generate three times, of which the fastest counts, and then draws the best token again and
again. --exact keeps keys and values in f32, not f16. --follow first lets the model follow the tokens of another one,
the last row of the file: `deficit` is how much lower than the best score the score of one of them is at most, relative
to the largest score. Needs llama-cpp-python; status 77 without it.
"""
import argparse
import ctypes
import json
import os
import sys
import time


class Context:
    """A model with a cache, by the functions of llama.h."""

    def __init__(self, llama_cpp, arguments):
        self.library = llama_cpp
        llama_cpp.llama_backend_init()
        parameters = llama_cpp.llama_model_default_params()
        self.model = llama_cpp.llama_model_load_from_file(arguments.file.encode(), parameters)
        if not self.model:
            sys.exit(f"llama_cpp_tokens.py: llama.cpp does not load {arguments.file}")
        settings = llama_cpp.llama_context_default_params()
        settings.n_ctx = settings.n_batch = settings.n_ubatch = max(arguments.prompt + arguments.count, 256)
        settings.n_threads = settings.n_threads_batch = arguments.threads
        if arguments.exact:
            settings.type_k = settings.type_v = llama_cpp.GGML_TYPE_F32
        self.context = llama_cpp.llama_init_from_model(self.model, settings)
        self.vocabulary = llama_cpp.llama_vocab_n_tokens(llama_cpp.llama_model_get_vocab(self.model))

    def clear(self):
        self.library.llama_memory_clear(self.library.llama_get_memory(self.context), True)

    def scores_after(self, numpy, tokens):
        """Adds tokens to the cache; the scores behind them, which are valid until the next call."""
        array = (self.library.llama_token * len(tokens))(*tokens)
        if self.library.llama_decode(self.context, self.library.llama_batch_get_one(array, len(tokens))) != 0:
            sys.exit("llama_cpp_tokens.py: llama_decode failed")
        scores = self.library.llama_get_logits_ith(self.context, -1)
        address = ctypes.cast(scores, ctypes.POINTER(ctypes.c_float))
        return numpy.ctypeslib.as_array(address, (self.vocabulary,))

    def best_after(self, numpy, tokens):
        return int(self.scores_after(numpy, tokens).argmax())


def largest_deficit(numpy, context, prompt, followed):
    largest = 0
    scores = context.scores_after(numpy, prompt)
    for token in followed:
        largest = max(largest, float((scores.max() - scores[token]) / abs(scores).max()))
        scores = context.scores_after(numpy, [token])
    return largest


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--prompt", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--follow")
    arguments = parser.parse_args()
    try:
        import numpy
        import llama_cpp
    except ImportError as missing:
        print(f"llama_cpp_tokens.py: {missing}", file=sys.stderr)
        sys.exit(77)
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:arguments.threads])
    silent = llama_cpp.llama_log_callback(lambda level, text, data: None)
    llama_cpp.llama_log_set(silent, None)
    context = Context(llama_cpp, arguments)
    prompt = [(i * 7919 + 3) % context.vocabulary for i in range(arguments.prompt)]
    made = {}
    if arguments.follow:
        with open(arguments.follow, encoding="utf-8") as file:
            made["deficit"] = largest_deficit(numpy, context, prompt, json.load(file)[-1]["tokens"])
    readings = []
    for _ in range(3):
        context.clear()
        begin = time.perf_counter()
        tokens = [context.best_after(numpy, prompt)]
        readings.append(time.perf_counter() - begin)
    times = []
    while len(tokens) < arguments.count:
        begin = time.perf_counter()
        tokens.append(context.best_after(numpy, tokens[-1:]))
        times.append(time.perf_counter() - begin)
    times = sorted(times[1:])
    json.dump(made | {"prompt_seconds": min(readings), "tokens_per_second": 1 / times[0],
               "median_tokens_per_second": 1 / times[len(times) // 2], "tokens": tokens}, sys.stdout)


if __name__ == "__main__":
    main()
