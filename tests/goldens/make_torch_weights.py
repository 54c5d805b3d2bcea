#!/usr/bin/env python3
"""Records torch_weights/*: a small network of PyTorch, its weights and what it returns.

Usage: make_torch_weights.py
Needs torch 2.15 and safetensors 0.8. Read by tests/unit/models/pretrained/torch_weights_test.cpp: all layouts of
models/pretrained/name_rules.h. The running averages are not those of a new layer, and every number is drawn in f64
and kept in f32.
"""
import pathlib

import torch
from safetensors.torch import save_file
from torch import nn

FOLDER = pathlib.Path(__file__).parent / "torch_weights"


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 4, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(4)
        self.depthwise = nn.Conv2d(4, 8, 3, padding=1, groups=4)
        self.up = nn.ConvTranspose2d(8, 3, 2, stride=2)
        self.flat = nn.Linear(3 * 8 * 8, 6)
        self.fused = nn.Linear(6, 18)
        self.cell = nn.LSTMCell(6, 5)
        self.table = nn.Embedding(7, 5)
        self.head = nn.Linear(5, 7, bias=False)
        self.head.weight = self.table.weight

    def forward(self, pictures):
        x = torch.relu(self.norm(self.conv(pictures)))
        x = self.up(torch.relu(self.depthwise(x)))
        x = torch.tanh(self.flat(x.flatten(1)))
        query, key, value = self.fused(x).chunk(3, dim=1)
        hidden, _ = self.cell(query * key + value)
        return self.head(hidden)


def main():
    torch.manual_seed(0)
    network = Network().double().eval()
    for name, array in network.state_dict().items():
        if array.is_floating_point():
            array.copy_(torch.rand_like(array) + 0.5 if name == "norm.running_var" else 0.4 * torch.randn_like(array))
    network.float().double()  # Numbers that f32 holds.
    pictures = torch.randn(2, 2, 4, 4).float().double()
    with torch.no_grad():
        scores = network(pictures)
    FOLDER.mkdir(exist_ok=True)
    arrays = {name: array.float().contiguous() if array.is_floating_point() else array
              for name, array in network.state_dict().items() if name != "head.weight"}
    save_file(arrays, FOLDER / "model.safetensors", metadata={"format": "pt"})
    save_file({"pictures": pictures.permute(0, 2, 3, 1).contiguous(), "scores": scores}, FOLDER / "run.safetensors")


main()
