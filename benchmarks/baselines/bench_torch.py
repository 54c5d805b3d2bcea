#!/usr/bin/env python3
"""Training steps of a model in PyTorch, as bench_models measures its own.

Usage: bench_torch.py --workload NAME --mode eager|compile --dtype f32|bf16 --threads N --seconds S --content FILE
                      [--device cpu|cuda]

FILE is a safetensors file with the parameters by bench_models' paths, the batch "x" and its "labels"; the steps are then
the same. Prints one JSON object. The caller pins the process to N processors. bf16 is PyTorch's autocast; f32
is f32 on a GPU too, without TF32.
"""
import os
import tempfile

from training_run import parse_arguments, peak_rss_mb, read_content, run


def build(workload):
    """The model, its parts named as bench_models names them, and whether it wants images channels last."""
    import torch
    from torch import nn
    import torch.nn.functional as F

    def conv(i, o, kernel, stride=1):
        return nn.Conv2d(i, o, kernel, stride, kernel // 2, bias=False)

    class Mlp(nn.Module):
        def __init__(self):
            super().__init__()
            self.hidden1, self.hidden2 = nn.Linear(784, 512), nn.Linear(512, 512)
            self.classifier = nn.Linear(512, 10)

        def forward(self, x):
            return self.classifier(F.relu(self.hidden2(F.relu(self.hidden1(x)))))

    class LeNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv1, self.conv2 = nn.Conv2d(1, 6, 5, padding=2), nn.Conv2d(6, 16, 5)
            self.dense1, self.dense2, self.classifier = nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, 10)

        def forward(self, x):
            x = F.avg_pool2d(F.relu(self.conv1(x)), 2)
            x = F.avg_pool2d(F.relu(self.conv2(x)), 2)
            x = x.permute(0, 2, 3, 1).flatten(1)  # The order of channels last, which the weights are in.
            return self.classifier(F.relu(self.dense2(F.relu(self.dense1(x)))))

    class BasicBlock(nn.Module):
        def __init__(self, i, o):
            super().__init__()
            self.stride, self.added = 1 if i == o else 2, o - i
            self.conv1, self.norm1 = conv(i, o, 3, self.stride), nn.BatchNorm2d(o)
            self.conv2, self.norm2 = conv(o, o, 3), nn.BatchNorm2d(o)

        def forward(self, x):
            y = self.norm2(self.conv2(F.relu(self.norm1(self.conv1(x)))))
            if self.added:
                before = self.added // 2
                x = F.pad(x[:, :, ::self.stride, ::self.stride], (0, 0, 0, 0, before, self.added - before))
            return F.relu(x + y)

    class ResidualNetwork(nn.Module):
        def __init__(self, blocks):
            super().__init__()
            self.stem, self.norm = conv(3, 16, 3), nn.BatchNorm2d(16)
            outs = [16] * blocks + [32] * blocks + [64] * blocks
            self.blocks = nn.Sequential(*[BasicBlock(i, o) for i, o in zip([16] + outs, outs)])
            self.classifier = nn.Linear(64, 10)

        def forward(self, x):
            return self.classifier(self.blocks(F.relu(self.norm(self.stem(x)))).mean((2, 3)))

    class NormedConvolution(nn.Module):
        def __init__(self, i, o, kernel, stride):
            super().__init__()
            self.conv, self.norm = conv(i, o, kernel, stride), nn.BatchNorm2d(o)

        def forward(self, x):
            return self.norm(self.conv(x))

    class ProjectedBlock(nn.Module):
        def __init__(self, i, o):
            super().__init__()
            self.first = NormedConvolution(i, o, 3, 1 if i == o else 2)
            self.second = NormedConvolution(o, o, 3, 1)
            self.projection = nn.Sequential(*([] if i == o else [NormedConvolution(i, o, 1, 2)]))

        def forward(self, x):
            return F.relu(self.projection(x) + self.second(F.relu(self.first(x))))

    class ResNet18(nn.Module):
        def __init__(self, large_pictures, classes):
            super().__init__()
            self.large_pictures = large_pictures
            self.stem = NormedConvolution(3, 64, 7, 2) if large_pictures else NormedConvolution(3, 64, 3, 1)
            outs = [64, 64, 128, 128, 256, 256, 512, 512]
            self.blocks = nn.Sequential(*[ProjectedBlock(i, o) for i, o in zip([64] + outs, outs)])
            self.classifier = nn.Linear(512, classes)

        def forward(self, x):
            x = F.relu(self.stem(x))
            x = F.max_pool2d(x, 3, 2, 1) if self.large_pictures else x
            return self.classifier(self.blocks(x).mean((2, 3)))

    class Attention(nn.Module):
        def __init__(self, d, heads):
            super().__init__()
            self.heads, self.qkv, self.output = heads, nn.Linear(d, 3 * d), nn.Linear(d, d)

        def forward(self, x):
            b, t, d = x.shape
            q, k, v = self.qkv(x).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            return self.output(y.transpose(1, 2).reshape(b, t, d))

    class TransformerBlock(nn.Module):
        def __init__(self, d, heads):
            super().__init__()
            self.attention_norm, self.attention = nn.LayerNorm(d), Attention(d, heads)
            self.dense_norm, self.widen, self.narrow = nn.LayerNorm(d), nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

        def forward(self, x):
            x = x + self.attention(self.attention_norm(x))
            return x + self.narrow(F.gelu(self.widen(self.dense_norm(x)), approximate="tanh"))

    class Gpt(nn.Module):
        def __init__(self, blocks=4, d=256, heads=8, time=128, vocabulary=256):
            super().__init__()
            self.tokens, self.positions = nn.Embedding(vocabulary, d), nn.Embedding(time, d)
            self.blocks = nn.Sequential(*[TransformerBlock(d, heads) for _ in range(blocks)])
            self.norm, self.head = nn.LayerNorm(d), nn.Linear(d, vocabulary, bias=False)

        def forward(self, x):
            return self.head(self.norm(self.blocks(self.tokens(x) + self.positions.weight)))

    make = {"mlp": Mlp, "lenet": LeNet, "resnet56": lambda: ResidualNetwork(9), "resnet20": lambda: ResidualNetwork(3),
            "resnet18": lambda: ResNet18(False, 10), "resnet18_224": lambda: ResNet18(True, 1000), "gpt": Gpt}
    return make[workload](), workload.startswith("resnet")


