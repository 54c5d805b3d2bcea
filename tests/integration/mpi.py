"""Starting programs by mpirun, for tests."""
import os
import re
import shutil
import subprocess
import sys

SKIPPED = 77  # What ctest takes for "skipped".
PATIENCE = 120  # Seconds for one run; reached by one that hangs.


def require():
    """Ends the test as skipped where there is no Open MPI."""
    found = shutil.which("mpirun")
    version = subprocess.run([found, "--version"], capture_output=True, text=True).stdout if found else ""
    if "Open MPI" not in version:
        print("skipped: no mpirun of Open MPI (Debian: openmpi-bin)")
        sys.exit(SKIPPED)


def command(ranks, *words, recovers=False):
    """The command line that starts so many processes; with `recovers`, all go on when one dies."""
    options = ["--oversubscribe"]
    if os.geteuid() == 0:
        options.append("--allow-run-as-root")
    if recovers:
        options.append("--enable-recovery")
    return ["mpirun", *options, "-n", str(ranks), *map(str, words)]


def run(words, patience=PATIENCE):
    """Exit status and all that was printed."""
    done = subprocess.run(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", timeout=patience)
    return done.returncode, done.stdout


def losses(output):
    """The losses that replica_training prints, by their step."""
    return {int(step): float(loss) for step, loss in re.findall(r"^step (\d+) loss (\S+)$", output, re.MULTILINE)}
