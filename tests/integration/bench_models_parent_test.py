#!/usr/bin/env python3
"""What bench_models holds while peers run.

Usage: bench_models_parent_test.py BENCH_MODELS
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

MODELS = pathlib.Path(sys.argv.pop(1)).resolve()


def run(*words, environment=None):
    """Returns (exit status, stdout and stderr) of a command."""
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, env=environment)
    return done.returncode, done.stdout


class ParentOfBenchModels(unittest.TestCase):
    def test_it_has_no_plugin_open_while_peers_run(self):
        with tempfile.TemporaryDirectory() as folder:
            peer, seen = pathlib.Path(folder, "peer"), pathlib.Path(folder, "seen")
            # In Python's place: "has" JAX, and looks at what its parent has mapped.
            peer.write_text('#!/bin/sh\ncase "$1$2" in\n-c*jax*) exit 0 ;;\n-c*) exit 1 ;;\nesac\n'
                            f'grep -c pjrt_c_api "/proc/$PPID/maps" >>{seen}\nexit 1\n')
            peer.chmod(0o755)
            status, text = run(MODELS, "--quick", "--only", "mlp", "--device", "pjrt:cpu", "--python", peer,
                               environment={"PATH": os.environ["PATH"]})
            self.assertEqual(status, 0, text)
            self.assertEqual(set(seen.read_text().split()), {"0"}, text)


if __name__ == "__main__":
    unittest.main()
