#!/usr/bin/env bash
# Uses ddx++ as a user would, in all the ways a compiler is called.
#
# Usage: wrapper_test.sh WRAPPER PLUGIN INCLUDE WORK
#   WRAPPER  ddx++ as it is installed; PLUGIN takes the place of its plugin, INCLUDE of its headers
#   WORK     a folder to fill
set -euo pipefail

wrapper=$1 plugin=$2 include=$3 work=$4
here=$(dirname -- "$(readlink -f -- "$0")")

rm -rf -- "$work"
mkdir -p -- "$work/prefix/bin"
cd -- "$work"
cp -- "$wrapper" prefix/bin/ddx++
ddx=$work/prefix/bin/ddx++
# The paths that the installed ddx++ looks at, relative to itself.
path_of() { sed -n "s|^$1=\$here/||p" "$ddx"; }
mkdir -p -- "prefix/bin/$(dirname -- "$(path_of plugin)")" "prefix/bin/$(dirname -- "$(path_of include)")"
cp -- "$plugin" "prefix/bin/$(path_of plugin)"
ln -s -- "$include" "prefix/bin/$(path_of include)"

failures=0
fail() {
  printf 'FAILED: %s\n' "$1"
  failures=$((failures + 1))
}
# check NAME COMMAND...: the command succeeds and says nothing.
check() {
  local name=$1
  shift
  "$@" > output 2>&1 || fail "$name: exit code $?"
  [[ -s output ]] && { fail "$name: said"; cat output; }
  return 0
}
# refused TEXT COMMAND...: the command fails with one line that holds the text, beside Clang's count and what to do.
refused() {
  local text=$1
  shift
  if "$@" > output 2>&1; then
    fail "$* succeeded"
  elif [[ $(grep -cvE '^(1 error generated|([^ ]*: )?note: )' output) -ne 1 ]] || ! grep -qF -- "$text" output; then
    fail "$*: said"
    cat output
  fi
}
# printed TEXT COMMAND...: the command succeeds and prints the text.
printed() {
  local text=$1
  shift
  "$@" > output 2>&1 || fail "$*: exit code $?"
  grep -qF -- "$text" output || { fail "$*: no '$text' in"; cat output; }
}

cp -- "$here"/*.cpp "$here"/*.h .

# Compiling and linking, at once and in two steps, from a file and from standard input.
check "compile and link" "$ddx" -O1 -Wall -Wextra -Wpedantic -Wextra-semi -Werror main.cpp other.cpp -o program
check "run" ./program
check "compile" "$ddx" -c main.cpp
check "compile the other" "$ddx" -c other.cpp
check "link" "$ddx" main.o other.o -o program
check "run what was linked" ./program
check "standard input" bash -c "'$ddx' -x c++ - -c -o main.o < main.cpp"
check "link the object of standard input" "$ddx" main.o other.o -o program
check "run what came from standard input" ./program
check "debug information" "$ddx" -g -O2 main.cpp other.cpp -o program
check "run with debug information" ./program
check "syntax only" "$ddx" -fsyntax-only main.cpp
check "assembly" "$ddx" -S main.cpp -o main.s
check "intermediate files" "$ddx" -save-temps=obj -c main.cpp -o saved.o
printed "clang version 19" "$ddx" --version
printed "ddx++ " "$ddx" --version
printed "ddx++ compiles C++20 programs that ask for derivatives" "$ddx" --help
printed "clang++-19 --help" "$ddx" --help
# Each option of its own that the wrapper knows is in its help.
"$ddx" --help > help
for option in $(sed -n 's/^    \(-[-a-z]*ddx-[a-z-]*\).*) .*/\1/p' "$ddx" | sort -u); do
  [[ $option == -fddx- || $option == --ddx- ]] || grep -q -- "^  $option" help || fail "--help lacks $option"
done

# The preprocessor sees the plugin's macro, and dependencies are those of the unit.
printed "answer 1" bash -c "echo 'answer __DDX__' | '$ddx' -x c++ -E -"
check "dependencies" "$ddx" -MD -MF main.d -c main.cpp -o main.o
grep -q 'registered.h' main.d || fail "main.d does not name registered.h"
grep -q 'derivatives' main.d && fail "main.d names the synthesised text"

# The same unit gives the same bytes.
check "first time" "$ddx" -c -g main.cpp -o first.o
check "second time" "$ddx" -c -g main.cpp -o second.o
cmp -s first.o second.o || fail "two compilations differ"

# A precompiled header carries registrations and pending requests.
check "precompile" "$ddx" -x c++-header registered.h -o registered.h.pch
check "use the precompiled header" "$ddx" -include-pch registered.h.pch main.cpp other.cpp -o program
check "run with the precompiled header" ./program
printed "// registered_cube: double (double): registered_cube_vjp" \
  "$ddx" -include-pch registered.h.pch -fddx-print-derivatives -fsyntax-only main.cpp

refused "'registered_cube' already has the derivative 'registered_cube_vjp'" \
  "$ddx" -include-pch registered.h.pch -fno-caret-diagnostics -fsyntax-only registered_again.cpp

