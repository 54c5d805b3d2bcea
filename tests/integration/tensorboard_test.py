#!/usr/bin/env python3
"""What TensorBoard's own reader finds in the files that ddx writes. Skipped without TensorBoard.

Usage: tensorboard_test.py PROGRAM GOLDEN
  PROGRAM  writes a log into the folder it is given
  GOLDEN   a file that such a program has written
"""
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

try:
    from tensorboard.backend.event_processing import event_accumulator
except ImportError:
    print("skipped: the Python package tensorboard is not installed")
    sys.exit(77)

GOLDEN = pathlib.Path(sys.argv.pop()).resolve()
PROGRAM = str(pathlib.Path(sys.argv.pop()).resolve())


def points_of(png):
    """The rows of an 8-bit RGB PNG whose rows use no filter or that of the left neighbour."""
    width, height = struct.unpack(">II", png[16:24])
    data, place = b"", 8
    while place < len(png):
        length, kind = struct.unpack(">I4s", png[place:place + 8])
        if kind == b"IDAT":
            data += png[place + 8:place + 8 + length]
        place += length + 12
    raw = zlib.decompress(data)
    rows = []
    for y in range(height):
        kind, *row = raw[y * (3 * width + 1):(y + 1) * (3 * width + 1)]
        assert kind in (0, 1, 2), kind
        above = rows[-1] if rows else [0] * 3 * width
        for x in range(3 * width):
            before = 0 if kind == 0 else above[x] if kind == 2 else row[x - 3] if x >= 3 else 0
            row[x] = (row[x] + before) % 256
        rows.append(row)
    return rows


class Reader(unittest.TestCase):
    def read(self, path):
        sizes = {event_accumulator.SCALARS: 0, event_accumulator.HISTOGRAMS: 0,
                 event_accumulator.IMAGES: 0, event_accumulator.TENSORS: 0}
        found = event_accumulator.EventAccumulator(str(path), size_guidance=sizes)
        found.Reload()
        return found

    def check_curves(self, found):
        start = 1_700_000_000
        curve = [(event.wall_time, event.step, event.value) for event in found.Scalars("loss")]
        self.assertEqual(curve, [(start + 2, 1, 0.75), (start + 3, 200, 0.5)])
        (point,) = found.Scalars("accuracy")
        self.assertEqual((point.wall_time, point.step), (start + 4, 2**40))
        self.assertAlmostEqual(point.value, 0.1, places=7)
        (histogram,) = found.Histograms("weights")
        value = histogram.histogram_value
        self.assertEqual((histogram.wall_time, histogram.step), (start + 5, 3))
        self.assertEqual((value.min, value.max, value.num, value.sum, value.sum_squares),
                         (-2, 2, 7, 2, 12.5))
        # Buckets [-2, -1), [-1, 0), [0, 1), [1, 2].
        self.assertEqual(list(value.bucket_limit), [-1, 0, 1, 2])
        self.assertEqual(list(value.bucket), [1, 1, 2, 3])

    def test_the_committed_file(self):
        self.check_curves(self.read(GOLDEN))

    def test_a_new_file_with_a_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([PROGRAM, folder], check=True)
            found = self.read(folder)
        self.check_curves(found)
        (picture,) = found.Images("picture")
        self.assertEqual((picture.step, picture.width, picture.height), (4, 3, 2))
        self.assertEqual(points_of(picture.encoded_image_string),
                         [[10, 20, 30] * 3, [10, 20, 30] * 2 + [255, 0, 7]])


if __name__ == "__main__":
    unittest.main()
