#!/usr/bin/env python3
"""Records small pictures in several forms, and their points as the PyPI package `pillow` reads them.

Usage: make_pictures.py
Writes, into pictures/: PNG and JPEG files, and points.json.
Recorded with pillow 13.0.0 under Python 3.11.
"""
import json
import pathlib

from PIL import Image

FOLDER = pathlib.Path(__file__).parent / "pictures"
WIDTH, HEIGHT = 13, 7


def picture(smooth):
    """Colours that differ in every channel; slopes where JPEG has to keep them."""
    image = Image.new("RGB", (WIDTH, HEIGHT))
    for y in range(HEIGHT):
        for x in range(WIDTH):
            image.putpixel((x, y), (20 * x, 30 * y, 15 * (x + y) % 256) if smooth
                           else ((37 * x + 11 * y) % 256, (5 * x * y) % 256, (91 * x) ^ (13 * y) & 255))
    return image


def main():
    FOLDER.mkdir(exist_ok=True)
    colours, slopes = picture(False), picture(True)
    transparent = colours.convert("RGBA")
    transparent.putalpha(Image.linear_gradient("L").resize((WIDTH, HEIGHT)))
    wide = Image.new("I;16", (WIDTH, HEIGHT))
    for y in range(HEIGHT):
        for x in range(WIDTH):
            wide.putpixel((x, y), (4999 * x + 701 * y) % 65536)
    made = {
        "rgb.png": (colours, {}), "grey.png": (colours.convert("L"), {}), "bits.png": (colours.convert("1"), {}),
        "palette.png": (colours.quantize(16), {}), "rgba.png": (transparent, {}), "grey_alpha.png": (transparent.convert("LA"), {}),
        "sixteen.png": (wide, {}), "point.png": (colours.crop((0, 0, 1, 1)), {}),
        "slopes.jpg": (slopes, dict(quality=95, subsampling=0)), "half.jpg": (slopes, dict(quality=90, subsampling=2)),
        "progressive.jpg": (slopes, dict(quality=90, progressive=True)), "grey.jpg": (slopes.convert("L"), dict(quality=90)),
        "cmyk.jpg": (slopes.convert("CMYK"), dict(quality=90)),
    }
    points = {}
    for name, (image, options) in made.items():
        image.save(FOLDER / name, **options)
        if name == "cmyk.jpg":
            continue
        read = Image.open(FOLDER / name)
        # 16 bits become 8 by rounding x * 255 / 65535; pillow itself would clip.
        seen = ([(round(v / 257),) * 3 for v in read.getdata()] if name == "sixteen.png"
                else list(read.convert("RGBA").convert("RGB").getdata()) if name.endswith("png") else list(read.convert("RGB").getdata()))
        points[name] = {"width": read.width, "height": read.height, "points": [value for point in seen for value in point]}
    rows = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in points.items())
    (FOLDER / "points.json").write_text("{" + rows + "}\n")


main()
