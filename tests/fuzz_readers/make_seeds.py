#!/usr/bin/env python3
"""Writes the small files that the fuzzers start from: seeds/NAME/*.

Usage: make_seeds.py
Pictures, models, texts and arrays of tests/goldens are seeds as well (CMakeLists.txt).
"""
import base64
import gzip
import json
import pathlib
import struct
import zipfile

FOLDER = pathlib.Path(__file__).parent / "seeds"


def safetensors(header, data):
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def packed(data):
    return gzip.compress(data, mtime=0)


def bundle(name, verify):
    """A bundle of tests/goldens in the form that tensor_bundle.cpp takes."""
    prefix = str(FOLDER.parent.parent / "goldens" / "tensor_bundles" / name)
    index, data = (pathlib.Path(prefix + end).read_bytes() for end in (".index", ".data-00000-of-00001"))
    return struct.pack("<BH", verify, len(index)) + index + data


def torch_files():
    """What PyTorch wrote in the form that torch_file.cpp takes: whole files and their pickles."""
    seeds = {}
    for path in sorted((FOLDER.parent.parent / "goldens" / "torch_files").glob("*.pth")):
        seeds[path.stem] = bytes([0]) + path.read_bytes()
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                seeds[path.stem + "_pickle"] = bytes([1]) + archive.read(path.stem + "/data.pkl")
    return seeds


def tokenizer(model, **parts):
    added = [{"id": 0, "content": "<s>", "special": True}, {"id": 1, "content": "a b", "single_word": True, "lstrip": True, "rstrip": True,
                                                            "normalized": True}]
    return json.dumps({"added_tokens": added, "model": model, **parts}, ensure_ascii=False).encode()


def sequence(name, *parts):
    return {"type": "Sequence", name: [part if isinstance(part, dict) else {"type": part} for part in parts]}


