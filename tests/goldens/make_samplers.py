#!/usr/bin/env python3
"""Records samplers.json: scores of tokens behind the logits processors of transformers.

Usage: make_samplers.py
Needs torch 2.15 and transformers 5.24, no network. Read by tests/unit/models/generation/sampler_test.cpp. Rows of scores
have ties, excluded tokens and vocabularies of one token; all is computed in f64. An excluded token is null. "filtered"
has the rows behind all processors that a GenerationConfig asks for, in the order of GenerationMixin.
"""
import json
import math
import os
import pathlib

os.environ["HF_HUB_OFFLINE"] = "1"

import torch
import transformers
from transformers.generation import logits_process as processors

FILE = pathlib.Path(__file__).parent / "samplers.json"
NONE = -math.inf
ROWS = [
    [1.5, -0.25, 3.0, 0.75, -2.0, 0.0, 2.25, 3.5],
    [0.0, 0.0, 0.0, 0.0],
    [2.0, 1.0, 2.0, NONE, 1.0, 1.0, -3.0, 2.0],
    [NONE, NONE, -1.25, NONE],
    [0.5],
    [-4.0, -4.0, 6.0, 6.0, NONE],
    [3.0 * math.sin(0.7 * i) for i in range(1, 41)],
]
TOKENS = [[3, 3, 0, 4], [0], [7, 3, 6, 6], [2, 0], [0, 0, 0], [1, 2], [5, 1, 12, 39, 5]]
PARAMETERS = {
    "penalized_scores": (processors.RepetitionPenaltyLogitsProcessor, [0.5, 1.0, 1.3]),
    "tempered_scores": (processors.TemperatureLogitsWarper, [0.25, 1.0, 1.7]),
    "top_k_scores": (processors.TopKLogitsWarper, [1, 2, 3, 5, 100]),
    "top_p_scores": (processors.TopPLogitsWarper, [0.0, 0.1, 0.5, 0.75, 0.93, 1.0]),
    "min_p_scores": (processors.MinPLogitsWarper, [0.0, 0.05, 0.3, 1.0]),
}
SETTINGS = [
    {"repetition_penalty": 1.3, "temperature": 0.7, "top_k": 6, "top_p": 0.9, "min_p": 0.1},
    {"temperature": 2.0, "top_k": 0, "top_p": 0.6, "min_p": 0.0},
    {"repetition_penalty": 0.8, "temperature": 1.5, "top_k": 3, "top_p": 1.0, "min_p": 0.4},
    {"repetition_penalty": 1.2, "do_sample": False},
]


def flat(scores):
    return [None if value == NONE else value for value in scores[0].tolist()]


def rows(process):
    for scores, tokens in zip(ROWS, TOKENS):
        yield flat(process(torch.tensor([tokens]), torch.tensor([scores], dtype=torch.float64)))


def all_processors(settings):
    """The list that `generate` of transformers makes."""
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(vocab_size=4, n_positions=4, n_embd=2, n_layer=1,
                                                                 n_head=1))
    configuration = transformers.GenerationConfig(**{"do_sample": True, **settings})
    return model._get_logits_processor(configuration, input_ids_seq_length=1)


def main():
    result = {
        "rows": [[None if value == NONE else value for value in row] for row in ROWS], "tokens": TOKENS,
        "filters": {name: [{"parameter": parameter, "rows": list(rows(kind(parameter)))} for parameter in parameters]
                    for name, (kind, parameters) in PARAMETERS.items()},
        "filtered": [{"settings": settings, "rows": list(rows(all_processors(settings)))} for settings in SETTINGS],
    }
    FILE.write_text(json.dumps(result) + "\n")


main()
