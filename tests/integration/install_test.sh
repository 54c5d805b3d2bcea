#!/usr/bin/env bash
# Installs a build to a folder of its own, then uses it from there as a stranger would: a CMake
# project with find_package(ddx), and the compiler wrapper by hand.
# Usage: install_test.sh BUILD SOURCE COMPILER

set -euo pipefail
build="$1"
source="$2"
compiler="$3"

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# Moved after the installation: nothing installed may remember where it was put.
cmake --install "$build" --prefix "$work/first" >"$work/install.log"
mv "$work/first" "$work/prefix"

cmake -S "$source" -B "$work/outside" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release
cmake --build "$work/outside"

expected="cube: 8, slope: 12; gradient: 6, 0"
check() {
  local printed
  printed="$("$2")"
  if [[ "$printed" != "$expected" ]]; then
    echo "$1 printed '$printed', expected '$expected'"
    exit 1
  fi
}

check "the CMake project" "$work/outside/outside"
"$work/prefix/bin/ddx++" -O1 "$source/main.cpp" -o "$work/by_hand"
check "the program of ddx++" "$work/by_hand"

if grep -rIl --fixed-strings -e "$build" -e "$work/first" "$work/prefix"; then
  echo "the installed files above name the build folder"
  exit 1
fi
