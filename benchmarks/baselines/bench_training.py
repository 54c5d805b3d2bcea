#!/usr/bin/env python3
"""The input pipeline of bench_training beside PyTorch's DataLoader with Pillow, on the same JPEG files in the same run.

Usage: bench_training.py --program build/bin/bench_training [--images FOLDER] [--threads N] [--quick] [--json FILE]

All read the files of FOLDER (generated if not given), decode them, take a random part of 224 by 224, mirror and normalise
it, and collate batches of 32, on the same N processors (default 1). Three peers: torchvision's transforms, Pillow with
`draft` (which decodes large pictures at half their size) and NumPy, and Pillow's decoding alone. The middle of 16 pictures
is compared first. Prints pictures per second and ours / theirs: above 1 ddx is faster. Status 77 where Pillow and NumPy
are not installed, 1 where a picture differs.
"""
import argparse
import io
import json
import math
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import time

SIDE, BATCH = 224, 32
PICTURES = (".jpg", ".jpeg", ".png")
MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)

try:
    import numpy as np
    from PIL import Image
except ImportError as missing:
    print(f"bench_training: {missing}", file=sys.stderr)
    sys.exit(77)


def pictures_in(folder):
    """Names of files with an image's extension, in small or capital letters."""
    return sorted(entry.name for entry in os.scandir(folder)
                  if entry.is_file() and os.path.splitext(entry.name)[1].lower() in PICTURES)


def files_of(folder):
    """Paths and classes, as ddx lists them."""
    classes = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())
    return [(os.path.join(folder, name, file), label) for label, name in enumerate(classes)
            for file in pictures_in(os.path.join(folder, name))]


def normalised(picture):
    return ((np.asarray(picture, np.float32) / 255 - MEAN) / DEVIATION).astype(np.float32)


