#!/usr/bin/env python3
"""Records tokenizers of the PyPI package `tokenizers`, built like those that the Hugging Face hub ships.

Usage: make_tokenizer_json.py
Writes, into tokenizer_json/: NAME.json, a tokenizer trained on corpus.txt, and NAME.cases.json, what it gives;
patterns.cases.json, how regular expressions split a text; lines.cases.json, digests over 10,000 lines.
A tokenizer that is there is not trained again: equal trainings give different vocabularies.
Recorded with tokenizers 0.23.3 under Python 3.11.
"""
import base64
import json
import pathlib
import unicodedata

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

import texts

FOLDER = pathlib.Path(__file__).parent / "tokenizer_json"
GPT2_SPECIAL = ["<|endoftext|>"]
LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
          r"|\s+(?!\S)|\s+")
QWEN = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
        r"|\s+(?!\S)|\s+")
GPT4O = (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
         r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
         r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")
DEEPSEEK = [r"\p{N}{1,3}", "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
            r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"
            r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"]
BLOOM = " ?[^(\\s|[.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c])]+"


def train(tokenizer, trainer):
    tokenizer.train_from_iterator(texts.corpus(), trainer)
    return tokenizer


def split(pattern, behavior="isolated", invert=False):
    return pre_tokenizers.Split(Regex(pattern), behavior, invert)


def byte_level(pattern=None, normalizer=None, add_prefix_space=False, special=(), **model):
    """Byte-level pairs like those of GPT-2, and with a pattern those of its successors."""
    tokenizer = Tokenizer(models.BPE(**model))
    bytes_of = pre_tokenizers.ByteLevel(add_prefix_space=add_prefix_space, use_regex=pattern is None)
    patterns = [] if pattern is None else [pattern] if isinstance(pattern, str) else pattern
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split(p) for p in patterns] + [bytes_of]) if patterns else bytes_of
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    if normalizer:
        tokenizer.normalizer = normalizer
    return train(tokenizer, trainers.BpeTrainer(vocab_size=500, show_progress=False, special_tokens=list(special),
                                                initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))


def with_merges_as_text(tokenizer):
    """The form of older files."""
    content = json.loads(tokenizer.to_str())
    content["model"]["merges"] = [" ".join(merge) for merge in content["model"]["merges"]]
    return content


def gpt2():
    return with_merges_as_text(byte_level(special=GPT2_SPECIAL))


def llama3():
    tokenizer = byte_level(LLAMA3, ignore_merges=True)
    # A token that no merge makes: it is found only because merges are ignored.
    content = json.loads(tokenizer.to_str())
    content["model"]["vocab"]["\u0120quick"] = len(content["model"]["vocab"])
    tokenizer = Tokenizer.from_str(json.dumps(content))
    tokenizer.add_special_tokens(["<|begin_of_text|>", "<|end_of_text|>", "<|eot_id|>"])
    template = processors.TemplateProcessing(
        single="<|begin_of_text|> $A", pair="<|begin_of_text|> $A <|begin_of_text|>:1 $B:1",
        special_tokens=[("<|begin_of_text|>", tokenizer.token_to_id("<|begin_of_text|>"))])
    tokenizer.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=False), template])
    return tokenizer


def qwen():
    tokenizer = byte_level(QWEN, normalizers.NFC())
    tokenizer.add_special_tokens(["<|endoftext|>", "<|im_start|>", "<|im_end|>"])
    tokenizer.add_tokens([AddedToken("<think>", normalized=False), AddedToken("cafe\u0301", normalized=True)])
    return tokenizer


def gpt4o():
    return byte_level(GPT4O, special=GPT2_SPECIAL)


def deepseek():
    return byte_level(DEEPSEEK)


def bloom():
    tokenizer = byte_level(BLOOM)
    tokenizer.add_special_tokens(["<s>", "</s>"])
    return tokenizer


def roberta():
    tokenizer = byte_level(add_prefix_space=True, special=["<s>", "<pad>", "</s>", "<unk>"])
    tokenizer.add_special_tokens([AddedToken("<mask>", lstrip=True)])
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", tokenizer.token_to_id("</s>")),
                                                            ("<s>", tokenizer.token_to_id("<s>")))
    return tokenizer


