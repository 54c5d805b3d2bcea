#!/usr/bin/env python3
"""Records adapters.json: how peft trains adapters of low rank in a small Llama; and adapter_folder, the adapters that it
saves after that.

Usage: make_adapters.py
Needs torch 2.15, transformers 5.24 and peft 0.21, no network. Read by tests/unit/models/pretrained/adapters_test.cpp.
The model is "llama" of make_text_models.py, with the numbers that its names determine. The arrays lora_A have those of
their names too, and lora_B begins as zeros, as peft has it. Everything is computed in f64.
"""
import json
import pathlib

import make_text_models as models  # Makes f64 the type of all computations.
import peft
import torch

STEPS = 10
PLAIN = {"r": 4, "lora_alpha": 8, "target_modules": ["q_proj", "v_proj"]}
STABILISED = {"r": 2, "lora_alpha": 3, "use_rslora": True, "target_modules": ["k_proj", "o_proj", "down_proj"]}


def adapted(settings):
    kind, configuration = models.MODELS["llama"]
    configuration._attn_implementation = "eager"
    base = kind(configuration).double()
    models.fill(base)
    model = peft.get_peft_model(base, peft.LoraConfig(**settings)).double().eval()
    with torch.no_grad():
        for name, array in model.named_parameters():
            if "lora_A" in name:
                name = name.replace(".default", "")
                u = torch.from_numpy(models.numbers(name, array.numel()).reshape(tuple(array.shape)))
                array.copy_(u * array.shape[1] ** -0.5)
    return model


def loss_of(model):
    logits = model(input_ids=models.TOKENS).logits
    return torch.nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), models.TOKENS[:, 1:].flatten())


def record(settings, folder=None):
    model = adapted(settings)
    trained = [array for array in model.parameters() if array.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=0.01, weight_decay=0.1)
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = loss_of(model)
        loss.backward()
        losses.append(loss.item())
        optimizer.step()
    losses.append(loss_of(model).item())
    if folder is not None:
        model.save_pretrained(folder)
        (folder / "README.md").unlink(missing_ok=True)
    return {"settings": settings, "trained": sum(array.numel() for array in trained),
            "all": sum(array.numel() for array in model.get_base_model().parameters()), "losses": losses}


def main():
    goldens = pathlib.Path(__file__).parent
    result = {"plain": record(PLAIN, goldens / "adapter_folder"), "stabilised": record(STABILISED)}
    (goldens / "adapters.json").write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
