#!/usr/bin/env python3
"""Compares a model that an example saved with what transformers reads from its folder. Exit 77 without transformers.

Usage: read_by_transformers.py FOLDER
FOLDER has config.json and the weights, tokens.npy [n, time], and logits.npy, what ddx computes for them in f32. With
balance.npy, which is a mixture of experts' balance loss, that is compared too.
"""
import os
import pathlib
import sys

os.environ["HF_HUB_OFFLINE"] = "1"

try:
    import numpy as np
    import torch
    import transformers
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)


def main():
    folder = pathlib.Path(sys.argv[1])
    configuration = transformers.AutoConfig.from_pretrained(folder)
    kind = getattr(transformers, configuration.architectures[0])
    balance = folder / "balance.npy"
    settings = {"experts_implementation": "eager"} if balance.exists() else {}
    model, report = kind.from_pretrained(folder, output_loading_info=True, **settings)
    # Nothing is missing, and nothing is left.
    assert not any(report.values()), report
    tokens = torch.from_numpy(np.load(folder / "tokens.npy").astype(np.int64))
    options = {"output_router_logits": True} if balance.exists() else {}
    with torch.no_grad():
        result = model.double().eval()(input_ids=tokens, **options)
    logits = np.load(folder / "logits.npy")
    difference = np.abs(result.logits.numpy() - logits).max() / np.abs(logits).max()
    if balance.exists():
        difference = max(difference, abs(result.aux_loss.item() / np.load(balance).item() - 1))
    print(f"{type(model).__name__}: largest relative difference from ddx {difference:.1e}")
    sys.exit(0 if difference < 1e-4 else 1)


if __name__ == "__main__":
    main()
