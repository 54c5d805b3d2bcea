#!/usr/bin/env python3
"""The program behind ./quickstart, from outside: results, interruption, resumption, wrong input.

Usage: lenet_mnist_test.py PROGRAM MNIST
  MNIST  folder with the four IDX files of a few images
"""
import json
import os
import pathlib
import pty
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

MNIST = pathlib.Path(sys.argv.pop()).resolve()
PROGRAM = str(pathlib.Path(sys.argv.pop()).resolve())
ACCURACY = re.compile(r"test accuracy: \d+\.\d\d %\n$")


def without_checksum(checkpoint):
    """The bytes of a checkpoint without the remarks of its checksum."""
    size = int.from_bytes(checkpoint[:8], "little")
    header = json.loads(checkpoint[8:8 + size])
    remarks = header["__metadata__"]
    header["__metadata__"] = {name: text for name, text in remarks.items() if "crc32" not in name}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + checkpoint[8 + size:]


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, *options, data=MNIST, **arguments):
        """Returns (exit status, stdout, stderr); results go to self.folder / "output" by default."""
        words = [PROGRAM, "--data", str(data)]
        if "--output" not in options:
            words += ["--output", str(self.folder / "output")]
        words += map(str, options)
        done = subprocess.run(words, capture_output=True, text=True, check=False, **arguments)
        return done.returncode, done.stdout, done.stderr

    def train(self, output, *options):
        """The checkpoint of a training that must succeed."""
        status, out, error = self.run_program("--output", self.folder / output, *options)
        self.assertEqual((status, error), (0, ""))
        self.assertRegex(out, ACCURACY)
        return (self.folder / output / "lenet.safetensors").read_bytes()

    def assert_refused(self, result, message):
        status, out, error = result
        self.assertEqual((status, out, error.count("\n")), (2, "", 1), error)
        self.assertIn(message, error)
        self.assertTrue(error.startswith("lenet_mnist: "), error)


class Training(Case):
    def test_the_same_seed_gives_the_same_bits(self):
        first = self.train("a", "--epochs", 1, "--seed", 7)
        self.assertEqual(first, self.train("b", "--epochs", 1, "--seed", 7))
        self.assertNotEqual(first, self.train("c", "--epochs", 1, "--seed", 8))
        self.assertEqual(sorted(path.name for path in (self.folder / "a").iterdir()),
                         ["lenet.safetensors", "predictions.png"])
        picture = (self.folder / "a" / "predictions.png").read_bytes()
        self.assertEqual(picture[:8], b"\x89PNG\r\n\x1a\n")
        self.assertIn(b"IEND", picture[-12:])

    def test_loss_and_accuracy_are_printed_once_per_epoch(self):
        _, out, _ = self.run_program("--epochs", 2)
        lines = re.findall(r"^epoch (\d)/2: loss \d\.\d{4}, accuracy \d+\.\d\d %$", out, re.M)
        self.assertEqual(lines, ["1", "2"])
        self.assertNotIn("\r", out)

    def test_a_terminal_gets_a_bar(self):
        ours, its = pty.openpty()
        words = [PROGRAM, "--data", str(MNIST), "--epochs", "1", "--output", str(self.folder)]
        with subprocess.Popen(words, stdout=its, stderr=its) as program:
            os.close(its)
            out = b""
            try:
                while part := os.read(ours, 65536):
                    out += part
            except OSError:  # The other side was closed.
                pass
        os.close(ours)
        self.assertEqual(program.returncode, 0)
        self.assertRegex(out, rb"\repoch 1/1 \[=+> *\] \d+/32 loss \d")
        self.assertRegex(out.replace(b"\r\n", b"\n").decode(), ACCURACY)


