#!/usr/bin/env python3
"""What differentiation costs when a program is compiled.

Usage: bench_compile.py --compiler DDX++ --plugin FILE [--quick] [--json FILE]

Three tables. Synthesis: programs of several shapes at growing sizes, with the processor time of the front end beyond that
of the same program without a derivative, the text that is made, and the time of each stage (-fddx-time-stages).
Overhead: units that take no derivative, with the plugin and without it, in pairs. Programs: what short programs of users
take at -O2, all in all. Ends with status 1 where a program is refused, or where the text grows faster than the program.
"""
import argparse
import json
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile


# --- programs of n statements: the functions before f, and the body of f
def straight(n):
    rows = ["a = a * b + c;", "b = std::sin(a) - 0.5 * d;", "c += a / (2.0 + b * b);", "d = 0.9 * d + c * 0.01;"]
    return "", ["double a = x, b = 1, c = 0.5, d = 2;", *(rows[i % 4] for i in range(n)), "return a + b + c + d;"]


def locals_(n):
    body = ["const double v0 = x;", "const double v1 = x * 0.5;"]
    body += [f"const double v{i} = v{i - 1} * 0.999 + std::sin(v{i - 2}) * v{max(0, i - 7)};" for i in range(2, n)]
    return "", [*body, f"return v{n - 1};"]


