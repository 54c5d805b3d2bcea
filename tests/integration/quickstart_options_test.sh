#!/usr/bin/env bash
# The options that ./quickstart lists before anything is built are those of the program it runs.
# Usage: quickstart_options_test.sh QUICKSTART PROGRAM

set -euo pipefail

options() {
  "$@" --help | grep -oE -- '--[a-z][a-z-]+' | sort -u
}

diff <(options "$1") <(options "$2")
