#!/usr/bin/env python3
"""Records packaged_models.json: what PyTorch computes for small models of the forms whose weights PyPI packages carry.

Usage: make_packaged_models.py
Needs torch 2.15 and numpy, none of the packages: the models are written here, after silero-vad 6.2.3 (tinygrad_model.py),
torchcrepe 0.0.24 (model.py, core.py), g2p-en 2.1.0 (g2p.py) and the graphs of magika 1.0.3 (standard_v3_3/model.onnx) and
basic-pitch 0.4.0 (icassp_2022/nmp.onnx).
Read by tests/unit/models. Each array has the name of the published one, and numbers that the name determines
(named_numbers.py). Of each model there are the scores, a loss, and the norm of its gradient. All is computed in f64.
"""
import json
import pathlib

import numpy as np
import torch
import torch.nn.functional as F

from named_numbers import fill_array, numbers

torch.set_default_dtype(torch.float64)


class Arrays(dict):
    """Parameters by name, each made where it is first asked for."""

    def get(self, name, *shape, trained=True):
        array = torch.empty(shape)
        fill_array(name, array)
        self[name] = array.requires_grad_(trained)
        return self[name]


def named(name, *shape):
    return torch.from_numpy(numbers(name, int(np.prod(shape))).reshape(shape))


def record(arrays, scores, loss, **more):
    loss.backward()
    squares = sum(float((array.grad**2).sum()) for array in arrays.values() if array.grad is not None)
    return {"scores": scores.flatten().tolist(), "loss": loss.item(), "gradient_norm": squares**0.5, **more}


