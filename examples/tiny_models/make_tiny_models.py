#!/usr/bin/env python3
"""Makes the folders beside this script, as transformers saves models, and prints the numbers that examples end in.

Usage: make_tiny_models.py
Needs torch 2.15 and transformers 5.24 with tokenizers, no network; two minutes on two cores. A model that is there is not
trained again: another machine may round in another way.

bert: numbers that follow from the names of its arrays, as in tests/goldens/make_text_models.py. gpt2 and llama have
learnt the file LICENSE, letter by letter. Each folder has logits.npy: what its model returns for TOKENS, computed in f64.
"""
import os
import pathlib
import sys

os.environ["HF_HUB_OFFLINE"] = "1"
FOLDER = pathlib.Path(__file__).resolve().parent
EXAMPLES = FOLDER.parent
sys.path.insert(0, str(EXAMPLES.parent / "tests" / "goldens"))

import numpy as np
import safetensors.numpy
import safetensors.torch
import torch

SINGLE = torch.float32  # As safetensors has it too.
import make_text_models  # Makes f64 the type of all computations: names of f32 mean it from here on.
import tokenizers
import transformers as hf

TOKENS = make_text_models.TOKENS
LETTERS = "\n" + "".join(map(chr, range(32, 127)))
LICENSE = " ".join((EXAMPLES.parent / "LICENSE").read_text().split())
SONNETS = (EXAMPLES / "sonnets.txt").read_text()
GPT2 = hf.GPT2Config(vocab_size=len(LETTERS), n_positions=128, n_embd=32, n_layer=2, n_head=4, resid_pdrop=0.0,
                     embd_pdrop=0.0, attn_pdrop=0.0, bos_token_id=None, eos_token_id=None)
LLAMA = hf.LlamaConfig(vocab_size=len(LETTERS), hidden_size=24, intermediate_size=48, num_hidden_layers=1,
                       num_attention_heads=4, num_key_value_heads=2, tie_word_embeddings=True,
                       max_position_embeddings=128, bos_token_id=None, eos_token_id=None)


def cross_entropy(logits, labels):
    return torch.nn.functional.cross_entropy(logits.flatten(0, -2), labels.flatten())


def ids_of(text):
    return torch.tensor([LETTERS.index(letter) for letter in text])


def windows(ids, length):
    """Runs of `length` tokens and, in each place, the token after that."""
    starts = range(0, len(ids) - length, length)
    return (torch.stack([ids[i:i + length] for i in starts]), torch.stack([ids[i + 1:i + length + 1] for i in starts]))


