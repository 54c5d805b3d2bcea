#!/usr/bin/env python3
"""Records byte-level byte-pair encoding of the PyPI package `tokenizers`.

Usage: make_byte_pairs.py
Writes, into byte_pairs/: vocab.json and merges.txt, trained on corpus.txt, and cases.json.
Recorded with tokenizers 0.23.3 under Python 3.11; checked against tiktoken 0.14.0 on the way.
"""
import json
import pathlib
import tempfile

import tiktoken
from tokenizers import ByteLevelBPETokenizer
from tokenizers.pre_tokenizers import ByteLevel

import texts

FOLDER = pathlib.Path(__file__).parent / "byte_pairs"
SPECIAL = ["<|endoftext|>", "<|end|>"]
WITH_SPECIAL = ["<|endoftext|>", "a<|endoftext|>b", "a <|end|> b<|end|><|end|>", "<|end|", "<|endoftext|><|end|>of"]
PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


def train(size, min_frequency):
    tokenizer = ByteLevelBPETokenizer()
    tokenizer.train_from_iterator(texts.corpus(), vocab_size=size, min_frequency=min_frequency,
                                  special_tokens=SPECIAL, show_progress=False)
    return tokenizer


def files(tokenizer):
    with tempfile.TemporaryDirectory() as folder:
        tokenizer.save_model(folder)
        folder = pathlib.Path(folder)
        return (folder / "vocab.json").read_text(), (folder / "merges.txt").read_text()


def bytes_of_letters():
    """GPT-2's alphabet, from the tokenizer itself: each byte is encoded by a character of its own."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    rest = [byte for byte in range(256) if byte not in plain]
    letters = {chr(byte): byte for byte in plain}
    letters |= {chr(0x100 + i): byte for i, byte in enumerate(rest)}
    assert set(letters) == set(ByteLevel.alphabet())
    return letters


def tiktoken_of(vocabulary):
    """The same vocabulary in tiktoken, which knows ranks instead of merges."""
    letters = bytes_of_letters()
    ranks = {bytes(letters[c] for c in token): id for token, id in vocabulary.items() if token not in SPECIAL}
    return tiktoken.Encoding("recorded", pat_str=PATTERN, mergeable_ranks=ranks,
                             special_tokens={token: vocabulary[token] for token in SPECIAL})


def main():
    FOLDER.mkdir(exist_ok=True)
    tokenizer = train(600, 2)
    vocabulary, merges = files(tokenizer)
    (FOLDER / "vocab.json").write_text(vocabulary)
    (FOLDER / "merges.txt").write_text(merges)

    other = tiktoken_of(json.loads(vocabulary))
    prefixed = ByteLevelBPETokenizer(str(FOLDER / "vocab.json"), str(FOLDER / "merges.txt"), add_prefix_space=True)
    prefixed.add_special_tokens(SPECIAL)
    cases = []
    for text in texts.texts() + WITH_SPECIAL:
        ids = tokenizer.encode(text).ids
        assert ids == other.encode(text, allowed_special="all"), text
        cases.append({"text": text, "ids": ids, "prefixed": prefixed.encode(text).ids})

    trained = []
    for size, min_frequency in [(258, 2), (300, 1), (420, 2), (2000, 3), (1000, 1)]:
        made = files(train(size, min_frequency))
        merged = made[1].splitlines()[1:]
        trained.append({"size": size, "min_frequency": min_frequency, "tokens": len(json.loads(made[0])),
                        "merges": merged if len(merged) < 200 else merged[:100] + ["..."] + merged[-100:]})
    texts.write_recording(FOLDER / "cases.json", {"cases": cases, "trained": trained})


main()
