#!/usr/bin/env python3
"""Records BERT's tokenizer of the PyPI packages `tokenizers` and `transformers`.

Usage: make_bert.py
Writes, into bert/: vocab.txt, trained on corpus.txt, and cases.json.
Recorded with tokenizers 0.23.3 and transformers 5.23.0 under Python 3.11.
"""
import pathlib

from tokenizers import BertWordPieceTokenizer
from tokenizers.decoders import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from transformers import BertTokenizer

import texts

FOLDER = pathlib.Path(__file__).parent / "bert"
SPECIAL = ["[CLS]", "a [SEP] b", "[MASK][MASK]of[PAD]", "[cls] [UNK]", "the[MASK]"]
NORMALIZERS = [
    dict(lowercase=True, strip_accents=None, handle_chinese_chars=True),
    dict(lowercase=False, strip_accents=None, handle_chinese_chars=True),
    dict(lowercase=True, strip_accents=False, handle_chinese_chars=False),
    dict(lowercase=False, strip_accents=True, handle_chinese_chars=True),
]
PAIRS = [
    ("the model of layers", "a value"),
    ("the model of layers", ""),
    ("", "a value"),
    ("", ""),
    ("one two three four five six seven eight", "one two three four five six seven eight"),
    ("a b c d e f g", "a b c"),
    ("a b", "a b c d e f g h"),
    ("tokenization", "untokenizable [SEP] tokens"),
]


def words(options, text):
    """What BertNormalizer and BertPreTokenizer cut a text into."""
    normalized = BertNormalizer(clean_text=True, **options).normalize_str(text)
    return [word for word, _ in BertPreTokenizer().pre_tokenize_str(normalized)]


def row_of(encoding, **others):
    return {**others, "ids": encoding.ids, "segments": encoding.type_ids}


def truncated(tokenizer):
    """Pairs cut to some lengths; ids are null where the strategy cannot make a pair short enough."""
    for strategy in ("longest_first", "only_first", "only_second"):
        for length in (4, 5, 6, 8, 9, 12):
            tokenizer.enable_truncation(length, strategy=strategy)
            for first, second in PAIRS:
                row = {"first": first, "second": second, "strategy": strategy, "length": length}
                try:
                    yield row_of(tokenizer.encode(first, second), **row)
                except Exception:
                    yield {**row, "ids": None}
    tokenizer.no_truncation()


def batch(tokenizer, length=None):
    """Texts of different lengths in rows of one length."""
    batch_texts = ["a value", "", "the model of layers is a value", "x"]
    if length:
        tokenizer.enable_truncation(length)
    tokenizer.enable_padding(length=length)
    rows = tokenizer.encode_batch(batch_texts)
    return {"texts": batch_texts, "length": length, "ids": [row.ids for row in rows],
            "mask": [row.attention_mask for row in rows], "segments": [row.type_ids for row in rows]}


def main():
    FOLDER.mkdir(exist_ok=True)
    if not (FOLDER / "vocab.txt").exists():  # Equal trainings give different vocabularies.
        trained = BertWordPieceTokenizer(lowercase=True)
        trained.train_from_iterator(texts.corpus(), vocab_size=700, min_frequency=1, show_progress=False)
        trained.save_model(str(FOLDER))
    tokenizer = BertTokenizer(str(FOLDER / "vocab.txt")).backend_tokenizer
    decoder = WordPiece(cleanup=False)

    basic = [{"text": text, "words": [words(options, text) for options in NORMALIZERS]} for text in texts.texts()]
    single = []
    for text in texts.texts() + SPECIAL:
        encoding = tokenizer.encode(text)
        single.append({"text": text, "ids": encoding.ids, "decoded": decoder.decode(encoding.tokens)})
    pairs = [row_of(tokenizer.encode(first, second), first=first, second=second) for first, second in PAIRS]
    texts.write_recording(FOLDER / "cases.json", {
        "basic": basic, "single": single, "pairs": pairs, "truncated": [*truncated(tokenizer)],
        "batches": [batch(tokenizer), batch(tokenizer, 7)]})


main()