def learn_license(model, steps):
    """Trains on runs of 128 letters."""
    ids = ids_of(LICENSE)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    for step in range(steps):
        starts = torch.randint(0, len(ids) - 129, (8,)).tolist()
        batch = torch.stack([ids[i:i + 129] for i in starts])
        loss = cross_entropy(model(input_ids=batch[:, :-1]).logits, batch[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if (step + 1) % 500 == 0:
            print(f"{model.config.model_type}: {loss.item():.3f} nats per letter after {step + 1} steps", flush=True)


@torch.no_grad()
def set_arrays(model, arrays):
    for name, parameter in model.named_parameters():
        parameter.copy_(torch.from_numpy(np.asarray(arrays[name], dtype=np.float64)))


def made(name, kind, configuration, steps):
    """The model of a folder; it is made where there is none. Trained, or with the numbers of its names."""
    torch.manual_seed(0)
    configuration._attn_implementation = "eager"
    model = kind(configuration).double().eval()
    file = FOLDER / name / "model.safetensors"
    if not file.exists():
        if steps > 0:
            learn_license(model, steps)
        else:
            make_text_models.fill(model)
        set_arrays(model, {n: p.detach().numpy().astype(np.float32) for n, p in model.named_parameters()})
        copy = kind(configuration).double()
        copy.load_state_dict(model.state_dict())
        copy.to(SINGLE).save_pretrained(FOLDER / name)
        (FOLDER / name / "generation_config.json").unlink(missing_ok=True)
    set_arrays(model, safetensors.numpy.load_file(file))
    with torch.no_grad():
        np.save(FOLDER / name / "logits.npy", model(input_ids=TOKENS).logits.numpy())
    return model


def save_tokenizer(folder):
    """One token for each letter: pairs of bytes without pairs."""
    names = {" ": "\u0120", "\n": "\u010a"}
    vocabulary = {names.get(letter, letter): number for number, letter in enumerate(LETTERS)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(vocabulary, []))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    tokenizer.save(str(folder / "tokenizer.json"))
    return tokenizer


def continued(model, tokenizer, prompt, count):
    """The likeliest letters behind a text, and the least lead of one over the second."""
    row = torch.tensor([tokenizer.encode(prompt).ids])
    lead = 1e9
    for _ in range(count):
        scores = model(input_ids=row).logits[0, -1]
        best = torch.topk(scores, 2).values
        lead = min(lead, (best[0] - best[1]).item())
        row = torch.cat([row, scores.argmax().reshape(1, 1)], 1)
    generated = model.generate(row[:, :-count], max_new_tokens=count, do_sample=False, pad_token_id=0)
    assert generated.tolist() == row.tolist()
    return tokenizer.decode(row[0].tolist()), lead


def fine_tuned_head(model, steps=80):
    """102: which half of four words has the majority of nine; the words stay, and the first block."""
    state = 1
    rows = []
    for _ in range(512):
        row = [1]
        for _ in range(9):
            state = (state * 1103515245 + 12345) % 2**31
            row.append(2 + state // 2**16 % 4)
        rows.append(row)
    tokens = torch.tensor(rows)
    labels = ((tokens[:, 1:] >= 4).sum(1) >= 5).long()
    for name, parameter in model.named_parameters():
        parameter.requires_grad = name.startswith(("classifier", "bert.pooler", "bert.encoder.layer.1"))
    with torch.no_grad():
        model.classifier.weight.zero_()
        model.classifier.bias.zero_()
    head = list(model.classifier.parameters())
    rest = [p for n, p in model.named_parameters() if p.requires_grad and not n.startswith("classifier")]
    optimizer = torch.optim.AdamW([{"params": rest, "lr": 1e-3}, {"params": head, "lr": 1e-2}], weight_decay=0.01)
    for step in range(steps + 1):
        loss = cross_entropy(model(input_ids=tokens[:256]).logits, labels[:256])
        if step in (0, 20, steps):
            found = model(input_ids=tokens[256:]).logits.argmax(1)
            right = (found == labels[256:]).double().mean().item()
            print(f"102_fine_tune: loss before step {step} {loss.item():.12f}, {right:.4f} of the others right", flush=True)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def perplexity(model, text):
    inputs, targets = windows(ids_of(text), 64)
    with torch.no_grad():
        return cross_entropy(model(input_ids=inputs).logits, targets).exp().item()


def tuned_to_sonnets(model, steps=30):
    """303: the last of three sonnets before and after some steps on the first two."""
    first, second, last = SONNETS.split("\n\n")
    inputs, targets = windows(ids_of(first + "\n\n" + second), 64)
    print(f"303_gpt2_fine_tune: perplexity {perplexity(model, last):.12f}", end="", flush=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
    for _ in range(steps):
        loss = cross_entropy(model(input_ids=inputs).logits, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f", after {steps} steps {perplexity(model, last):.12f}", flush=True)


def main():
    bert = made("bert", *make_text_models.MODELS["bert"], steps=0)
    gpt2 = made("gpt2", hf.GPT2LMHeadModel, GPT2, steps=2000)
    llama = made("llama", hf.LlamaForCausalLM, LLAMA, steps=2000)
    tokenizer = save_tokenizer(FOLDER / "gpt2")
    for name, model in (("gpt2", gpt2), ("llama", llama)):
        text, lead = continued(model, tokenizer, "The Licensor ", 100)
        print(f"302_gpt2_generate, {name}: {text!r}, least lead {lead:.3g}", flush=True)
    fine_tuned_head(bert)
    tuned_to_sonnets(gpt2)


if __name__ == "__main__":
    main()