def load(model, content):
    """Gives each part of the model the arrays of its path, in PyTorch's order of axes."""
    import numpy
    import torch
    from torch import nn

    def dense(path):
        bias = content.get(path + ".bias", numpy.zeros(0, "f"))
        return content[path + ".weight"].T, bias if bias.size else None

    def fused(path):
        parts = [dense(f"{path[:-len('qkv')]}{name}") for name in ("query", "key", "value")]
        return tuple(numpy.concatenate(part) for part in zip(*parts))

    with torch.no_grad():
        for path, part in model.named_modules():
            if isinstance(part, nn.Conv2d):
                bias = content[path + ".bias"]
                arrays = content[path + ".filter"].transpose(3, 2, 0, 1), bias if bias.size else None
            elif isinstance(part, nn.Linear):
                arrays = fused(path) if path.endswith("qkv") else dense(path)
            elif isinstance(part, (nn.BatchNorm2d, nn.LayerNorm)):
                arrays = content[path + ".scale"], content[path + ".offset"]
            elif isinstance(part, nn.Embedding):
                arrays = content[path + ".weight"], None
            else:
                continue
            for parameter, array in zip((part.weight, getattr(part, "bias", None)), arrays):
                if parameter is not None:
                    assert tuple(parameter.shape) == array.shape, (path, parameter.shape, array.shape)
                    parameter.copy_(torch.from_numpy(array.copy()))


def batch(content):
    """x in PyTorch's order of axes, and the labels."""
    import torch

    x = torch.from_numpy(content["x"].copy())
    x = x.permute(0, 3, 1, 2).contiguous() if x.dim() == 4 else x
    x = x.long() if x.dtype == torch.int32 else x
    return x, torch.from_numpy(content["labels"].copy()).long()


def optimizer_of(workload, parameters):
    import torch

    if workload == "gpt":
        return torch.optim.AdamW(parameters, lr=3e-4, weight_decay=0.01, fused=True)
    momentum = 0.9 if workload.startswith("resnet") else 0
    return torch.optim.SGD(parameters, lr=0.01, momentum=momentum,
                           weight_decay=1e-4 if workload == "resnet56" else 0, fused=True)


def main():
    arguments = parse_arguments(__doc__, ["eager", "compile"])
    os.environ.update(OMP_NUM_THREADS=str(arguments.threads), MKL_NUM_THREADS=str(arguments.threads))
    if arguments.device == "cpu":
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
    compiled = tempfile.TemporaryDirectory()
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = compiled.name
    import torch
    import torch.nn.functional as F

    torch.set_num_threads(arguments.threads)
    torch.set_num_interop_threads(1)
    torch.backends.cudnn.allow_tf32 = False
    imported = peak_rss_mb()
    content = read_content(arguments.content)
    (model, images), (x, labels) = build(arguments.workload), batch(content)
    load(model, content)
    del content
    model, x, labels = model.to(arguments.device), x.to(arguments.device), labels.to(arguments.device)
    if images:
        model, x = model.to(memory_format=torch.channels_last), x.contiguous(memory_format=torch.channels_last)
    model.train()
    optimizer = optimizer_of(arguments.workload, model.parameters())

    def loss_of(x, labels):
        with torch.autocast(arguments.device, dtype=torch.bfloat16, enabled=arguments.dtype == "bf16"):
            scores = model(x)
        return F.cross_entropy(scores.float().flatten(0, -2), labels)

    if arguments.mode == "compile":
        loss_of = torch.compile(loss_of)
    losses = []

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = loss_of(x, labels)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())

    run("torch", arguments, imported, losses, step)


if __name__ == "__main__":
    main()