def middle(path):
    """The middle of a picture, its side 0.875 of the shorter one."""
    picture = Image.open(path).convert("RGB")
    side = math.floor(0.875 * min(picture.size) + 0.5)
    left, top = ((extent - side) // 2 for extent in picture.size)
    part = picture.crop((left, top, left + side, top + side))
    return normalised(part.resize((SIDE, SIDE), Image.BILINEAR))


def verify(folder, middles):
    """Pillow rounds to bytes after each of two passes: 1.5 / 255 / 0.224 at most, half a byte on average."""
    from training_run import read_content
    ours = read_content(middles)["images"]
    for i, (path, _) in enumerate(files_of(folder)[:len(ours)]):
        difference = np.abs(ours[i] - middle(path))
        if difference.max() > 0.06 or difference.mean() > 0.008:
            sys.exit(f"bench_training: {path}: the points differ from Pillow's by {difference.max():.4f} at most, "
                     f"{difference.mean():.5f} on average")


def random_part(width, height):
    """As torchvision's RandomResizedCrop.get_params."""
    for _ in range(10):
        area = width * height * random.uniform(0.08, 1)
        ratio = math.exp(random.uniform(math.log(3 / 4), math.log(4 / 3)))
        w, h = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
        if 0 < w <= width and 0 < h <= height:
            left, top = random.randint(0, width - w), random.randint(0, height - h)
            return left, top, left + w, top + h
    side = min(width, height)
    return (width - side) // 2, (height - side) // 2, (width + side) // 2, (height + side) // 2


def pillow_sample(path):
    picture = Image.open(path)
    box = random_part(*picture.size)
    full = picture.size
    least = min(box[2] - box[0], box[3] - box[1])
    if least >= 2 * SIDE:
        picture.draft("RGB", (full[0] * SIDE // least, full[1] * SIDE // least))
    scale = picture.size[0] / full[0]
    picture = picture.convert("RGB").resize((SIDE, SIDE), Image.BILINEAR, box=tuple(scale * side for side in box))
    if random.random() < 0.5:
        picture = picture.transpose(Image.FLIP_LEFT_RIGHT)
    return normalised(picture)


def pillow_batch(paths):
    return np.stack([pillow_sample(path) for path in paths]).shape[0]


def decoded(paths):
    for path in paths:
        with open(path, "rb") as file:
            Image.open(io.BytesIO(file.read())).convert("RGB")
    return len(paths)


def batches_of(files):
    paths = [path for path, _ in files]
    random.shuffle(paths)
    return [paths[i:i + BATCH] for i in range(0, len(paths), BATCH)]


def by_processes(function, files, threads):
    """Yields after each epoch the number of pictures."""
    if threads == 1:
        while True:
            yield sum(map(function, batches_of(files)))
    with multiprocessing.Pool(threads) as pool:
        while True:
            yield sum(pool.imap(function, batches_of(files)))


class TorchFiles:
    """Pickled for the workers, so at the top of the file."""

    def __init__(self, files):
        from torchvision import transforms
        self.files = files
        self.change = transforms.Compose([transforms.RandomResizedCrop(SIDE), transforms.RandomHorizontalFlip(),
                                          transforms.ToTensor(), transforms.Normalize(MEAN, DEVIATION)])

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        path, label = self.files[i]
        with open(path, "rb") as file:
            return self.change(Image.open(file).convert("RGB")), label


def by_torch(files, workers):
    import torch
    torch.set_num_threads(1)
    loader = torch.utils.data.DataLoader(TorchFiles(files), batch_size=BATCH, shuffle=True, num_workers=workers,
                                         persistent_workers=workers > 0)
    while True:
        yield sum(len(labels) for _, labels in loader)


def rate(epochs, seconds):
    """Pictures per second of the fastest epoch, after one that warms up."""
    next(epochs)
    rates, end = [], time.perf_counter() + seconds
    while len(rates) < 3 or time.perf_counter() < end:
        begin = time.perf_counter()
        count = next(epochs)
        rates.append(count / (time.perf_counter() - begin))
    epochs.close()
    return max(rates)


def own_rows(arguments, images):
    command = [arguments.program, "--child", "pipeline", "--threads", str(arguments.threads), "--images", images]
    if arguments.quick:
        command.append("--quick")
    return {row["name"]: row["examples_per_s"]
            for row in json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)}


def peers(files, threads):
    """Name -> the epochs of a peer, and the row of ours that it is compared with."""
    found = {"Pillow and NumPy": (lambda: by_processes(pillow_batch, files, threads), "pipeline.batches")}
    if threads == 1:
        found["Pillow, decoding alone"] = (lambda: by_processes(decoded, files, threads), "pipeline.decode_whole")
    try:
        import torch
        import torchvision
        found[f"torchvision {torchvision.__version__.split('+')[0]}, workers"] = (
            lambda: by_torch(files, threads), "pipeline.batches")
        if threads == 1:
            found["torchvision, no worker"] = (lambda: by_torch(files, 0), "pipeline.batches")
    except ImportError as missing:
        print(f"bench_training: {missing}: Pillow alone", file=sys.stderr)
    return found


def compare(arguments, folder):
    images = arguments.images
    prepare = [arguments.program, "--prepare", folder] + (["--images", images] if images else [])
    subprocess.run(prepare + (["--quick"] if arguments.quick else []), check=True)
    images = images or os.path.join(folder, "images")
    verify(images, os.path.join(folder, "middles.safetensors"))
    files = files_of(images)
    seconds = 1 if arguments.quick else 5
    before = own_rows(arguments, images)
    measured = {name: (rate(epochs(), seconds), row) for name, (epochs, row) in peers(files, arguments.threads).items()}
    own = {name: max(value, before[name]) for name, value in own_rows(arguments, images).items()}
    rows = [{"name": name, "framework": "ddx", "threads": arguments.threads, "examples_per_s": value}
            for name, value in own.items()]
    print(f"{'pictures per second':<34} {'threads':>7} {'theirs':>9} {'ours':>9} {'ours / theirs':>14}")
    for name, (value, row) in measured.items():
        rows.append({"name": row, "framework": name, "threads": arguments.threads, "examples_per_s": value})
        ours = own[row]
        print(f"{name:<34} {arguments.threads:>7} {value:>9.1f} {ours:>9.1f} {ours / value:>14.2f}")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--images")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-arguments.threads:])
    with tempfile.TemporaryDirectory() as folder:
        rows = compare(arguments, folder)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(rows, file, indent=2)


if __name__ == "__main__":
    main()
