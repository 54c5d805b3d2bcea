#!/usr/bin/env python3
"""Prints bench_ad's gradients beside those of other tools.

Usage: compare_peers.py OURS PEER...

All are JSON arrays with a `name`, `gradient_ms` and `ratio` (gradient over primal) for each problem; those of peers also
have the `peer`, and whether its gradient was `right`. Files of peers that are absent are passed over.
"""
import json
import pathlib
import sys


def read(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def lines(ours, peers):
    """`ours` is name -> row, `peers` peer -> name -> row."""
    yield "gradient in us, in brackets over its own primal; then the peer's time over ours"
    yield f"{'problem':<18}{'ddx':>20}" + "".join(f"{peer:>27}" for peer in peers)
    for name, own in ours.items():
        line = f"{name:<18}{cell(own):>20}"
        for rows in peers.values():
            if name not in rows:
                line += f"{'-':>27}"
            elif not rows[name]["right"]:
                line += f"{'wrong':>27}"
            else:
                line += f"{cell(rows[name]):>20}{factor(own, rows[name]):>7.2f}"
        yield line
    for peer, rows in peers.items():
        both = [name for name in ours if name in rows]
        behind = [name for name in both if rows[name]["right"] and factor(ours[name], rows[name]) < 1]
        yield (f"ahead of {peer} on {len(both) - len(behind)} of {len(both)}"
               + (": not on " + ", ".join(behind) if behind else ""))


def cell(row):
    return f"{1e3 * row['gradient_ms']:.1f} ({row['ratio']:.2f})"


def factor(own, other):
    return other["gradient_ms"] / own["gradient_ms"]


def main(ours, *files):
    peers = {}
    for path in files:
        if pathlib.Path(path).exists():
            for row in read(path):
                peers.setdefault(row["peer"], {})[row["name"]] = row
    print("\n".join(lines({row["name"]: row for row in read(ours)}, peers)))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
