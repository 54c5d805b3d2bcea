#!/usr/bin/env python3
"""Records unigram models of the PyPI package `sentencepiece`.

Usage: make_sentence_piece.py
Writes, into sentence_piece/: models trained on corpus.txt, and cases.json.
Recorded with sentencepiece 0.2.3 under Python 3.11.
"""
import pathlib

import sentencepiece

import texts

FOLDER = pathlib.Path(__file__).parent / "sentence_piece"
SYMBOLS = ["<sep>", "C++", "::size_t"]
MORE = ["a<sep>b", "std::size_t in C++ and C+", "<s> </s> <unk>", "\u2581a\u2581 b\u2581", "1\u20442 \u00bd \u2460\u2461 \u3392 \ufdfa",
        "\uff21\uff22\uff23 \uff71\uff72\uff73 \u30d1\u30cf\u3099", "x\u3000 \u3000y", "e\u0301\u0301 \u1e9b\u0323 \u2126"]
# Replacements of several characters, of one by several, and by none.
RULES = [("ab", "c"), ("a", "\u00e4"), ("ss", "\u00df"), ("\u00df", "sz"), ("\u4f60\u597d", "hello "), ("\U0001f389", ""),
         ("t", " t")]
MODELS = {
    "nfkc": dict(vocab_size=460, user_defined_symbols=SYMBOLS),
    "bytes": dict(vocab_size=700, byte_fallback=True, normalization_rule_name="identity",
                  add_dummy_prefix=False, remove_extra_whitespaces=False),
    "suffix": dict(vocab_size=420, treat_whitespace_as_suffix=True),
    "kept": dict(vocab_size=430, normalization_rule_name="identity", remove_extra_whitespaces=False),
}


def train(name, options):
    if name == "suffix":
        rules = FOLDER / "rules.tsv"
        rules.write_text("".join(" ".join(f"{ord(c):X}" for c in old) + "\t" + " ".join(f"{ord(c):X}" for c in new) + "\n"
                                 for old, new in RULES))
        options = {**options, "normalization_rule_tsv": str(rules)}
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts.corpus()), model_prefix=str(FOLDER / name), model_type="unigram",
        character_coverage=0.98, num_threads=1, minloglevel=2, **options)
    (FOLDER / f"{name}.vocab").unlink()
    (FOLDER / "rules.tsv").unlink(missing_ok=True)


def some_ids(tokenizer):
    """Ids in orders that no encoding gives: bytes in the middle, spaces, controls, unknown ones."""
    size = tokenizer.get_piece_size()
    yield []
    for seed in range(40):
        yield [(seed * 7919 + i * i * 104729 + i * seed) % size for i in range(seed % 11 + 1)]
    space = tokenizer.piece_to_id("\u2581")
    yield [space, space, 1, space, size - 1, space]
    yield [0, space, 0, 0, 2]


def main():
    FOLDER.mkdir(exist_ok=True)
    tables = {}
    for name, options in MODELS.items():
        if not (FOLDER / f"{name}.model").exists():
            train(name, options)
        tokenizer = sentencepiece.SentencePieceProcessor(model_file=str(FOLDER / f"{name}.model"))
        tables[f"{name} pieces"] = [
            {"text": tokenizer.id_to_piece(i), "score": tokenizer.get_score(i)} for i in range(tokenizer.get_piece_size())
            if i % 10 == 0]
        rows = []
        for text in texts.texts() + MORE:
            ids = tokenizer.encode(text)
            rows.append({"text": text, "normalized": tokenizer.normalize(text), "ids": ids, "decoded": tokenizer.decode(ids)})
        tables[f"{name} cases"] = rows
        tables[f"{name} decoded"] = [{"ids": ids, "text": tokenizer.decode(ids)} for ids in some_ids(tokenizer)]
    texts.write_recording(FOLDER / "cases.json", tables)


main()
