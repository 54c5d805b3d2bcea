#!/usr/bin/env python3
"""Runs a compiler or linker and appends what it cost to a log.

Usage: timed_command.py LOG COMMAND...
A line of LOG: processor seconds, wall seconds, peak KB, output file, separated by tabs.
"""
import os
import resource
import sys
import time

log, command = sys.argv[1], sys.argv[2:]
began = time.monotonic()
status = os.waitstatus_to_exitcode(os.waitpid(os.posix_spawnp(command[0], command, os.environ), 0)[1])
wall = time.monotonic() - began
used = resource.getrusage(resource.RUSAGE_CHILDREN)
output = command[command.index("-o") + 1] if "-o" in command[:-1] else "?"
with open(log, "a", encoding="utf-8") as lines:
    lines.write(f"{used.ru_utime + used.ru_stime:.3f}\t{wall:.3f}\t{used.ru_maxrss}\t{output}\n")
sys.exit(status if status >= 0 else 128 - status)
