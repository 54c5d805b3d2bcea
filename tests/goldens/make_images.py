#!/usr/bin/env python3
"""Records changes of pictures: sizes by PyTorch, hues by Python's colorsys.

Usage: make_images.py
Writes images.json. Recorded with PyTorch 2.15 under Python 3.11. Inputs are [n, h, w, c].
"""
import colorsys
import json
import pathlib

import torch
from torch.nn.functional import interpolate

FILE = pathlib.Path(__file__).parent / "images.json"
SIZES = [((5, 7), (5, 7)), ((5, 7), (10, 14)), ((5, 7), (3, 4)), ((4, 4), (9, 3)), ((1, 1), (3, 2)), ((8, 9), (1, 1)), ((6, 5), (13, 11)),
         ((16, 12), (5, 3))]
MODES = [("nearest-exact", False), ("bilinear", False), ("bilinear", True), ("bicubic", False), ("bicubic", True)]


def main():
    torch.manual_seed(0)
    rows = []
    for (height, width), size in SIZES:
        x = torch.round(torch.rand(2, 2, height, width, dtype=torch.float64) * 1000) / 1000
        for mode, antialias in MODES:
            y = interpolate(x, size=size, mode=mode, antialias=antialias)
            rows.append({"from": [2, height, width, 2], "to": list(size), "mode": mode, "antialias": antialias,
                         "x": x.permute(0, 2, 3, 1).flatten().tolist(),
                         "y": [round(value, 7) for value in y.permute(0, 2, 3, 1).flatten().tolist()]})
    hues = []
    for turn in (0.0, 0.1, 1 / 3, -0.25, 0.5, 1.7):
        points = [(0, 0, 0), (1, 1, 1), (0.5, 0.5, 0.5), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0.2, 0.7, 0.4), (0.9, 0.1, 0.6), (0.3, 0.3, 0.8),
                  (0.25, 0.75, 0.75)]
        turned = []
        for point in points:
            hue, saturation, value = colorsys.rgb_to_hsv(*point)
            turned += colorsys.hsv_to_rgb((hue + turn) % 1, saturation, value)
        hues.append({"turn": turn, "x": [value for point in points for value in point], "y": turned})
    lines = [f'"{name}": [\n' + ",\n".join(map(json.dumps, table)) + "\n]" for name, table in (("resized", rows), ("hues", hues))]
    FILE.write_text("{" + ",\n".join(lines) + "}\n")


main()
