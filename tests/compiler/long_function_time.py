#!/usr/bin/env python3
"""The gradient of a function of 10,000 statements is right, and is compiled in time that is linear in its length.

Usage: long_function_time.py DDX++

Compiles it as named values at -O2 and through memory at -O0 and -O2. Processor seconds are compared with those of the
function alone at -O2, so that the machine and its load do not matter much. The limits are well above what is measured (4, 1
and 3), and below what passes that are quadratic in the length need (11, more than 20, and 8).
"""
import pathlib
import resource
import subprocess
import sys
import tempfile

STATEMENTS = 10000

# Title, options, and the most processor seconds as a multiple of those of the function alone.
WAYS = [("named values", ["-O2"], 8), ("memory, -O0", ["-O0", "-fddx-promote=none"], 4),
        ("memory, -O2", ["-O2", "-fddx-promote=none"], 6)]


def function():
    rows = ["a = a * 0.5 + b * x;", "b = std::sin(a) + v[{place}];", "c = c * 0.9 + a * b;", "const double t{i} = a * c;",
            "b += 0.25 * t{before};", "if (b > 1.0) {{ a = a / b; }}", "c = c / (1 + a * a);"]
    body = "\n".join(rows[i % 7].format(i=i, before=i - 1, place=i % 50) for i in range(STATEMENTS))
    return ("double f(double x, const std::vector<double>& v) {\ndouble a = x, b = 2 * x, c = 1;\n" + body +
            "\nreturn a + b + c;\n}\n")


HEADERS = "#include <cmath>\n#include <cstdio>\n#include <vector>\n"

# Prints the gradient and a central difference.
MAIN = """int main() {
  const std::vector<double> v(50, 0.1);
  const double gradient = ddx::gradient(f, ddx::wrt<0>, 0.3, v);
  std::printf("%.12g %.12g\\n", gradient, (f(0.3 + 1e-6, v) - f(0.3 - 1e-6, v)) / 2e-6);
}
"""


def processor_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(part) for part in command], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    compiler = sys.argv[1]
    failed = False
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        alone, source, program = folder / "alone.cpp", folder / "gradient.cpp", folder / "program"
        alone.write_text(HEADERS + function())
        source.write_text("#include <ddx/ad.h>\n" + HEADERS + function() + MAIN)
        for title, options, most in WAYS:
            base = processor_seconds([compiler, "-O2", "-c", alone, "-o", folder / "alone.o"])
            seconds = processor_seconds([compiler, *options, source, "-o", program])
            gradient, difference = map(float, subprocess.run([program], check=True, capture_output=True,
                                                             text=True).stdout.split())
            print(f"{title}: {seconds:.1f} s, {seconds / base:.1f} times the {base:.1f} s of the function alone "
                  f"(at most {most}); gradient {gradient}, difference {difference}")
            failed = failed or seconds > most * base or abs(gradient - difference) > 1e-6 * abs(difference)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
