#!/usr/bin/env python3
"""Records digests of what `unicodedata` says about every code point: unicode.json.

Usage: make_unicode.py
Recorded with Python 3.11.7 (Unicode 14.0.0). The digest of a list of code points is
h = 0; h = (h * 1000003 + point + 1) mod 2^64 for each of them.
"""
import pathlib
import unicodedata

import texts

POINTS = [point for point in range(0x110000) if not 0xD800 <= point <= 0xDFFF]
CLASSES = {
    "letter": lambda c: unicodedata.category(c)[0] == "L",
    "number": lambda c: unicodedata.category(c)[0] == "N",
    "punctuation": lambda c: unicodedata.category(c)[0] == "P",
    "control": lambda c: unicodedata.category(c) in ("Cc", "Cf", "Co"),
    "mark": lambda c: unicodedata.category(c)[0] == "M",
    "nonspacing": lambda c: unicodedata.category(c) == "Mn",
    # str.isspace also counts U+001C to U+001F, which have no property White_Space.
    "white space": lambda c: c.isspace() and not 0x1C <= ord(c) <= 0x1F,
}


def digest(points):
    h = 0
    for point in points:
        h = (h * 1000003 + point + 1) % 2**64
    return f"{h:016x}"


def main():
    assert unicodedata.unidata_version == "14.0.0"
    rows = []
    for name, holds in CLASSES.items():
        members = [point for point in POINTS if holds(chr(point))]
        rows.append({"name": name, "count": len(members), "digest": digest(members)})
    every = "".join(map(chr, POINTS))
    for name, text in [("decomposition", unicodedata.normalize("NFD", every)),
                       ("compatibility decomposition", unicodedata.normalize("NFKD", every)),
                       ("composition", unicodedata.normalize("NFC", every)),
                       ("compatibility composition", unicodedata.normalize("NFKC", every)),
                       # Each by itself: str.lower looks at the neighbours of a sigma.
                       ("lower case", "".join(chr(point).lower() for point in POINTS))]:
        rows.append({"name": name, "count": len(text), "digest": digest(map(ord, text))})
    # The mark of lowest class and the mark of highest, in front of and behind every code point.
    mixed = "".join("a\u0345" + chr(point) + "\u0334" for point in POINTS)
    decomposed = unicodedata.normalize("NFD", mixed)
    rows.append({"name": "order", "count": len(decomposed), "digest": digest(map(ord, decomposed))})
    composed = unicodedata.normalize("NFC", mixed)
    rows.append({"name": "composed order", "count": len(composed), "digest": digest(map(ord, composed))})
    texts.write_recording(pathlib.Path(__file__).parent / "unicode.json", {"rows": rows})


main()