class Resumption(Case):
    def test_epochs_added_later_give_the_same_bits(self):
        whole = self.train("whole", "--epochs", 3)
        self.train("part", "--epochs", 1)
        checkpoint = self.folder / "part" / "lenet.safetensors"
        self.assertEqual(whole, self.train("rest", "--epochs", 3, "--resume", checkpoint))

    def test_an_interrupted_training_goes_on_with_the_same_bits(self):
        options = ["--epochs", "4", "--batch-size", "8", "--learning-rate", "0.01", "--seed", "3"]
        whole = self.train("whole", *options)
        words = [PROGRAM, "--data", str(MNIST), "--output", str(self.folder / "part"), *options]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as program:
            for line in program.stdout:
                if line.startswith("epoch 2/4: "):
                    program.send_signal(signal.SIGINT)
                    break
            rest = program.stdout.read()
        self.assertEqual(program.returncode, 130)
        checkpoint = self.folder / "part" / "lenet.safetensors"
        self.assertRegex(rest, r"interrupted in epoch [23], after \d+ steps of it; "
                               rf"to continue: --resume {checkpoint}\n$")
        self.assertEqual([path.name for path in checkpoint.parent.iterdir()], [checkpoint.name])
        self.assertNotEqual(whole, checkpoint.read_bytes())
        self.assertEqual(whole, self.train("rest", "--resume", checkpoint))

    def test_options_that_contradict_the_checkpoint_are_refused(self):
        self.train("part", "--epochs", 1)
        checkpoint = self.folder / "part" / "lenet.safetensors"
        for option, value, made_with in [("--seed", "2", "1"), ("--batch-size", "32", "64"),
                                         ("--learning-rate", "0.5", "0.02")]:
            self.assert_refused(self.run_program("--resume", checkpoint, option, value),
                                f"{option}: {value} contradicts the checkpoint, made with {made_with}")

    def test_damaged_checkpoints_are_refused(self):
        good = self.train("part", "--epochs", 1)
        bad = self.folder / "bad"
        size = len(good)
        header = int.from_bytes(good[:8], "little")
        for length in [0, 1, 7, 8, 9, header // 2, header + 7, header + 8, size // 2, size - 1]:
            bad.write_bytes(good[:length])
            self.assert_refused(self.run_program("--resume", bad), str(bad))
        for old, new, message in [
                (b'"batch_size":"64"', b'"batch_size":"-4"', 'batch_size cannot be "-4"'),
                (b'"seed":"1"', b'"sood":"1"', "does not tell its seed"),
                (b'"device":"cpu"', b'"device":"gpu"', 'device cannot be "gpu"'),
                (b"model.conv1.bias", b"model.conv9.bias", '"model.conv1.bias" is missing'),
                (b'"shape":[6]', b'"shape":[7]', str(bad))]:
            self.assertIn(old, good)
            bad.write_bytes(good.replace(old, new))
            self.assert_refused(self.run_program("--resume", bad), str(bad))
            # As a program that does not know the checksum writes it.
            bad.write_bytes(without_checksum(good).replace(old, new))
            self.assert_refused(self.run_program("--resume", bad), message)


class WrongInput(Case):
    def test_a_wrong_option_or_value_is_one_line_and_status_2(self):
        whole = "not a whole number above 0"
        for options, message in [
                (["--rate", "3"], "unknown option '--rate'"),
                (["extra"], "unknown option 'extra'"),
                (["--epochs"], "--epochs"),
                (["--epochs", "many"], f"--epochs 'many': {whole}"),
                (["--epochs", "0"], f"--epochs '0': {whole}"),
                (["--epochs", "1.5"], f"--epochs '1.5': {whole}"),
                (["--epochs", "99999999999999999999"], f"--epochs '99999999999999999999': {whole}"),
                (["--batch-size", "-1"], f"--batch-size '-1': {whole}"),
                (["--batch-size", "2001"], "--batch-size: 2001 is more than the 2000 training images"),
                (["--devices", "0"], "--devices '0': not a whole number above 0"),
                (["--devices", "4"], "--devices: 4 of device cpu, which is one"),
                (["--device", "pjrt:cpu", "--devices", "3"],
                 "--batch-size: 64 is no multiple of 3 devices"),
                (["--learning-rate", "0"], "--learning-rate '0': not a finite number above 0"),
                (["--learning-rate", "nan"], "--learning-rate 'nan'"),
                (["--learning-rate", "1e999"], "--learning-rate '1e999'"),
                (["--seed", "-1"], "--seed '-1'"),
                (["--device", "gpu"], "--device 'gpu': there are naive, cpu, lazy and pjrt:NAME"),
                (["--resume", "/nowhere/a"], "/nowhere/a"),
        ]:
            with self.subTest(options):
                self.assert_refused(self.run_program(*options), message)
                self.assertFalse((self.folder / "output").exists())

    def test_a_learning_rate_that_is_too_great_is_told(self):
        status, _, error = self.run_program("--learning-rate", "1e30")
        self.assertEqual((status, error.count("\n")), (2, 1))
        self.assertIn("a smaller learning rate may help", error)

    def test_missing_and_damaged_data_files_are_named(self):
        for name in sorted(path.name for path in MNIST.iterdir()):
            data = self.folder / "data"
            shutil.copytree(MNIST, data)
            good = (data / name).read_bytes()
            (data / name).unlink()
            self.assert_refused(self.run_program(data=data), name)
            for bad in [good[:0], good[:3], good[:7], good[:-1], good + b"\0", b"\x1f\x8b" + good]:
                (data / name).write_bytes(bad)
                self.assert_refused(self.run_program(data=data), name)
            shutil.rmtree(data)
        self.assertFalse((self.folder / "output").exists())

    def test_images_of_another_size_are_refused(self):
        data = self.folder / "data"
        shutil.copytree(MNIST, data)
        good = (data / "t10k-images-idx3-ubyte").read_bytes()
        narrow = good[:8] + (14).to_bytes(4, "big") + (56).to_bytes(4, "big") + good[16:]
        (data / "t10k-images-idx3-ubyte").write_bytes(narrow)
        self.assert_refused(self.run_program(data=data), "14 by 56 points")

    def test_an_output_that_cannot_be_written_is_told_before_training(self):
        (self.folder / "file").write_text("")
        for output in [self.folder / "file", self.folder / "file" / "in", "/proc/lenet"]:
            self.assert_refused(self.run_program("--output", output), str(output))

    def test_a_full_disk_leaves_nothing_half_written(self):
        def limit():  # A file may not become larger: stands in for the disk.
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

        status, _, error = self.run_program("--epochs", 1, preexec_fn=limit)
        self.assertEqual((status, error.count("\n")), (2, 1), error)
        self.assertIn("lenet.safetensors: File too large", error)
        self.assertEqual(list((self.folder / "output").iterdir()), [])


if __name__ == "__main__":
    unittest.main()