def loops(n):
    body = ["double s = x;", "double v[8] = {1, 2, 3, 4, 5, 6, 7, 8};"]
    for i in range(n // 3):
        body.append(f"for (int i = 0; i < 8; ++i) {{ v[i] = v[i] * s + {i}e-3; s += std::sin(v[i]) * 0.1; }}")
    return "", [*body, "return s;"]


def branches(n):
    body = ["double a = x, b = 1;"]
    for i in range(n // 4):
        body.append(f"if (a > {i % 7}.5) {{ a = a * b; }} else {{ b = b + std::sin(a); }} a = a * 0.99 + b;")
    return "", [*body, "return a + b;"]


def nests(n):
    depth = 100
    group = [f"if (a > -{d}.5) {{ a = a * 1.001 + std::sin(a);" for d in range(depth)] + ["}" * depth]
    return "", ["double a = x;", *(group * (n // (2 * depth))), "return a;"]


def functions(n):
    before = "double g0(double x) { return x * x; }\n"
    for i in range(1, n // 4):
        before += (f"double g{i}(double x) {{ const double y = g{i - 1}(x * 0.5); double z = y * x; z += std::sin(y); "
                   "return z; }\n")
    return before, [f"return g{max(n // 4 - 1, 0)}(x);"]


def calls(n):
    body = ["double a = x, b = 1;"] + [f"a = g(a, b); b = g(b, {i}e-4);" for i in range(n // 2)]
    return "double g(double x, double y) { double z = x * y; z += std::sin(x); return z; }\n", [*body, "return a + b;"]


def elements(n):
    body = ["std::vector<double> v(16);", "v[0] = x;"]
    body += [f"v[{(i + 1) % 16}] = v[{i % 16}] * v[{(i * 7 + 3) % 16}] + {i}e-3;" for i in range(n)]
    return "", [*body, "return v[0] + v[5];"]


SHAPES = {"straight": straight, "locals": locals_, "loops": loops, "branches": branches, "nests": nests,
          "functions": functions, "calls": calls, "elements": elements}

# The text for each statement may grow by so much from the smallest size to the largest: names get longer.
MOST_GROWTH = 1.15

UNITS = {
    "empty": "int main() { return 0; }\n",
    "containers": """#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>
int main() {
  std::map<std::string, std::vector<int>> m;
  m["a"].push_back(3);
  for (auto& [key, numbers] : m) {
    std::sort(numbers.begin(), numbers.end());
    std::cout << key << numbers.size();
  }
}
""",
    "regex": """#include <regex>
#include <string>
bool matches(const std::string& text) { return std::regex_match(text, std::regex("a(b|c)*d")); }
""",
}

# What users write first; the headers are most of the cost.
PROGRAMS = {
    "simulation": """#include <cmath>
#include <cstdio>
#include <ddx/ad.h>
#include <vector>

double energy(const std::vector<double>& start, double stiffness) {
  std::vector<double> x = start;
  std::vector<double> v(x.size(), 0.0);
  for (int step = 0; step < 100; ++step) {
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      const double force = stiffness * std::tanh(x[i + 1] - x[i] - 1.0);
      v[i] += 0.01 * force;
      v[i + 1] -= 0.01 * force;
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += 0.01 * v[i];
    }
  }
  double sum = 0;
  for (double speed : v) {
    sum += speed * speed;
  }
  return sum;
}

int main() {
  const auto [by_start, by_stiffness] = ddx::gradient(energy, std::vector<double>{0.0, 1.5, 2.0}, 3.0);
  std::printf("%g %g\\n", by_start[0], by_stiffness);
}
""",
    "regression": """#include <cstdio>
#include <ddx/ddx.h>

ddx::Tensor<float> loss(const ddx::Tensor<float>& w, const ddx::Tensor<float>& x, const ddx::Tensor<float>& y) {
  const auto error = matmul(x, w) - y;
  return ddx::mean(error * error);
}

int main() {
  const auto x = ddx::random_normal<float>(ddx::RandomKey(1), {64, 3});
  const auto y = matmul(x, ddx::Tensor<float>({{1}, {-2}, {3}}));
  auto w = ddx::zeros<float>({3, 1});
  for (int step = 0; step < 200; ++step) {
    const auto [value, slope] = ddx::value_with_gradient([&](const ddx::Tensor<float>& p) { return loss(p, x, y); }, w);
    w = w - 0.1F * slope;
    if (step % 50 == 0) {
      std::printf("%g\\n", static_cast<double>(value.item()));
    }
  }
}
""",
    "model": """#include <cstdint>
#include <cstdio>
#include <ddx/ddx.h>

struct Classifier {
  ddx::nn::Dense<float> hidden{{.in = 2, .out = 16, .activation = ddx::nn::Activation::Tanh}};
  ddx::nn::Dense<float> output{{.in = 16, .out = 2}};

  ddx::Tensor<float> operator()(const ddx::Tensor<float>& points) const { return points | hidden | output; }

  DDX_DIFFERENTIABLE(Classifier, hidden, output)
};

int main() {
  Classifier model;
  ddx::nn::initialize(model, ddx::RandomKey(1));
  ddx::nn::Adam optimizer(model, {.learning_rate = 0.02});
  const auto places = ddx::random_uniform<float>(ddx::RandomKey(2), {128, 2}, {.low = -1, .high = 1});
  const auto inside = ddx::cast<std::int32_t>(less(ddx::sum(places * places, {.axes = {1}}), 0.5F));
  for (int step = 0; step < 400; ++step) {
    auto [loss, gradient] = ddx::value_with_gradient(
        [&](const Classifier& m) { return ddx::softmax_cross_entropy(m(places), inside); }, model);
    optimizer.update(model, gradient);
    std::printf("%g\\n", static_cast<double>(loss.item()));
  }
}
""",
}


def program(shape, n, derivative):
    before, body = SHAPES[shape](n)
    lines = ["#include <ddx/ad.h>", "#include <cmath>", "#include <vector>", before, "double f(double x) {", *body, "}"]
    if derivative:
        lines.append("double slope(double x) { return ddx::gradient(&f, x); }")
    return "\n".join(lines) + "\n"


def processor_seconds(command):
    """(user and system time, standard error) of a command; fails where it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"bench_compile: {' '.join(map(str, command))}: exit code {done.returncode}\n{done.stderr[:2000]}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, done.stderr


def synthesis(arguments, work):
    sizes = (400, 1600) if arguments.quick else (1000, 2500, 5000, 10000)
    print("synthesis: processor s beyond the program's own; KB of text; ms of each stage")
    print(f"{'shape':<10}{'statements':>11}{'s':>8}{'KB':>8}  stages", flush=True)
    rows, grows = [], []
    for shape in SHAPES:
        texts = {}
        for n in sizes:
            source = work / f"{shape}.cpp"
            command = [arguments.compiler, "-fddx-time-stages", "-fsyntax-only", source]
            source.write_text(program(shape, n, False))
            without, _ = processor_seconds(command)
            source.write_text(program(shape, n, True))
            seconds, report = processor_seconds(command)
            texts[n] = int(re.search(r"(\d+) bytes", report)[1])
            stages = dict(re.findall(r"ddx: (\w+) +([\d.]+) ms", report))
            print(f"{shape:<10}{n:>11}{seconds - without:>8.2f}{texts[n] / 1024:>8.0f}  "
                  + " ".join(f"{name} {float(ms):.0f}" for name, ms in stages.items()), flush=True)
            rows.append({"name": f"compile_{shape}_{n}", "seconds": seconds - without, "text_bytes": texts[n],
                         **{f"{name}_ms": float(ms) for name, ms in stages.items()}})
        if texts[sizes[-1]] / sizes[-1] > MOST_GROWTH * texts[sizes[0]] / sizes[0]:
            grows.append(shape)
    return rows, grows


def overhead(arguments, work):
    print("overhead of the plugin on units without derivatives")
    print(f"{'unit':<12}{'s':>8}{'of the least':>14}{'median of pairs':>17}", flush=True)
    rows = []
    for name, text in UNITS.items():
        source = work / f"{name}.cpp"
        source.write_text(text)
        plain = ["clang++-19", "-std=c++20", "-O1", "-c", source, "-o", work / "unit.o"]
        commands = {False: plain, True: [*plain, f"-fplugin={arguments.plugin}"]}
        times = {False: [], True: []}
        for pair in range(2 if arguments.quick else 25):
            for loaded in (False, True) if pair % 2 else (True, False):
                times[loaded].append(processor_seconds(commands[loaded])[0])
        least = min(times[True]) / min(times[False]) - 1
        median = statistics.median(b / a for a, b in zip(times[False], times[True])) - 1
        print(f"{name:<12}{min(times[False]):>8.3f}{100 * least:>13.1f}%{100 * median:>16.1f}%", flush=True)
        rows.append({"name": f"overhead_{name}", "seconds": min(times[False]), "overhead": least,
                     "median_overhead": median})
    return rows


def programs(arguments, work):
    print("short programs of users at -O2, all in all; with the first header precompiled, and as text")
    print(f"{'program':<12}{'s':>8}{'text':>8}", flush=True)
    rows = []
    for name, text in PROGRAMS.items():
        source = work / f"{name}.cpp"
        source.write_text(text)
        command = [arguments.compiler, "-O2", "-c", source, "-o", work / "program.o"]
        times = {}
        for form, options in (("precompiled", []), ("text", ["--ddx-no-precompiled"])):
            times[form] = min(processor_seconds([*command, *options])[0] for _ in range(1 if arguments.quick else 5))
        print(f"{name:<12}{times['precompiled']:>8.2f}{times['text']:>8.2f}", flush=True)
        rows.append({"name": f"program_{name}", "seconds": times["precompiled"], "text_seconds": times["text"]})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", type=pathlib.Path, required=True, help="the ddx++ to measure")
    parser.add_argument("--plugin", type=pathlib.Path, required=True, help="the plugin that it loads")
    parser.add_argument("--quick", action="store_true", help="small programs, few pairs")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows, grows = synthesis(arguments, pathlib.Path(folder))
        rows += overhead(arguments, pathlib.Path(folder))
        rows += programs(arguments, pathlib.Path(folder))
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=2) + "\n")
    if grows:
        print(f"bench_compile: the text grows faster than the program: {', '.join(grows)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
