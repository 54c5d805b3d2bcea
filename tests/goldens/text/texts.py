"""The texts that the recordings of tokenizers are made of."""
import json
import pathlib

HERE = pathlib.Path(__file__).parent

# What tokenizers trip over. Each is encoded whole.
HARD = [
    "",
    " ",
    "  ",
    "\n",
    "a",
    " a",
    "a ",
    "  a  b   c    ",
    "Hello world",
    "Hello, World! It's we'll they'd I'm you've can't 're 'S 'LL don''t",
    "'hello' \"quoted\" ''' 's's's",
    "tabs\tand\t\ttabs \t mixed",
    "line\nfeeds\n\nand\r\nCRLF\r\n\r\nand\rCR",
    "trailing blanks   \n   leading",
    "no-break\u00a0space, ideographic\u3000space, thin\u2009space, next\u0085line, \u2028 separator",
    "vertical\x0btab form\x0cfeed unit\x1fseparator",
    "zero\u200bwidth, soft\u00adhyphen, \ufeffmark, \u202eturned\u202c",
    "controls \x00 \x01 \x7f \x9f and \ufffd",
    "0 12 345 3.14 1,000,000 1e-9 \u00bd \u00b2 \u2167 \u0663\u0664\u0665 \u4e94",
    "a1b22c333 4d55e666",
    "!!! ... ??? -- -> => == != <= && || // /* */ #$%^&*()",
    "snake_case camelCase kebab-case path/to/file.txt https://example.org/?q=a&b=c#d",
    "caf\u00e9 cafe\u0301 \u00c5ngstro\u0308m na\u00efve \u1e9b\u0323 \u0130stanbul \u03a3\u038a\u03a3\u03a5\u03a6\u039f\u03a3",
    "o\u0302\u0323\u0327 \u0f73 \u0915\u093c \u0958 \u0627\u0655",
    "\u4f60\u597d\uff0c\u4e16\u754c\u3002\u65e5\u672c\u8a9e\u306e\u30c6\u30ad\u30b9\u30c8 mixed\u4e2d\u6587text",
    "\ud55c\uad6d\uc5b4 \u1112\u1161\u11ab \uff28\uff41\uff4c\uff46 \u32a4 \ufb01 \u2460",
    "emoji \U0001f389\U0001f680 \U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f1e9\U0001f1ea \U0001f44d\U0001f3fd \u2764\ufe0f",
    "rare \U00020000 \U0002a6df \U0002f800 \U0010ffff \ue000 \ufffe",
    "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 \u0928\u092e\u0938\u094d\u0924\u0947 \u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35",
    "tokenization untokenizable tokens tokenizer's",
    "the the the of lower lowest newest",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa abababababababab",
    "x" * 130,
    "gradients of gradients, values of values; differentiates differentiated",
]


def corpus():
    """The lines that vocabularies are trained on."""
    return (HERE / "corpus.txt").read_text(encoding="utf-8").splitlines()


def texts():
    """Every text that is recorded."""
    return HARD + corpus()


def write_recording(file, tables):
    """Writes lists of rows as JSON, a row to a line."""
    parts = [json.dumps(name) + ": [\n" + ",\n".join(map(json.dumps, rows)) + "\n]" for name, rows in tables.items()]
    file.write_text("{" + ",\n".join(parts) + "}\n")