def clip():
    """Pairs within words that end with </w>, in lower case."""
    tokenizer = Tokenizer(models.BPE(unk_token="<|endoftext|>", end_of_word_suffix="</w>"))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        split(r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+", "removed", True),
        pre_tokenizers.ByteLevel(add_prefix_space=False)])
    tokenizer.decoder = decoders.BPEDecoder()
    return train(tokenizer, trainers.BpeTrainer(vocab_size=500, show_progress=False, end_of_word_suffix="</w>",
                                                special_tokens=["<|startoftext|>", "<|endoftext|>"]))


def prefixed_pairs():
    """Pairs whose tokens within a word begin with ##; unknown characters are fused."""
    tokenizer = Tokenizer(models.BPE(unk_token="[UNK]", fuse_unk=True, continuing_subword_prefix="##"))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Whitespace(), pre_tokenizers.Digits(individual_digits=True)])
    tokenizer.decoder = decoders.WordPiece(cleanup=True)
    return train(tokenizer, trainers.BpeTrainer(vocab_size=300, show_progress=False, special_tokens=["[UNK]"], limit_alphabet=40,
                                                continuing_subword_prefix="##"))


def llama_decoder():
    return decoders.Sequence([decoders.Replace("\u2581", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])


def llama2(prepend=True):
    """Pairs of characters over the whole text, in bytes where there is no token."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    if prepend:
        tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")])
    else:
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace("\u2581", "first", split=False)
    trained = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    trained.pre_tokenizer = pre_tokenizers.Metaspace()
    special = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    train(trained, trainers.BpeTrainer(vocab_size=700, show_progress=False, special_tokens=special, limit_alphabet=60))
    tokenizer.model = trained.model
    tokenizer.add_special_tokens(special[:3])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A", pair="<s> $A <s>:1 $B:1", special_tokens=[("<s>", tokenizer.token_to_id("<s>"))])
    tokenizer.decoder = llama_decoder()
    return tokenizer


def mistral():
    return llama2(prepend=False)


def bert(lowercase=True):
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece(cleanup=lowercase)
    train(tokenizer, trainers.WordPieceTrainer(vocab_size=500, show_progress=False,
                                               special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]))
    ids = [(token, tokenizer.token_to_id(token)) for token in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=ids) if lowercase else (
            processors.BertProcessing(ids[1], ids[0]))
    return tokenizer


def bert_cased():
    return bert(lowercase=False)


def unigram(normalizer, unk="<unk>", **options):
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    return train(tokenizer, trainers.UnigramTrainer(vocab_size=400, show_progress=False, unk_token=unk,
                                                    special_tokens=["<pad>", "</s>", "<unk>"], **options))


def charsmap(name):
    """The table of replacements in a model of SentencePiece: field 2 of field 3."""
    def fields(data):
        place = 0
        def varint():
            nonlocal place
            value = shift = 0
            while True:
                byte = data[place]
                place += 1
                value |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    return value
        while place < len(data):
            key = varint()
            if key & 7 == 0:
                yield key >> 3, varint()
            elif key & 7 == 2:
                size = varint()
                yield key >> 3, data[place:place + size]
                place += size
            else:
                size = {1: 8, 5: 4}[key & 7]
                place += size
    model = (FOLDER.parent / "sentence_piece" / f"{name}.model").read_bytes()
    normalizer = dict(fields(model))[3]
    return dict(fields(normalizer))[2]


def t5():
    tokenizer = unigram(normalizers.Sequence([normalizers.Precompiled(charsmap("suffix")), normalizers.Replace(Regex(" {2,}"), " ")]))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", tokenizer.token_to_id("</s>"))])
    return tokenizer


def albert():
    tokenizer = unigram(normalizers.Sequence([normalizers.Replace("``", '"'), normalizers.Replace("''", '"'), normalizers.NFKD(),
                                              normalizers.StripAccents(), normalizers.Lowercase(), normalizers.Nmt()]))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    tokenizer.add_tokens([AddedToken("model", single_word=True), AddedToken("Value", lstrip=True, rstrip=True)])
    return tokenizer


def unigram_bytes():
    tokenizer = unigram(normalizers.Sequence([normalizers.Strip(), normalizers.NFKC()]))
    content = json.loads(tokenizer.to_str())
    content["model"]["byte_fallback"] = True
    content["model"]["vocab"] += [[f"<0x{byte:02X}>", -20.0] for byte in range(256)]
    content["pre_tokenizer"] = {"type": "Metaspace", "replacement": "\u2581", "add_prefix_space": True}
    content["decoder"] = json.loads(Tokenizer.from_str(json.dumps({**content, "decoder": None})).to_str())["decoder"]
    tokenizer = Tokenizer.from_str(json.dumps(content))
    tokenizer.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Metaspace(prepend_scheme="never")])
    return tokenizer


def unigram_ties():
    """Paths whose scores differ in the last bit, or not at all, by how the scores are read."""
    score = 3.542301210811698
    return Tokenizer(models.Unigram([("<unk>", 0.0)] + [("a" * n, -score if n == 1 else -(2 * score + (n - 2) * score)) for n in range(1, 6)], 0))


def word_level():
    tokenizer = Tokenizer(models.WordLevel(unk_token="?"))
    tokenizer.normalizer = normalizers.NFD()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation("merged_with_previous"), pre_tokenizers.Digits(),
        split("e+", "merged_with_next"), split(r"[aou]\w?", "contiguous"), pre_tokenizers.Split("t", "removed")])
    return train(tokenizer, trainers.WordLevelTrainer(vocab_size=300, show_progress=False, special_tokens=["?"]))


KINDS = [gpt2, llama3, qwen, gpt4o, deepseek, bloom, roberta, clip, prefixed_pairs, llama2, mistral, bert, bert_cased, t5, albert,
         unigram_bytes, unigram_ties, word_level]
PAIRS = [("the model of layers", "a value"), ("", "a value"), ("Hello", ""), ("one two three four five six", "seven eight")]


def special_texts(tokenizer):
    """Added tokens in all places."""
    for token in tokenizer.get_added_tokens_decoder().values():
        text = token.content
        yield from (text, f" {text} ", f"a{text}b", f"a  {text}  {text}{text}\u3000b", text[:-1], f"{text}_ {text}. {text}\u0301 _{text}",
                    text.upper())


def some_ids(size):
    """Ids in orders that no encoding gives."""
    for seed in range(30):
        yield [(seed * 7919 + i * i * 104729 + i * seed) % size for i in range(seed % 11 + 1)]


# Where Oniguruma and PCRE2 differ, or might.
PATTERNS = [r"\s", r"[\s]+", r"\S+", r"[\S]+", r"[^\S]", r"[^\s]+", r"\w+", r"[\w-]+", r"[^\w]+", r"\W+", r"\bto|\bno", r"\Bn\B", r"\h+", r"[\hx]+",
            r"\H+", r"\v", r"[\v]", r"(?m:.+)", r".+", r"^.", r".$", r"a{,2}b?", r"a{2}", r"\u0041|\x{62}|\x43", r"[a[bc]\s]+",
            BLOOM, r"[a-]+", r"(?<name>a)b", r"\p{Han}+", r"\p{^L}+", r"\P{L}+", r"\p{Letter}+", r"\p{Nd}", r"(?i)or", r"(?i:A)b", "a*",
            "", "x?", r"[\b]", r"a++b", r"(?>a+)b", "{", r"a{x}", r"\]\[", r"[\]\[]", r"\d+", r"[\d\D]+", r"\D+", r"(?<!a)b", r"(?<=\s)a", r"\X",
            r"\A.", r".\z", r".\Z", LLAMA3, QWEN, GPT4O, *DEEPSEEK]
PATTERN_TEXT = ("To be, or_not t\u00f6-be: ABC abc cafe\u0301 \u180e x\u00a0y\u0085z\n\na  \r\n12 \u0661\u0662 \u2460 \u24b6 \u4e2d\u6587\u3005\u30fc\u3042 ss "
                "\u00df \u017f dead BEEF -a[]{} aaab a{x} |\u000b\u0008\u200d it's IT'\u017f  \n")
LINES = 10000


def next_numbers(state):
    """A function of n whose results are evenly distributed in [0, n)."""
    def number_below(n):
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (state >> 33) % n
    return number_below


def fragments():
    """What lines are made of: words, and whatever is difficult. Characters are those of Unicode 3.2, whose properties later
    versions left as they were, except for two."""
    number_below = next_numbers(1)
    points = [chr(p) for p in range(0x110000) if unicodedata.ucd_3_2_0.category(chr(p)) not in ("Cn", "Cs") and p not in (0x1885, 0x1886)]
    marks = [c for c in points if unicodedata.category(c)[0] == "M"]
    near = [c for c in points if 0xA0 <= ord(c) < 0x600]

    def some(characters, most):
        return "".join(characters[number_below(len(characters))] for _ in range(1 + number_below(most)))
    rare = [some(points, 3) for _ in range(400)] + [some(near, 6) for _ in range(300)]
    marked = ["aeoun\u0915\u0627"[number_below(7)] + some(marks, 3) for _ in range(200)]
    numbers = [str(number_below(10**(1 + i % 9))) for i in range(60)]
    spaces = [" ", " ", "  ", "   ", "\n", "\n\n", "\r\n", "\t", "\u00a0", "\u3000", "\u2009", "\u0085", "\u2028", "\u200b", "\u180e", "\ufeff", "\u2581"]
    words = sorted({word for line in texts.corpus() for word in line.split()})
    special = sorted({token.content for kind in KINDS for token in
                      Tokenizer.from_file(str(FOLDER / f"{kind.__name__}.json")).get_added_tokens_decoder().values()})
    hard = ["'s", "'LL", "'\u017f", "\U0001f468\u200d\U0001f469", "\U0001f44d", "\u4f60\u597d", "\ud55c\uad6d", "\u1112\u1161\u11ab", "\u0130", "\u03a3",
            "...", "!?", "(", ")", "-", "_", "/", "\"", ".", ",", "e\u0301", "\x00", "\x1f", "\x7f", "\ufffd"]
    return words + [word + " " for word in words] + rare + marked + numbers + 6 * spaces + 2 * special + 4 * hard


def record_lines():
    """Digests of what each tokenizer gives for generated lines."""
    parts = fragments()
    number_below = next_numbers(2)
    lines = ["".join(parts[number_below(len(parts))] for _ in range(1 + number_below(13))) for _ in range(LINES)]
    rows = []
    for kind in KINDS:
        tokenizer = Tokenizer.from_file(str(FOLDER / f"{kind.__name__}.json"))
        of_ids = of_texts = 0
        for line in lines:
            ids = tokenizer.encode(line).ids
            for number in [*ids, -1]:
                of_ids = (of_ids * 1000003 + number + 2) % 2**64
            for number in [*tokenizer.decode(ids).encode(), -1]:
                of_texts = (of_texts * 1000003 + number + 2) % 2**64
        rows.append({"name": kind.__name__, "ids": f"{of_ids:016x}", "texts": f"{of_texts:016x}"})
    texts.write_recording(FOLDER / "lines.cases.json", {"fragments": parts, "count": [LINES], "digests": rows})


def main():
    FOLDER.mkdir(exist_ok=True)
    rows = [{"pattern": pattern, "pieces": [piece for piece, _ in split(pattern).pre_tokenize_str(PATTERN_TEXT)]} for pattern in PATTERNS]
    texts.write_recording(FOLDER / "patterns.cases.json", {"text": [PATTERN_TEXT], "patterns": rows})
    for kind in KINDS:
        name = kind.__name__
        file = FOLDER / f"{name}.json"
        if not file.exists():
            made = kind()
            content = made if isinstance(made, dict) else json.loads(made.to_str())
            file.write_text(json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
        tokenizer = Tokenizer.from_file(str(file))
        singles = []
        for text in texts.texts() + [*dict.fromkeys(special_texts(tokenizer))]:
            ids = tokenizer.encode(text).ids
            singles.append({"text": text, "ids": ids, "bare": tokenizer.encode(text, add_special_tokens=False).ids,
                            "decoded": tokenizer.decode(ids), "special": tokenizer.decode(ids, skip_special_tokens=False)})
        pairs = []
        for added in (True, False):
            for first, second in PAIRS:
                encoding = tokenizer.encode(first, second, add_special_tokens=added)
                pairs.append({"first": first, "second": second, "added": added, "ids": encoding.ids, "segments": encoding.type_ids})
        size = tokenizer.get_vocab_size()
        texts.write_recording(FOLDER / f"{name}.cases.json", {
            "single": singles, "pairs": pairs, "decoded": [{"ids": ids, "text": tokenizer.decode(ids)} for ids in some_ids(size)],
            "size": [size]})
    record_lines()


main()
