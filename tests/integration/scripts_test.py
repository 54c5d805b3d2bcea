#!/usr/bin/env python3
"""The scripts at the top of the tree: their usage errors, and the installer on invented systems.

Usage: scripts_test.py ROOT
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()


def run(*words, path=None):
    """Returns (exit status, stdout, stderr) of a command."""
    environment = {"PATH": path or os.environ["PATH"], "LC_ALL": "C"}
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)
    return done.returncode, done.stdout, done.stderr


class UsageErrors(unittest.TestCase):
    def test_a_wrong_option_is_one_line_and_status_2(self):
        for command, message in [
                (["quickstart", "--rate", "1"], "quickstart: unknown option '--rate'"),
                (["bench", "add"], "bench: unknown table 'add'; there are ad, threads, ops, models, hvp, training,"),
                (["bench", "ad", "ops"], "bench: two tables, 'ad' and 'ops'"),
                (["bench", "--slow"], "bench: unknown option '--slow'"),
                (["bench", "--json"], "bench: --json needs a file"),
                (["bench", "models", "--device"], "bench: --device needs a name"),
                (["bench", "--json", "/nowhere/a.json"], "bench: --json '/nowhere/a.json': cannot be"),
                (["test", "--preset", "fast"], "test: --preset 'fast': there are release, debug and"),
                (["test", "--preset"], "test: --preset ''"),
                (["tools/install_weights"], "usage: tools/install_weights FOLDER"),
        ]:
            with self.subTest(command):
                status, out, error = run(str(ROOT / command[0]), *command[1:])
                self.assertEqual((status, out, error.count("\n")), (2, "", 1), error)
                self.assertTrue(error.startswith(message), error)

    def test_help_goes_to_stdout(self):
        for script in ("quickstart", "bench", "test"):
            status, out, error = run(str(ROOT / script), "--help")
            self.assertEqual((status, error), (0, ""))
            self.assertTrue(out.startswith(f"Usage: ./{script} ") or "Usage:" in out, out)


class ComparePeers(unittest.TestCase):
    def test_peers_stand_beside_ours_and_the_losses_are_named(self):
        def row(name, gradient, **more):
            return {"name": name, "gradient_ms": gradient, "ratio": 2.0, **more}

        with tempfile.TemporaryDirectory() as folder:
            ours, theirs = f"{folder}/ours", f"{folder}/theirs"
            pathlib.Path(ours).write_text(json.dumps([row(n, 1.0) for n in "abcd"]))
            pathlib.Path(theirs).write_text(json.dumps(
                [row("a", 0.5, peer="P", right=True), row("b", 3.0, peer="P", right=True),
                 row("c", 0.1, peer="P", right=False)]))
            status, out, error = run(str(ROOT / "tools/compare_peers.py"), ours, theirs,
                                     f"{folder}/absent")
        self.assertEqual((status, error), (0, ""))
        lines = [line.split() for line in out.splitlines()]
        self.assertIn(["a", "1000.0", "(2.00)", "500.0", "(2.00)", "0.50"], lines)
        self.assertIn(["b", "1000.0", "(2.00)", "3000.0", "(2.00)", "3.00"], lines)
        self.assertIn(["c", "1000.0", "(2.00)", "wrong"], lines)
        self.assertIn(["d", "1000.0", "(2.00)", "-"], lines)
        self.assertEqual(out.splitlines()[-1], "ahead of P on 2 of 3: not on a")


class JoinJson(unittest.TestCase):
    def test_arrays_become_one(self):
        with tempfile.TemporaryDirectory() as folder:
            names = []
            for name, rows in [("a", [{"name": "x", "ns": 1.5}]), ("b", [{"name": "y"}, {}])]:
                names.append(f"{folder}/{name}")
                pathlib.Path(names[-1]).write_text(json.dumps(rows))
            status, out, _ = run(str(ROOT / "tools/join_json.py"), *names)
            self.assertEqual((status, json.loads(out)),
                             (0, [{"name": "x", "ns": 1.5}, {"name": "y"}, {}]))
            pathlib.Path(names[0]).write_text("{}")
            self.assertEqual(run(str(ROOT / "tools/join_json.py"), *names)[0::2],
                             (1, f"join_json: {names[0]}: an array was expected, got dict\n"))


class Installer(unittest.TestCase):
    """tools/install_dependencies with commands that only pretend, on a PATH of their own."""

    REAL = ("bash", "env", "id", "sed", "grep", "tail", "tr", "mktemp", "rm")

    def install(self, *, installed=(), absent=(), commands=("apt-get", "sudo"), user=0, apt="exit 0"):
        with tempfile.TemporaryDirectory() as folder:
            bin_folder = pathlib.Path(folder)

            def pretend(name, text):
                (bin_folder / name).write_text(f"#!/bin/bash\n{text}\n")
                (bin_folder / name).chmod(0o755)

            for name in self.REAL:
                real = subprocess.run(["which", name], capture_output=True, text=True, check=True)
                (bin_folder / name).symlink_to(real.stdout.strip())
            (bin_folder / "id").unlink()
            pretend("id", f"echo {user}")
            have = "|".join(installed) or "none"
            pretend("dpkg-query", f'case "$3" in {have}) echo -n "install ok installed" ;; esac')
            lack = "|".join(absent) or "none"
            pretend("apt-cache", f'case "$2" in {lack}) c="(none)" ;; *) c=1.0 ;; esac\n'
                                 'echo "  Candidate: $c"')
            if "sudo" in commands:
                pretend("sudo", 'exec "$@"')
            if "apt-get" in commands:
                pretend("apt-get", f'echo "$@" >>"{folder}/calls"\necho noise\n{apt}')
            status, out, error = run(str(ROOT / "tools/install_dependencies"), path=folder)
            calls = bin_folder / "calls"
            return status, out, error, calls.read_text() if calls.exists() else ""

    REQUIRED = re.search(r"required=\((.*?)\)", (ROOT / "tools/install_dependencies").read_text(),
                         re.DOTALL)[1].split()

    def test_nothing_is_done_or_said_when_all_is_there(self):
        self.assertEqual(self.install(installed=self.REQUIRED), (0, "", "", ""))

    def test_only_what_is_missing_is_installed_with_one_line(self):
        status, out, error, calls = self.install(installed=self.REQUIRED[1:])
        self.assertEqual((status, out), (0, ""))
        self.assertEqual(error, f"installing 1 packages: {self.REQUIRED[0]}\n")
        self.assertIn(f"install --yes --no-install-recommends {self.REQUIRED[0]}", calls)

    def test_a_package_without_candidate_is_named(self):
        status, _, error, calls = self.install(absent=["clang-19", "llvm-19-dev"])
        self.assertEqual(status, 1)
        self.assertIn("install_dependencies: no candidate for clang-19 llvm-19-dev on ", error)
        self.assertNotIn("install --yes", calls)

    def test_an_absent_optional_package_is_no_error(self):
        status, _, _, calls = self.install(absent=["ccache", "clang-format-19"])
        self.assertEqual(status, 0)
        self.assertNotIn("ccache", calls)

    def test_a_user_without_sudo_is_told_what_to_ask_for(self):
        status, _, error, calls = self.install(installed=self.REQUIRED[1:], commands=("apt-get",),
                                               user=1000)
        self.assertEqual((status, calls), (1, ""))
        self.assertEqual(error, "install_dependencies: not root and no sudo; ask an administrator to"
                                f" run: apt-get install {self.REQUIRED[0]}\n")

    def test_a_system_without_apt_is_told_what_is_needed(self):
        status, _, error, _ = self.install(installed=self.REQUIRED[1:], commands=())
        self.assertEqual((status, error), (1, "install_dependencies: no apt-get on this system; needed:"
                                              f" {self.REQUIRED[0]}\n"))

    def test_the_reason_apt_gives_is_shown(self):
        status, _, error, _ = self.install(apt='echo "E: Unable to lock" >&2; exit 100')
        self.assertEqual(status, 1)
        self.assertIn("install_dependencies: apt-get update failed: E: Unable to lock", error)

    def test_every_package_is_explained(self):
        page = (ROOT / "docs/dependencies.md").read_text()
        for package in self.REQUIRED:
            self.assertIn(f"`{package}`", page)


if __name__ == "__main__":
    unittest.main()
