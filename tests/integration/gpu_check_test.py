#!/usr/bin/env python3
"""tools/gpu_package and tools/gpu_check on XLA's plugin for CPUs.

Usage: gpu_check_test.py ROOT BENCH_MODELS CONFORMANCE_XLA PACKAGES
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PACKAGES = pathlib.Path(sys.argv.pop(4)).resolve()
CONFORMANCE = pathlib.Path(sys.argv.pop(3)).resolve()
MODELS = pathlib.Path(sys.argv.pop(2)).resolve()
ROOT = pathlib.Path(sys.argv.pop(1)).resolve()


def run(*words, environment=None):
    """Returns (exit status, stdout and stderr) of a command."""
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, env=environment)
    return done.returncode, done.stdout


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp())
        programs = cls.scratch / "programs"
        programs.mkdir()
        (programs / "bench_models").symlink_to(MODELS)
        (programs / "conformance_xla").symlink_to(CONFORMANCE)
        cls.made = run(ROOT / "tools/gpu_package", "--programs", programs, cls.scratch / "made")
        cls.folder = cls.scratch / "elsewhere"
        if cls.made[0] == 0:
            (cls.scratch / "made").rename(cls.folder)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.scratch)

    def setUp(self):
        self.assertEqual(self.made[0], 0, self.made[1])

    def check(self, *words):
        """Runs the package's gpu_check without the environment of the build. Returns (status, output, JSON)."""
        results = self.scratch / "results.json"
        results.unlink(missing_ok=True)
        status, text = run(self.folder / "gpu_check", "--device", "pjrt:cpu", "--packages", PACKAGES, "--quick", "--only",
                           "mlp", "--dtypes", "f32", "--peers", "", "--json", results, *words,
                           environment={"PATH": "/usr/bin:/bin"})
        return status, text, json.loads(results.read_text()) if results.exists() else None

    def test_it_runs_where_it_was_moved_to_with_nothing_but_the_system(self):
        self.assertIn("XLA's plugin is not in it", self.made[1])
        status, text, results = self.check("--stages", "conformance,processes,models", "--filter", "*/add")
        self.assertEqual(status, 0, text)
        self.assertIn("conformance: 2 of 2 tests passed", text)
        self.assertEqual([row["name"] for row in results["processes"]], ["lenet", "mlp"])
        (row,) = results["models"]
        self.assertEqual((row["name"], row["framework"], row["device_kind"]), ("mlp", "ddx", "cpu"))
        # Three products of 128 samples forward, each twice backward, except for the images' gradient.
        products = 128 * (784 * 512 + 512 * 512 + 512 * 10)
        self.assertEqual(row["operations"], 2 * (3 * products - 128 * 784 * 512))
        self.assertAlmostEqual(row["share_of_peak"], 1e-9 * row["operations"] / row["min_ms"] / row["peak_tflops"])
        self.assertEqual(results["failures"], [])

    def test_libraries_are_those_of_the_package(self):
        status, text = run("ldd", self.folder / "bin/conformance_xla")
        self.assertEqual(status, 0)
        outside = [line.split()[0] for line in text.splitlines() if "=> /" in line and str(self.folder) not in line]
        self.assertLessEqual(set(outside), {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1"}, text)

    def test_a_stage_that_fails_leaves_the_others(self):
        status, text, results = self.check("--stages", "conformance,models", "--conformance-limit", "1")
        self.assertEqual(status, 1, text)
        self.assertRegex(results["failures"][0], r"^conformance: conformance_xla took longer than 1 s; \d+ of \d+ tests")
        self.assertEqual(len(results["failures"]), 1)
        self.assertEqual(len(results["models"]), 1)

    def test_what_there_is_no_time_for_is_named(self):
        status, _, results = self.check("--stages", "models", "--limit", "0")
        self.assertEqual(status, 1)
        self.assertEqual(results["failures"], ["models: mlp f32 by ddx: not run: no time is left"])

    def test_without_the_plugin_the_line_names_the_folder(self):
        status, text = run(self.folder / "gpu_check", "--device", "pjrt:cpu", "--packages", self.scratch)
        self.assertEqual((status, text), (1, f"gpu_check: --packages '{self.scratch}': no lammps_jax_pjrt_cpu/"
                                             "pjrt_c_api_cpu_plugin.so is in it\n"))


class UsageErrors(unittest.TestCase):
    def test_a_wrong_option_is_status_2(self):
        for words, message in [(["tools/gpu_check", "--stages", "all"], "--stages: 'all' is none of conformance, "),
                               (["tools/gpu_package", "--size", "1"], "gpu_package: unknown option '--size'"),
                               (["tools/gpu_package", "a", "b"], "gpu_package: two targets, 'a' and 'b'")]:
            with self.subTest(words):
                status, text = run(ROOT / words[0], *words[1:])
                self.assertEqual(status, 2, text)
                self.assertIn(message, text)

    @unittest.skipIf(pathlib.Path("/proc/driver/nvidia/gpus").exists(), "here is a GPU")
    def test_without_a_gpu_it_says_so(self):
        self.assertEqual(run(ROOT / "tools/gpu_check"), (0, "gpu_check: no NVIDIA GPU here; nothing was run\n"))

    def test_a_folder_that_is_no_package_is_not_overwritten(self):
        status, text = run(ROOT / "tools/gpu_package", ROOT / "docs")
        self.assertEqual((status, text), (1, f"gpu_package: '{ROOT / 'docs'}' exists and is no package\n"))


if __name__ == "__main__":
    unittest.main()