def tokenizers():
    """Each part of a tokenizer.json at least once."""
    table = struct.pack("<I", 8) + struct.pack("<II", 0x400, 0) + b"b\0"
    pairs = {"type": "BPE", "vocab": {"<s>": 0, "a b": 1, "a": 2, "t": 3, "at": 4, "\u0120": 5, "<0x0A>": 6}, "merges": ["a t"],
             "unk_token": "a", "fuse_unk": True, "byte_fallback": True, "dropout": None, "ignore_merges": True}
    marked = {**pairs, "merges": [["a", "##t"]], "vocab": {**pairs["vocab"], "##t": 7}, "continuing_subword_prefix": "##",
              "end_of_word_suffix": "</w>"}
    pieces = {"type": "WordPiece", "vocab": {"<s>": 0, "a b": 1, "a": 2, "##a": 3, "[UNK]": 4}, "unk_token": "[UNK]",
              "continuing_subword_prefix": "##", "max_input_chars_per_word": 9}
    unigram = {"type": "Unigram", "vocab": [["<s>", 0], ["a b", -1.5], ["a", -2], ["\u2581", -1e-3], ["<0x0A>", -9]], "unk_id": 0,
               "byte_fallback": True}
    words = {"type": "WordLevel", "vocab": {"<s>": 0, "a b": 1, "?": 2}, "unk_token": "?"}
    split = {"type": "Split", "pattern": {"Regex": "(?i:'s)|[^\\r\\n\\p{L}]?\\p{Lu}+|\\w{1,3}|[\\s[.,]]+(?!\\S)|\\bx++"}, "behavior": "Isolated",
             "invert": False}
    marker = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "first", "split": True}
    ends = {"cls": ["<s>", 0], "sep": ["<s>", 0]}
    parts = [{"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "<s>", "type_id": 1}}]
    template = {"type": "TemplateProcessing", "single": parts, "pair": parts, "special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": []}}}
    replace = {"type": "Replace", "pattern": {"String": "a"}, "content": "bb"}
    return {
        "bytes": tokenizer(pairs, normalizer={"type": "NFC"}, pre_tokenizer=sequence("pretokenizers", split, {"type": "ByteLevel"}),
                           decoder={"type": "ByteLevel"}, post_processor=sequence("processors", "ByteLevel", template)),
        "marked": tokenizer(marked, normalizer=sequence("normalizers", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Strip", replace),
                            pre_tokenizer=sequence("pretokenizers", {**split, "pattern": {"String": "t"}, "behavior": "MergedWithNext"},
                                                   "Whitespace"), decoder={"type": "BPEDecoder", "suffix": "</w>"}),
        "pieces": tokenizer(pieces, normalizer={"type": "BertNormalizer", "lowercase": True}, pre_tokenizer={"type": "BertPreTokenizer"},
                            decoder={"type": "WordPiece", "prefix": "##", "cleanup": True}, post_processor={"type": "BertProcessing", **ends}),
        "unigram": tokenizer(unigram, pre_tokenizer=marker, decoder={**marker, "add_prefix_space": True},
                             normalizer={"type": "Precompiled", "precompiled_charsmap": base64.b64encode(table).decode()}),
        "words": tokenizer(words, normalizer=sequence("normalizers", "Nmt", {"type": "Prepend", "prepend": "x"}, "ByteLevel"),
                           pre_tokenizer=sequence("pretokenizers", "WhitespaceSplit", "Punctuation", {"type": "Digits", "individual_digits": True}),
                           decoder=sequence("decoders", "ByteFallback", "Fuse", replace, {"type": "Strip", "content": " ", "start": 1, "stop": 1}),
                           post_processor={"type": "RobertaProcessing", **ends}),
    }


def gguf(metadata, arrays=()):
    """A GGUF file with these metadata, and arrays of zeros by name, extents and type."""
    def text(value):
        return struct.pack("<Q", len(value.encode())) + value.encode()

    def typed(value):
        if isinstance(value, list):
            first = value[0] if value else 0
            return 9, struct.pack("<IQ", typed(first)[0], len(value)) + b"".join(typed(each)[1] for each in value)
        if isinstance(value, str):
            return 8, text(value)
        if isinstance(value, bool):
            return 7, bytes([value])
        return (6, struct.pack("<f", value)) if isinstance(value, float) else (5, struct.pack("<i", value))

    content = b"GGUF" + struct.pack("<IQQ", 3, len(arrays), len(metadata))
    for key, value in metadata.items():
        kind, data = typed(value)
        content += text(key) + struct.pack("<I", kind) + data
    for name, extents, kind in arrays:
        content += text(name) + struct.pack(f"<I{len(extents)}QIQ", len(extents), *extents, kind, 0)
    return content + bytes(-len(content) % 32 + 64)


def gguf_models():
    """The settings of each architecture, all of them at least once."""
    extents = {"block_count": 2, "context_length": 8, "embedding_length": 4, "feed_forward_length": 4, "attention.head_count": 2}
    more = {
        "llama": {"rope.scaling.type": "linear", "rope.scaling.factor": 2.0, "vocab_size": 4, "attention.causal": True, "expert_used_count": 0},
        "qwen2": {"rope.scaling.type": "yarn", "rope.scaling.factor": 2.0, "rope.scaling.yarn_beta_fast": 2.0, "expert_count": 0},
        "gemma3": {"attention.sliding_window": 4, "attention.sliding_window_pattern": 2, "attention.key_length": 4,
                   "attention.value_length": 4, "rope.freq_base_swa": 100.0, "final_logit_softcapping": 0.0},
        "phi3": {"rope.dimension_count": 2, "rope.scaling.original_context_length": 8},
        "gpt2": {"attention.layer_norm_epsilon": 1e-5},
    }
    table = ("token_embd.weight", [4, 4], 1)
    return {name: gguf({"general.architecture": name} | {f"{name}.{key}": value for key, value in (extents | {
                "attention.layer_norm_rms_epsilon": 1e-5, **settings}).items() if name != "gpt2" or "rms" not in key}, [table])
            for name, settings in more.items()}


def gguf_tokenizers():
    words = {"tokenizer.ggml.tokens": ["<s>", "a", "t", "at", "<0x0A>", "\u2581"], "tokenizer.ggml.token_type": [3, 1, 1, 1, 6, 4],
             "tokenizer.ggml.scores": [0.0, -2.0, -3.0, -1.0, 0.0, 0.0], "tokenizer.ggml.merges": ["a t"], "tokenizer.ggml.bos_token_id": 0,
             "tokenizer.ggml.eos_token_id": 0, "tokenizer.ggml.add_bos_token": True, "tokenizer.ggml.add_eos_token": True}
    return {name: gguf({"tokenizer.ggml.model": model, "tokenizer.ggml.pre": pre, **words, "tokenizer.ggml.add_space_prefix": model == "llama"})
            for name, (model, pre) in {"pairs": ("gpt2", "llama-bpe"), "digits": ("gpt2", "smollm"), "pieces": ("llama", "default")}.items()}


IDX = bytes([0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3, 10, 20, 30, 40, 50, 60])
COCO = {"categories": [{"id": 1, "name": "a"}], "images": [{"id": 2, "file_name": "b", "width": 2, "height": 1}],
        "annotations": [{"id": 3, "image_id": 2, "category_id": 1, "bbox": [0, 0, 1, 1], "area": 1, "iscrowd": 1,
                         "segmentation": {"size": [1, 2], "counts": [1, 1]}}]}
RECORD = bytes([7]) + bytes(3072)
SEEDS = {
    "safetensors": {
        "empty": safetensors({}, b""),
        "two": safetensors({"__metadata__": {"a": "b"}, "w": {"dtype": "F32", "shape": [2, 1], "data_offsets": [1, 9]},
                            "b": {"dtype": "BOOL", "shape": [], "data_offsets": [0, 1]}}, b"\1" + bytes(8)),
    },
    "idx": {"plain": IDX, "packed": packed(IDX)},
    "cifar10": {"packed": packed(RECORD + RECORD)},
    "gzip": {"text": packed(b"text, text, text, text"), "empty": packed(b""), "plain": b"plain"},
    "vocabulary_json": {"three": json.dumps({"a": 0, "\u0120b": 1, "\n": 2}).encode(), "ascii": b'{"\\u0120\\ud83c\\udf89":0}'},
    "vocabulary_lines": {"three": b"[PAD]\n##s\r\n\xe4\xbd\xa0\n"},
    "byte_pair_merges": {"two": "#version: 0.2\nt h\n\u0120 t\n".encode()},
    "sentence_piece_model": {"small": bytes([10, 8, 10, 1, 97, 0x15, 0, 0, 0x20, 0xC0, 10, 5, 10, 1, 63, 0x18, 2, 0x12, 4, 0x18, 1, 0x98, 2, 0,
                                             0x1A, 4, 0x18, 0, 0x28, 0])},
    "coco": {"one": json.dumps(COCO).encode()},
    "tensor_bundle": {f"{name}_{verify}": bundle(name, verify) for name in ("object", "types", "names", "slices") for verify in (0, 1)},
    "weight_index": {"two": json.dumps({"metadata": {"total_size": 6}, "weight_map": {"a": "one", "b": "one", "c": "two"}}).encode()},
    "model_configuration": {"kinds": b'{"hidden_size":3,"a":{"a":[1,-2],"b":["x"],"hidden_size":1e-5},"b":null}',
                            "lists": b'{"a":{"a":[0.5,1],"b":true},"b":18446744073709551615,"hidden_size":"x"}'},
    "tokenizer_json": tokenizers(),
    "chat_template": {
        "loop": b"{% for m in messages if m.content %}{{- '<' + m['role'] ~ loop.index0 | string + '>' + m.content | trim }}\n"
                b"{%- else %}none{% endfor %}{% if add_generation_prompt %}{{ bos_token }}{% endif %}",
        "macro": b"{% macro f(x, y=2) %}{{ x | tojson(indent=2) if x is mapping else x[::-1] }}{% endmacro %}"
                 b"{% set ns = namespace(a=[1, 2.5, none]) %}{% set ns.a = ns.a + [f('ab', y=3)] %}{{ f({'k': ns.a}) }}"
                 b"{# c #}{{ raise_exception('x') if messages | length > 9 }}{{ 'a,b'.split(',') | map('upper') | join }}",
    },
    "gguf_options": gguf_models(),
    "gguf_tokenizer": gguf_tokenizers(),
    "torch_file": torch_files(),
    "texts": {"mixed": "It's a t\u00e9xt,  \u4f60\u597d <|end|>\r\n[MASK] \U0001f389 ".encode() + b"\xff\xc3"},
}

for name, files in SEEDS.items():
    (FOLDER / name).mkdir(parents=True, exist_ok=True)
    for file, content in files.items():
        (FOLDER / name / file).write_bytes(content)
