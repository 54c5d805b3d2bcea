#!/usr/bin/env python3
"""Records gguf_tokenizers/*: tokenizers in the metadata of GGUF files, and what they give.

Usage: make_gguf_tokenizers.py
The files of pairs of bytes have the tokens of tokenizer_json/NAME.json, in the form of llama.cpp's converters, and
give what the package `tokenizers` gives for that file; "smollm" and "tekken" are "gpt2" with the words of these models.
"pieces" and "unprefixed" are models of pairs that the package `sentencepiece` trained on corpus.txt, and give what
that gives.
Recorded with tokenizers 0.23.3, sentencepiece 0.2.3 and gguf 0.19 under Python 3.11.
"""
import io
import json
import pathlib

import gguf
import sentencepiece
from tokenizers import Tokenizer, pre_tokenizers

import texts
from make_tokenizer_json import split

GOLDENS = pathlib.Path(__file__).parent
FOLDER = GOLDENS / "gguf_tokenizers"
TEKKEN = (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
          r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}"
          r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")
# The file, and the name of its words.
BYTE_PAIRS = {"gpt2": ("gpt2", "gpt-2"), "llama3": ("llama3", "llama-bpe"), "qwen": ("qwen", "qwen2"), "gpt4o": ("gpt4o", "gpt-4o"),
              "deepseek": ("deepseek", "deepseek-v3"), "smollm": ("gpt2", "smollm"), "tekken": ("gpt2", "tekken")}
PIECES = {"pieces": {}, "unprefixed": {"add_dummy_prefix": False}}
KINDS = gguf.TokenType
# More than twice the same places, spaces at both ends, other alphabets and bytes.
MORE = ["The numbers 1234567 and 12,345.", "don't DON'T we'll", "  two  spaces ", "x = [i*i for i in range(10)]\n\n\treturn x\n", "\u4f60\u597d \u4e16\u754c",
        "e\u0301te\u0301", "\U0001f389\U0001f389", "a\r\nb", "\u0664\u0665"]


def all_texts():
    return list(dict.fromkeys(texts.texts() + MORE))


def byte_pairs(name, source, words):
    content = json.loads((GOLDENS / "tokenizer_json" / f"{source}.json").read_text())
    # A token that is found in normalised texts has no form there.
    content["added_tokens"] = [token for token in content["added_tokens"] if not token["normalized"]]
    tokenizer = Tokenizer.from_str(json.dumps(content))
    if words in ("smollm", "tekken"):
        first = pre_tokenizers.Digits(individual_digits=True) if words == "smollm" else split(TEKKEN)
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [first, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=words == "smollm")])
    tokens = {id: token for token, id in tokenizer.get_vocab().items()}
    added = {token["id"]: token for token in content["added_tokens"]}
    writer = gguf.GGUFWriter(FOLDER / f"{name}.gguf", "llama")
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(words)
    writer.add_token_list([tokens[i] for i in range(len(tokens))])
    writer.add_token_types([KINDS.NORMAL if i not in added else KINDS.CONTROL if added[i]["special"] else KINDS.USER_DEFINED
                            for i in range(len(tokens))])
    merges = content["model"]["merges"]
    writer.add_token_merges([merge if isinstance(merge, str) else " ".join(merge) for merge in merges])
    if words == "llama-bpe":
        writer.add_bos_token_id(tokenizer.token_to_id("<|begin_of_text|>"))
    if words == "tekken":
        writer.add_add_bos_token(False)
    finish(writer)
    return [{"text": text, "ids": (ids := tokenizer.encode(text).ids), "decoded": tokenizer.decode(ids)}
            for text in all_texts() + [f"a{token['content']} b" for token in added.values()]]


def pieces(name, options):
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts.corpus()), model_writer=model, model_type="bpe", vocab_size=700, byte_fallback=True,
        normalization_rule_name="identity", remove_extra_whitespaces=False, character_coverage=0.98, num_threads=1,
        minloglevel=2, user_defined_symbols=["::"], **options)
    tokenizer = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    count = tokenizer.get_piece_size()
    writer = gguf.GGUFWriter(FOLDER / f"{name}.gguf", "llama")
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list([tokenizer.id_to_piece(i) for i in range(count)])
    writer.add_token_scores([tokenizer.get_score(i) for i in range(count)])
    writer.add_token_types([KINDS.UNKNOWN if tokenizer.is_unknown(i) else KINDS.CONTROL if tokenizer.is_control(i)
                            else KINDS.BYTE if tokenizer.is_byte(i) else KINDS.USER_DEFINED if tokenizer.id_to_piece(i) == "::"
                            else KINDS.NORMAL for i in range(count)])
    writer.add_bos_token_id(tokenizer.bos_id())
    writer.add_eos_token_id(tokenizer.eos_id())
    if not options.get("add_dummy_prefix", True):
        writer.add_add_space_prefix(False)
        writer.add_add_eos_token(True)
    finish(writer)
    ends = [] if options.get("add_dummy_prefix", True) else [tokenizer.eos_id()]
    # Behind a user-defined piece `tokenizers` adds the prefix once more: only without one they agree.
    return [{"text": text, "ids": [tokenizer.bos_id(), *(ids := tokenizer.encode(text)), *ends], "decoded": tokenizer.decode(ids)}
            for text in all_texts() if "::" not in text or ends]


def finish(writer):
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()


def main():
    FOLDER.mkdir(exist_ok=True)
    cases = {name: byte_pairs(name, *settings) for name, settings in BYTE_PAIRS.items()}
    cases |= {name: pieces(name, options) for name, options in PIECES.items()}
    (FOLDER / "cases.json").write_text(json.dumps(cases, indent=0) + "\n")


if __name__ == "__main__":
    main()