def voice_activity(window=64, features=8, inner=6):
    """Two recordings of 200 samples, of which the last window is filled with zeros."""
    arrays = Arrays()
    size, hop, context = window // 2, window // 4, window // 8
    samples = named("samples", 2, 200).requires_grad_()
    fourier = arrays.get("stft_conv.weight", size + 2, 1, size, trained=False)
    widths = [(size // 2 + 1, features), (features, inner), (inner, inner), (inner, features)]
    layers = [(arrays.get(f"conv{i}.weight", out, into, 3), arrays.get(f"conv{i}.bias", out), stride)
              for i, ((into, out), stride) in enumerate(zip(widths, [1, 2, 2, 1]), 1)]
    cell = torch.nn.LSTMCell(features, features)
    for name, array in cell.named_parameters():
        fill_array("lstm_cell." + name, array)
        if name != "bias_hh":  # The sum of both biases is one array in ddx, and has their gradient once.
            arrays["lstm_cell." + name] = array
    weight, bias = arrays.get("final_conv.weight", 1, features, 1), arrays.get("final_conv.bias", 1)
    sound = F.pad(samples, (context, -samples.shape[1] % window))
    state, scores = None, []
    for begin in range(context, sound.shape[1], window):
        x = F.pad(sound[:, begin - context:begin + window], (0, context), "reflect").unsqueeze(1)
        x = F.conv1d(x, fourier, stride=hop)
        x = (x[:, :size // 2 + 1]**2 + x[:, size // 2 + 1:]**2).sqrt()
        for layer, offset, stride in layers:
            x = F.conv1d(x, layer, offset, stride=stride, padding=1).relu()
        state = cell(x.squeeze(-1), state)
        scores.append(F.conv1d(state[0].relu().unsqueeze(-1), weight, bias).squeeze(-1))
    scores = torch.cat(scores, 1)
    result = record(arrays, scores, (torch.sigmoid(scores)**2).sum())
    return {**result, "samples_gradient_norm": float((samples.grad**2).sum())**0.5}


def crepe(features=(6, 4, 4, 4, 4, 5), bins=12):
    arrays = Arrays()
    frames = named("frames", 2, 1024)
    x, into = frames[:, None, :, None], 1
    for i, out in enumerate(features, 1):
        size, stride, pads = (512, 4, (0, 0, 254, 254)) if i == 1 else (64, 1, (0, 0, 31, 32))
        x = F.conv2d(F.pad(x, pads), arrays.get(f"conv{i}.weight", out, into, size, 1), arrays.get(f"conv{i}.bias", out),
                     stride=(stride, 1)).relu()
        norm = {part: arrays.get(f"conv{i}_BN.{part}", out, trained="running" not in part)
                for part in ("running_mean", "running_var", "weight", "bias")}
        x = F.max_pool2d(F.batch_norm(x, **norm, eps=1e-3), (2, 1), (2, 1))
        into = out
    x = x.permute(0, 2, 1, 3).flatten(1)
    scores = F.linear(x, arrays.get("classifier.weight", bins, x.shape[1]), arrays.get("classifier.bias", bins))
    return record(arrays, scores, (torch.sigmoid(scores)**2).sum())


def crepe_frames():
    """Frames of 1500 samples, 400 apart, and the pitches of rows of probabilities, of which the best may be at an end."""
    samples = named("samples", 1500).requires_grad_()
    cut = {}
    for name, sound in {"centered": F.pad(samples, (512, 512)), "not_centered": samples}.items():
        frames = sound.unfold(0, 1024, 400)
        frames = frames - frames.mean(1, keepdim=True)
        frames = frames / torch.maximum(torch.tensor(1e-10), frames.std(1, keepdim=True))
        cut[name] = {"frames": frames.shape[0], "first": frames[:, 700].tolist(),
                     "gradient_norm": float((torch.autograd.grad((frames**3).sum(), samples)[0]**2).sum())**0.5}
    rows = (1 + numbers("probabilities", 36).reshape(3, 12)) / 2
    rows[1, 0] = rows[2, 11] = 1
    hertz = []
    for row in rows:
        near = slice(max(0, row.argmax() - 4), row.argmax() + 5)
        cents = (20 * np.arange(12) + 1997.3794084376191)[near]
        hertz.append(float(10 * 2**((row[near] * cents).sum() / row[near].sum() / 1200)))
    return {**cut, "hertz": hertz}


def grapheme_to_phoneme(letters=7, phonemes=9, features=5, hidden=6):
    arrays = Arrays()

    def gru(prefix, x, h):
        a = F.linear(x, arrays[prefix + "w_ih"], arrays[prefix + "b_ih"]).chunk(3, 1)
        b = F.linear(h, arrays[prefix + "w_hh"], arrays[prefix + "b_hh"]).chunk(3, 1)
        r, z = torch.sigmoid(a[0] + b[0]), torch.sigmoid(a[1] + b[1])
        return (1 - z) * torch.tanh(a[2] + r * b[2]) + z * h

    for prefix, count in [("enc_", letters), ("dec_", phonemes)]:
        arrays.get(prefix + "emb", count, features)
        arrays.get(prefix + "w_ih", 3 * hidden, features)
        arrays.get(prefix + "w_hh", 3 * hidden, hidden)
        arrays.get(prefix + "b_ih", 3 * hidden)
        arrays.get(prefix + "b_hh", 3 * hidden)
    arrays.get("fc_w", phonemes, hidden)
    arrays.get("fc_b", phonemes)

    def encode(words):
        h = torch.zeros(len(words), hidden)
        for step in arrays["enc_emb"][words].unbind(1):
            h = gru("enc_", step, h)
        return h

    words, targets, labels = torch.tensor([[3, 6, 4, 2], [5, 5, 3, 2]]), torch.tensor([[2, 4, 8], [2, 7, 0]]), [4, 8, 3, 7, 0, 3]
    h, scores = encode(words), []
    for step in arrays["dec_emb"][targets].unbind(1):
        h = gru("dec_", step, h)
        scores.append(F.linear(h, arrays["fc_w"], arrays["fc_b"]))
    scores = torch.stack(scores, 1)
    result = record(arrays, scores, F.cross_entropy(scores.flatten(0, 1), torch.tensor(labels)))
    h, token, tokens = encode(words[:1]), 2, []
    for _ in range(6):
        h = gru("dec_", arrays["dec_emb"][[token]], h)
        token = int(F.linear(h, arrays["fc_w"], arrays["fc_b"]).argmax())
        tokens.append(token)
    return {**result, "tokens": tokens}


def file_kind(kinds=6, end=16, features=4, group=4, channels=5, kernel=3):
    arrays = Arrays()
    start = "jax2tf_get_logits_/"
    model = start + "pjit_get_logits_/MagikaV2/"
    content = torch.from_numpy((128.5 * (1 + numbers("content", 4 * end))).astype(int).reshape(2, 2 * end))
    places = 2 * end // group

    def norm(x, name):
        """Over axis 1, as the graph does it."""
        shape = [1, x.shape[1]] + [1] * (x.dim() - 2)
        scale, offset = (arrays.get(f"{model}{name}/Reshape_{i}:0", x.shape[1]).reshape(shape) for i in (2, 3))
        centred = x - x.mean(1, keepdim=True)
        return centred / ((centred**2).mean(1, keepdim=True) + 1e-6).sqrt() * scale + offset

    x = arrays.get(start + "Const:0", 257, features)[content] + arrays.get(model + "Dense_0/Reshape:0", features)
    x = norm(F.gelu(x, approximate="tanh").reshape(2, places, group * features), "LayerNorm_0")
    x = F.conv1d(x.transpose(1, 2), arrays.get(model + "Conv_0/transpose_3:0", channels, group * features, kernel),
                 arrays.get("const_fold_opt__209", channels))
    x = norm(F.gelu(x, approximate="tanh").amax(2), "LayerNorm_1")
    scores = x @ arrays.get(start + "Const_24:0", channels, kinds) + arrays.get(model + "Dense_1/Reshape:0", kinds)
    return record(arrays, scores, F.cross_entropy(scores, torch.tensor([1, 4])), content=content.flatten().tolist())


def note_transcriber(octaves=3, bins=80, kernel=64, hop=16, notes=20):
    arrays = Arrays()
    samples = named("samples", 1, 140).requires_grad_()

    def joined(*parts):
        return ";".join(f"model_1/{part};model_1/{part}" for part in parts)

    def bias(layer):
        return layer + "/BiasAdd/ReadVariableOp"

    def conv(x, filter, shape, bias, pads, stride=1):
        return F.conv2d(x, arrays.get("const_fold_opt__" + filter, *shape), arrays.get(bias, shape[0]), padding=pads, stride=(1, stride))

    cosines, sines = (arrays.get("const_fold_opt__" + name, 36, 1, kernel, trained=False) for name in ("655", "664"))
    half_rate = arrays.get("const_fold_opt__734", 1, 1, kernel, trained=False)
    sound, heard = samples.unsqueeze(1), []
    for octave in range(octaves):
        if octave:
            sound = F.conv1d(sound, half_rate, stride=2, padding=kernel // 2 - 1)
        mirrored = F.pad(sound, (kernel // 2, kernel // 2), "reflect")
        parts = [F.conv1d(mirrored, part, stride=hop >> octave) for part in (cosines, sines)]
        heard.insert(0, torch.stack(parts))
    heard = torch.cat(heard, 2)[:, :, -bins:].transpose(2, 3) * arrays.get(joined("cq_t2010v2_1/Sqrt"), bins, trained=False)
    decibels = 10 * torch.log10((heard**2).sum(0) + 1e-10)
    above = decibels - decibels.amin((1, 2), keepdim=True)
    x = above / above.amax((1, 2), keepdim=True)
    norm = joined("batch_normalization/FusedBatchNormV3")
    x = x * arrays.get(norm, 1) + arrays.get(norm + "1", 1)
    shifts = [round(36 * np.log2(harmonic)) for harmonic in (0.5, 1, 2, 3, 4, 5, 6, 7)]
    x = torch.stack([F.pad(x, (max(-shift, 0), max(shift, 0)))[:, :, max(shift, 0):][:, :, :bins] for shift in shifts], 1)
    x = x[:, :, :, :3 * notes]
    wide = conv(x, "727", (8, 8, 3, 39), joined("re_lu_1/Relu", "batch_normalization_2/FusedBatchNormV3", bias("conv2d_1"),
                                                "conv2d_1/BiasAdd", "conv2d_1/Conv2D"), (1, 19)).relu()
    contours = conv(wide, "710", (1, 8, 5, 5), joined(bias("contours-reduced")), (2, 2))
    wide = conv(torch.sigmoid(contours), "738", (32, 1, 7, 7), joined(bias("conv2d_2")), (3, 2), 3).relu()
    played = conv(wide, "702", (1, 32, 7, 3), joined(bias("conv2d_3")), (3, 1))
    wide = conv(x, "707", (32, 8, 5, 5), joined("re_lu_3/Relu", "batch_normalization_3/FusedBatchNormV3", bias("conv2d_4"),
                                                "conv2d_4/BiasAdd", "conv2d_2/Conv2D", "conv2d_4/Conv2D"), (2, 1), 3).relu()
    onsets = conv(torch.cat([torch.sigmoid(played), wide], 1), "680", (1, 33, 3, 3), joined(bias("conv2d_5")), (1, 1))
    scores = torch.cat([contours, played, onsets], 3).squeeze(1)
    result = record(arrays, scores, (torch.sigmoid(scores)**2).sum())
    return {**result, "samples_gradient_norm": float((samples.grad**2).sum())**0.5}


def main():
    models = (voice_activity, crepe, crepe_frames, grapheme_to_phoneme, file_kind, note_transcriber)
    text = json.dumps({model.__name__: model() for model in models}, indent=1)
    (pathlib.Path(__file__).parent / "packaged_models.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
