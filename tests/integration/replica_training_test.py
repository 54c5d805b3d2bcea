#!/usr/bin/env python3
"""Trainings by several processes against the same training by one, and what happens when one of them fails.

Usage: replica_training_test.py CASE CHECKS TRAINING
  CASE      collectives, agreement, killed, stopped or mismatch
  CHECKS    the program collectives_by_mpi
  TRAINING  the program replica_training
"""
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import mpi

TOLERANCE = 2e-5  # Relative; sums of other orders differ by some 1e-7, which Adam's first steps amplify.


def folder(work, name):
    """A new folder."""
    path = pathlib.Path(work) / name
    path.mkdir()
    return path


def expect_equal(expected, actual, what):
    """Fails where losses differ, or steps are missing."""
    assert expected.keys() == actual.keys(), f"{what}: steps {sorted(actual)}, expected {sorted(expected)}"
    worst = max(abs(actual[step] - loss) / abs(loss) for step, loss in expected.items())
    print(f"{what}: {len(expected)} losses, the largest difference {worst:.1e}")
    assert worst < TOLERANCE, f"{what}: {actual}, expected {expected}"


def test_collectives(checks, training, work):
    """Every operation, type and size, with every number of ranks; and without a launcher."""
    for ranks in (1, 2, 3, 4):
        code, output = mpi.run(mpi.command(ranks, checks))
        assert code == 0 and f"checked with {ranks} replicas" in output, output
    code, output = mpi.run([checks])
    assert code == 0 and "checked with 1 replicas" in output, output


def test_agreement(checks, training, work):
    """Four ranks give the losses of one process; the last batch of an epoch has 3 samples, or 4 of 16."""
    for model in ("mlp", "lenet"):
        code, alone = mpi.run([training, folder(work, f"{model}-alone"), model])
        assert code == 0, alone
        for ranks, device in ((4, "cpu"), (3, "lazy")):
            name = f"{model}, {ranks} ranks on {device}"
            code, output = mpi.run(mpi.command(ranks, training, folder(work, name), model, "--device", device))
            assert code == 0, output
            expect_equal(mpi.losses(alone), mpi.losses(output), name)


def test_killed(checks, training, work):
    """A killed rank: the others report it and end; the training resumes with other numbers of ranks."""
    code, whole = mpi.run([training, folder(work, "whole"), "mlp"])
    assert code == 0, whole
    expected = mpi.losses(whole)
    checkpoints = folder(work, "killed")

    begin = time.monotonic()
    _, output = mpi.run(mpi.command(4, training, checkpoints, "mlp", "--kill", "2", "5", recovers=True))
    assert time.monotonic() - begin < 20, "waited for the timeout"
    complaints = [line for line in output.splitlines() if line.startswith("replica_training:")]
    assert len(complaints) == 3, output
    for line in complaints:
        assert "rank 2 (process " in line and line.endswith(" has ended"), line
    # A rank that has not yet left the collective operation of step 4 reports the end of rank 2 there.
    seen = mpi.losses(output)
    assert sorted(seen) in ([1, 2, 3], [1, 2, 3, 4]), output

    # As mpirun does it by itself: it ends the others, and names the rank; unless they are faster.
    code, output = mpi.run(mpi.command(3, training, checkpoints, "mlp", "--kill", "1", "8"))
    assert code != 0, output
    assert ("process rank 1" in output and "signal 9 (Killed)" in output) or "rank 1 (process " in output, output
    seen |= mpi.losses(output)
    assert sorted(seen) == [1, 2, 3, 4, 5, 6, 7], output

    code, output = mpi.run(mpi.command(2, training, checkpoints, "mlp"))
    assert code == 0, output
    assert 7 not in mpi.losses(output), output
    expect_equal(expected, seen | mpi.losses(output), "killed with 4 ranks and with 3, ended with 2")


def test_stopped(checks, training, work):
    """A rank that hangs is named after the timeout; one that throws, at once with its reason."""
    words = mpi.command(3, training, folder(work, "stopped"), "mlp", "--stop", "1", "3", "--timeout", "2000",
                        recovers=True)
    with subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace") as process:
        lines = []
        try:
            while sum(line.startswith("replica_training:") for line in lines) < 2:
                line = process.stdout.readline()
                assert line, f"ended without complaints: {lines}"
                lines.append(line)
        finally:
            # The launcher ends what is left, the stopped process too.
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=mpi.PATIENCE)
    for line in lines:
        if line.startswith("replica_training:"):
            assert "rank 1 (process " in line and "which is stopped, has not answered for 2 s" in line, line

    begin = time.monotonic()
    _, output = mpi.run(mpi.command(3, training, folder(work, "throws"), "mlp", "--throw", "1", "3", recovers=True))
    assert time.monotonic() - begin < 20, "waited for the timeout"
    complaints = [line for line in output.splitlines() if line.startswith("replica_training:")]
    assert len(complaints) == 3 and all("read: no more paper" in line for line in complaints), output
    assert sum("rank 1 has given up" in line for line in complaints) == 2, output


def test_mismatch(checks, training, work):
    """Ranks with different models say what differs."""
    _, output = mpi.run(mpi.command(3, training, folder(work, "mismatch"), "mlp", "--shape", "1", recovers=True))
    complaints = [line for line in output.splitlines() if line.startswith("replica_training:")]
    assert len(complaints) == 3, output
    for line in complaints:
        assert ("replicas train different things: rank 0 has model.first.weight: f32 [2, 16], "
                "rank 1 has model.first.weight: f32 [2, 8]") in line, line


def main(case, checks, training):
    mpi.require()
    with tempfile.TemporaryDirectory() as work:
        globals()[f"test_{case}"](checks, training, work)


if __name__ == "__main__":
    main(*sys.argv[1:])
