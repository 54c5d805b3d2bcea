#!/usr/bin/env python3
"""Prints the arrays in several JSON files as one array, one element a line.

Usage: join_json.py FILE...
"""
import json
import sys


def main(files):
    rows = []
    for name in files:
        with open(name, encoding="utf-8") as file:
            part = json.load(file)
        if not isinstance(part, list):
            sys.exit(f"join_json: {name}: an array was expected, got {type(part).__name__}")
        rows += part
    print("[\n" + ",\n".join("  " + json.dumps(row) for row in rows) + "\n]")


if __name__ == "__main__":
    main(sys.argv[1:])
