#!/usr/bin/env python3
"""tools/gpu_package and tools/gpu_check on XLA's plugin for CPUs.

Usage: gpu_check_test.py ROOT BENCH_MODELS CONFORMANCE_XLA PACKAGES
"""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import types
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


def gpu_check_module():
    """tools/gpu_check, whose functions a test calls."""
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader("gpu_check", str(ROOT / "tools/gpu_check"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("gpu_check", loader))
    loader.exec_module(module)
    return module


def ids_of(program):
    """The processes that run a program."""
    found = []
    for link in pathlib.Path("/proc").glob("[0-9]*/exe"):
        with contextlib.suppress(OSError):
            if os.readlink(link) == str(program):
                found.append(int(link.parent.name))
    return found


def wait_for(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


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
        newer = re.search(r"it needs GLIBC_\S+, and Debian 12 has GLIBC_2\.36: build it there", cls.made[1])
        if newer:
            shutil.rmtree(cls.scratch)
            raise unittest.SkipTest(newer[0])
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
        self.assertRegex(results["failures"][0], r"^conformance: conformance_xla took longer than 1 s(; \d+ of \d+ tests |$)")
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


    def test_no_program_is_left_when_it_is_ended(self):
        program = self.folder / "bin/conformance_xla"
        for number, status in ((signal.SIGTERM, 128 + signal.SIGTERM), (signal.SIGKILL, -signal.SIGKILL)):
            with self.subTest(number), subprocess.Popen(
                [self.folder / "gpu_check", "--device", "pjrt:cpu", "--packages", PACKAGES, "--stages", "conformance"],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as check:
                self.assertTrue(wait_for(lambda: ids_of(program) or check.poll() is not None))
                self.assertIsNone(check.poll())
                check.send_signal(number)
                ended = check.wait(20)
                wait_for(lambda: not ids_of(program))
                left = ids_of(program)
                for process in left:
                    os.kill(process, signal.SIGKILL)
                self.assertEqual((ended, left), (status, []))


class FakePrograms(unittest.TestCase):
    """A folder like a package whose bench_models is a script."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name).resolve() / "package"
        (self.folder / "bin").mkdir(parents=True)
        shutil.copy(ROOT / "tools/gpu_check", self.folder)
        self.script("bench_models", "echo '{}'")
        self.script("conformance_xla", "true")
        self.plugins = self.folder / "lib/ddx/pjrt"

    def script(self, name, line, mode=0o755):
        program = self.folder / "bin" / name
        program.write_text(f"#!/bin/sh\n{line}\n")
        program.chmod(mode)

    def add_plugin(self, folder):
        (folder / "lammps_jax_pjrt_cpu").mkdir(parents=True)
        (folder / "lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so").touch()

    def check(self, *words):
        return run(self.folder / "gpu_check", "--device", "pjrt:cpu", "--peers", "", *words)

    def test_an_incomplete_measurement_leaves_the_others(self):
        results = self.folder / "results.json"
        status, text = self.check("--packages", PACKAGES, "--stages", "processes,models", "--only", "mlp", "--json", results)
        self.assertEqual(status, 1, text)
        self.assertNotIn("Traceback", text)
        lacking = "its JSON has no name, dtype, framework, mode, min_ms, median_ms, compile_s, operations, device_kind"
        self.assertEqual(json.loads(results.read_text())["failures"],
                         ["processes: KeyError: 'name'", f"models: mlp f32 by ddx: {lacking}",
                          f"models: mlp bf16 by ddx: {lacking}"])

    def test_a_failed_peak_leaves_the_measurement(self):
        row = {"name": "mlp", "dtype": "f32", "framework": "ddx", "mode": "xla", "min_ms": 2, "median_ms": 3,
               "compile_s": 1, "operations": 4e9, "device_kind": "cpu"}
        self.script("bench_models", f"[ $1 = --roof ] && echo none || echo '{json.dumps(row)}'")
        results = self.folder / "results.json"
        status, text = self.check("--packages", PACKAGES, "--stages", "models", "--only", "mlp", "--dtypes", "f32",
                                  "--json", results)
        self.assertEqual(status, 1, text)
        found = json.loads(results.read_text())
        self.assertEqual(found["failures"],
                         ["models: peak of f32: ValueError: could not convert string to float: 'none\\n'"])
        # 4e9 operations in 2 ms.
        self.assertEqual([(r["tflops"], r["peak_tflops"], r["share_of_peak"]) for r in found["models"]], [(2, None, None)])
        self.assertRegex(text, r"\nmlp +f32 +ddx +2\.000 +3\.000 +1\.00 +2\.000 +\?\n")

    def test_a_program_that_cannot_start_is_one_line(self):
        self.script("bench_models", "true", mode=0o644)
        status, text = self.check("--packages", PACKAGES)
        self.assertEqual(status, 1, text)
        self.assertRegex(text, r"^gpu_check: PermissionError: .*/bin/bench_models'\n$")

    def test_a_folder_in_the_place_of_the_plugin_is_not_ignored(self):
        self.add_plugin(self.plugins)
        status, text = self.check("--packages", PACKAGES, "--stages", "conformance")
        self.assertEqual((status, text), (1, f"gpu_check: programs would use '{self.plugins}/lammps_jax_pjrt_cpu', which is "
                                             f"no link, and not the plugin in '{PACKAGES}': remove it, or name it by "
                                             f"--packages '{self.plugins}'\n"))
        for words in (["--packages", self.plugins], []):
            with self.subTest(words):
                _, text = self.check(*words, "--stages", "conformance")
                self.assertIn(f"XLA's plugin: {self.plugins}\n", text)

    def test_a_link_of_another_run_is_replaced(self):
        self.plugins.mkdir(parents=True)
        self.add_plugin(self.folder / "other")
        (self.plugins / "lammps_jax_pjrt_cpu").symlink_to(self.folder / "other/lammps_jax_pjrt_cpu")
        _, text = self.check("--packages", PACKAGES, "--stages", "conformance")
        self.assertIn(f"XLA's plugin: {PACKAGES}\n", text)
        self.assertEqual((self.plugins / "lammps_jax_pjrt_cpu").resolve(), PACKAGES / "lammps_jax_pjrt_cpu")

    def test_programs_of_a_tree_that_are_there_are_not_built(self):
        tree = self.folder / "tree"
        for folder in ("tools", "build/bin/tests", "build/lib/ddx"):
            (tree / folder).mkdir(parents=True)
        shutil.copy(ROOT / "tools/gpu_check", tree / "tools")
        builder = tree / "tools/build"
        builder.write_text("#!/bin/sh\nexit 1\n")
        builder.chmod(0o755)
        words = [tree / "tools/gpu_check", "--device", "pjrt:cpu", "--packages", PACKAGES, "--stages", "conformance"]
        shutil.copy(self.folder / "bin/bench_models", tree / "build/bin")
        self.assertIn("gpu_check: the programs could not be built", run(*words)[1])
        shutil.copy(self.folder / "bin/conformance_xla", tree / "build/bin/tests")
        self.assertIn("FAILED conformance: conformance_xla ran no test\n", run(*words)[1])

    def test_the_table_has_rows_without_ours(self):
        row = {"name": "mlp", "dtype": "f32", "framework": "jax", "mode": "jit", "min_ms": 2, "median_ms": 3, "compile_s": 1,
               "tflops": 2, "share_of_peak": None, "device_kind": "cpu"}
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            gpu_check_module().print_table(types.SimpleNamespace(rows=[row], results={}))
        self.assertRegex(text.getvalue(), r"\nmlp +f32 +jax +2\.000 +3\.000 +1\.00 +2\.000 +\?\n$")


class UsageErrors(unittest.TestCase):
    def test_a_wrong_option_is_status_2(self):
        for words, message in [(["tools/gpu_check", "--stages", "all"], "--stages: 'all' is none of conformance, "),
                               (["tools/gpu_check", "--only", "bert"],
                                "--only: no model starts with 'bert'; there are mlp, lenet, "),
                               (["tools/gpu_check", "--json", "/proc/a.json"], "--json: '/proc/a.json' cannot be written: "),
                               (["tools/gpu_check", "--json", "/proc"], "--json: '/proc' cannot be written: it is a folder"),
                               (["tools/gpu_package", "--size", "1"], "gpu_package: unknown option '--size'"),
                               (["tools/gpu_package", "a", "b"], "gpu_package: two targets, 'a' and 'b'")]:
            with self.subTest(words):
                status, text = run(ROOT / words[0], *words[1:])
                self.assertEqual(status, 2, text)
                self.assertIn(message, text)

    def test_without_a_gpu_it_says_so(self):
        if gpu_check_module().has_gpu():
            self.skipTest("here is a GPU")
        self.assertEqual(run(ROOT / "tools/gpu_check"), (0, "gpu_check: no NVIDIA GPU here; nothing was run\n"))

    def test_a_folder_that_is_no_package_is_not_overwritten(self):
        with tempfile.TemporaryDirectory() as scratch:
            # A copy of the source tree's tools, as the tool itself would delete what it is wrongly given.
            tree = pathlib.Path(scratch).resolve() / "tree"
            (tree / "tools").mkdir(parents=True)
            for name in ("gpu_check", "gpu_package"):
                shutil.copy(ROOT / "tools" / name, tree / "tools")
            tool = tree / "tools/gpu_package"
            self.assertEqual(run(tool, tree / "tools"),
                             (1, f"gpu_package: '{tree / 'tools'}' exists and is no package: it has no .ddx_gpu_package\n"))
            for folder in (tree, tree.parent):
                (folder / ".ddx_gpu_package").touch()
                self.assertEqual(run(tool, folder), (1, f"gpu_package: '{folder}' contains the source tree\n"))
            self.assertTrue(tool.exists())

    def test_a_package_is_overwritten(self):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch) / "package"
            folder.mkdir()
            for name in (".ddx_gpu_package", "old"):
                (folder / name).touch()
            _, text = run(ROOT / "tools/gpu_package", "--programs", scratch, folder)
            self.assertEqual(text, f"gpu_package: --programs '{scratch}': there is no bench_models\n")
            self.assertEqual([f.name for f in folder.iterdir() if f.is_file()], [".ddx_gpu_package"])

    def test_programs_without_their_libraries_are_refused(self):
        with tempfile.TemporaryDirectory() as scratch:
            programs = pathlib.Path(scratch)
            for name in ("bench_models", "conformance_xla"):
                (programs / name).symlink_to(shutil.which("env"))
            words = [ROOT / "tools/gpu_package", "--programs", programs, programs / "made"]
            status, text = run(*words)
            self.assertEqual(status, 1)
            self.assertRegex(text, r"bin/bench_models does not search \$ORIGIN/\.\./lib for libraries\n$")
            ldd = programs / "ldd"
            ldd.write_text("#!/bin/sh\necho '\tlibxyz.so.1 => not found'\n")
            ldd.chmod(0o755)
            status, text = run(*words, environment={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"})
            self.assertEqual((status, text),
                             (1, "gpu_package: libraries that the programs need are not found: libxyz.so.1\n"))


if __name__ == "__main__":
    unittest.main()
