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
compgen -G "$work/first/lib*/ddx/precompiled/ddx.O.states" >/dev/null ||
  compgen -G "$work/first/lib/*/ddx/precompiled/ddx.O.states" >/dev/null ||
  { echo "the installation has no precompiled headers"; exit 1; }
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
# The installation precompiled the headers of ddx++ where it was; here, they are taken once they are made anew.
precompiled() { "$work/prefix/bin/ddx++" -v -fsyntax-only "$source/main.cpp" 2>&1 | grep -c -- ' -include-pch ' || true; }
[[ $(precompiled) -eq 0 ]] || { echo "ddx++ takes headers of another folder"; exit 1; }
"$work/prefix/bin/ddx++" --ddx-precompile
[[ $(precompiled) -eq 1 ]] || { echo "ddx++ does not take its precompiled header"; exit 1; }
# A program with debug containers does not link with a library without them, and the linker says why.
if "$work/prefix/bin/ddx++" -D_GLIBCXX_DEBUG "$source/main.cpp" -o "$work/debug" 2>"$work/debug.log" ||
  ! grep -q library_is_built_with_GLIBCXX_DEBUG "$work/debug.log"; then
  cat "$work/debug.log"
  echo "a program with debug containers is not refused"
  exit 1
fi
# Every library that the readers and writers need is linked: by the package, and by both wrappers.
readers="$(dirname "$source")/reader_project"
cmake -S "$readers" -B "$work/readers" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Debug
cmake --build "$work/readers"
"$work/prefix/bin/ddx++" -O0 "$readers/every_reader.cpp" -o "$work/readers/installed_wrapper"
"$build/bin/ddx++" -O0 "$readers/every_reader.cpp" -o "$work/readers/build_wrapper"
for program in every_reader installed_wrapper build_wrapper; do
  "$work/readers/$program" || { echo "$program failed"; exit 1; }
done

# Another compiler is refused with the flag that names the right one.
cat >"$work/other.cmake" <<END
set(CMAKE_CXX_COMPILER_ID GNU)
include("$work/prefix/$(cd "$work/prefix" && ls -d lib*/cmake/ddx lib/*/cmake/ddx 2>/dev/null | head -n 1)/ddx_autodiff.cmake")
ddx_enable_autodiff(program)
END
if cmake -P "$work/other.cmake" >"$work/other.log" 2>&1 ||
  ! tr -s ' \n' ' ' <"$work/other.log" | grep -q -e '-DCMAKE_CXX_COMPILER=clang++-19'; then
  cat "$work/other.log"
  echo "a wrong compiler is not refused with the flag"
  exit 1
fi

if grep -rIl --fixed-strings -e "$build" -e "$work/first" "$work/prefix"; then
  echo "the installed files above name the build folder"
  exit 1
fi