# Headers that are precompiled: taken where they mean the same as their text, and nowhere else. The headers are a copy,
# so that they may change.
rm -- "prefix/bin/$(path_of include)"
cp -r -- "$include" "prefix/bin/$(path_of include)"
check "precompile the headers" "$ddx" --ddx-precompile
refused "--ddx-precompile takes no file and no other option, but got main.cpp" "$ddx" --ddx-precompile main.cpp
# takes COUNT NAME COMMAND...: the command succeeds, with that many precompiled headers.
takes() {
  local count=$1 name=$2
  shift 2
  "$@" -v > output 2>&1 || { fail "$name: exit code $?"; cat output; }
  [[ $(grep -o -- ' -include-pch ' output | wc -l) -eq $count ]] || fail "$name: not $count precompiled headers"
}
header=prefix/bin/$(path_of include)/ddx/ddx.h
printf '%s\n' '// A program.' '/* Two' ' * lines. */' '#include <cstdio>' '' '#include "ddx/ddx.h"' \
  'double cube(double x) { return x * x * x; }' \
  'int main() { std::printf("%g\n", ddx::gradient(cube, ddx::mean(ddx::ones<double>({2})).item())); }' > whole.cpp
printf '%s\n' '#include <ddx/ad.h>' 'double cube(double x) { return x * x * x; }' \
  'double slope(double x) { return ddx::gradient(cube, x); }' > scalar.cpp
(echo '#define SWITCH 1'; cat scalar.cpp) > after_macro.cpp
(echo '#include "registered.h"'; cat scalar.cpp) > after_header.cpp
printf '%s\n' '#include <cmath>' 'int nothing() { return 0; }' > without.cpp
for options in -O0 -O2 '-O1 -g -Wall -Wextra -Werror -MD -MF whole.d -I.' '-std=c++20 -O3 -w' -Og; do
  # shellcheck disable=SC2086
  takes 1 "precompiled with $options" "$ddx" $options -c whole.cpp
done
grep -q 'ddx/tensor.h' whole.d || fail "whole.d does not name the headers that were precompiled"
takes 1 "ddx/ad.h precompiled" "$ddx" -O2 -c scalar.cpp
takes 2 "two sources" "$ddx" -O2 -fsyntax-only scalar.cpp scalar.cpp
takes 0 "two sources with different headers" "$ddx" -O2 -fsyntax-only scalar.cpp whole.cpp
takes 0 "a macro before the header" "$ddx" -O2 -c after_macro.cpp
takes 0 "a header of the user before it" "$ddx" -O2 -c after_header.cpp
takes 0 "without a header of ddx" "$ddx" -O2 -c without.cpp
for option in -DNAME -Os -march=x86-64-v3 -fPIC -fno-strict-aliasing -pthread -std=gnu++20 -std=c++23 -ffast-math \
    -fsanitize=undefined --ddx-no-precompiled '-include cmath' '-x c++'; do
  # shellcheck disable=SC2086
  takes 0 "not precompiled with $option" "$ddx" -O2 $option -c scalar.cpp
done
takes 0 "other paths of headers" env CPLUS_INCLUDE_PATH=. "$ddx" -O2 -c scalar.cpp
check "object with the precompiled header" "$ddx" -O2 -c scalar.cpp -o with.o
check "object without" "$ddx" -O2 --ddx-no-precompiled -c scalar.cpp -o without.o
cmp -s with.o without.o || fail "the precompiled header changes the object"
printf '%s\n' '#error this header has changed' >> "$header"
printed "this header has changed" bash -c "! '$ddx' -O2 -fsyntax-only whole.cpp"
takes 1 "the other header has not changed" "$ddx" -O2 -c scalar.cpp
rm -rf -- "prefix/bin/$(path_of precompiled)" "prefix/bin/$(path_of include)"
ln -s -- "$include" "prefix/bin/$(path_of include)"

# Options of its own.
printed "request main.cpp:" "$ddx" -fddx-print=request -fsyntax-only main.cpp
check "save" "$ddx" -fddx-save-derivatives=saved/here -g -c main.cpp
grep -q 'value_with_gradient_entry' saved/here/main.derivatives.cpp || fail "no saved derivatives"
for stage in request lower activity diagnose residuals emit verify parse; do
  printed "ddx: $stage " "$ddx" -fddx-time-stages -fsyntax-only main.cpp
done
check "promote and explain" "$ddx" -fddx-promote=all -fddx-explain -fsyntax-only main.cpp
refused "unknown choice 'nonsense'" "$ddx" -fddx-promote=nonsense -fsyntax-only main.cpp
refused "ddx is built with libstdc++; leave out -stdlib=libc++" "$ddx" -stdlib=libc++ -c main.cpp
refused "unknown option -fddx-nonsense" "$ddx" -fddx-nonsense -c main.cpp
refused "unknown option --ddx-nonsense" "$ddx" --ddx-nonsense -c main.cpp
refused "no-such-clang is not there" "$ddx" --ddx-clang=no-such-clang -c main.cpp
refused "unknown stage 'nonsense'" "$ddx" -fddx-print=nonsense -fsyntax-only main.cpp
touch a_file
refused "cannot save the derivatives to 'a_file/main.derivatives.cpp'" \
  "$ddx" -fddx-save-derivatives=a_file -fsyntax-only main.cpp

# A text that ends anywhere gets the messages it gets without the plugin.
number=0
while IFS= read -r text; do
  number=$((number + 1))
  printf '%b' "$text" > "end.cpp"
  clang++-19 -std=c++20 -fsyntax-only -Wextra-semi -Wextra-semi-stmt end.cpp > expected 2>&1 && code=0 || code=$?
  "$ddx" -fsyntax-only -Wextra-semi -Wextra-semi-stmt end.cpp > output 2>&1 && found=0 || found=$?
  [[ $code -eq $found ]] && cmp -s expected output || { fail "end of text $number: $text"; diff expected output || true; }
done < "$here/ends.txt"

exit $((failures > 0))
