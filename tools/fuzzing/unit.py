"""Prints compile units of random programs, each as it stands and once more over jets."""
import re

MATH = ("sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|exp|exp2|expm1|log|log2|log10|log1p|sqrt|cbrt|erf|pow|hypot|"
        "fma|fmin|fmax|fmod|copysign|floor|ceil|round|trunc|fabs|abs|max|min|clamp|"
        "sort|stable_sort|max_element|min_element|nth_element|partial_sort")

HEAD = """#include "harness.h"

#include <algorithm>
#include <any>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <forward_list>
#include <functional>
#include <future>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <new>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <span>
#include <stack>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <valarray>
#include <variant>
#include <vector>

using Double = ddx::testing::jets::Jet<double, ddx::testing::fuzz::directions>;
using Float = ddx::testing::jets::Jet<float, ddx::testing::fuzz::directions>;
using LongDouble = ddx::testing::jets::Jet<long double, ddx::testing::fuzz::directions>;
"""


def over_jets(text):
    text = re.sub(r"^ *#pragma omp .*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\blong double\b", "LongDouble", text)
    text = re.sub(r"\b(volatile )?double\b", "Double", text)
    text = re.sub(r"\bfloat\b", "Float", text)
    text = re.sub(rf"\bstd::({MATH})\b(?=[(<])", r"ddx::testing::jets::\1", text)
    text = re.sub(r"\bstd::thread\b", "ddx::testing::jets::Thread", text)
    text = text.replace("std::async(std::launch::async, ", "ddx::testing::jets::async(")
    text = text.replace("ddx::checkpointed(", "ddx::testing::jets::checkpointed(")
    text = text.replace("ddx::testing::fuzz::slope(", "ddx::testing::jets::slope(")
    return re.sub(r"FUZZ_DIFFERENTIABLE\((\w+), ([^)]*)\)",
                  r"auto ddx_fields() { return std::tie(\2); } auto ddx_fields() const { return std::tie(\2); }", text)


def plain(text):
    return text.replace("FUZZ_DIFFERENTIABLE(", "DDX_DIFFERENTIABLE(")


TWICE = ("using Double = ddx::testing::jets::Jet<ddx::testing::jets::Jet<double, 1>, ddx::testing::fuzz::directions>;")


def program_text(program, second):
    """The two or, for second derivatives, three texts of one program, and its checks as a function."""
    text = program.text()
    lines = [f"namespace {program.name} {{", "namespace plain {", plain(text), "}", "namespace dual {", over_jets(text), "}"]
    if second:
        lines += ["namespace twice {", TWICE, over_jets(text), "}"]
    lines += ["bool check() {", "  bool right = true;",
             "  const auto primal = [](const auto&... x) { return plain::program(x...); };",
             "  const auto jets = [](const auto&... x) { return dual::program(x...); };",
              "  const auto twice = [](const auto&... x) { return twice::program(x...); };" if second
              else "  const ddx::testing::fuzz::FirstOrder twice{};"]
    precision = "1e-4" if program.mixed else "1e-9"
    types = ", ".join(a.type for a in program.arguments)
    for point in range(program.points):
        values = ", ".join(a.values[point] for a in program.arguments)
        tuples = []
        spaces = [("plain", lambda t: t), ("dual", over_jets)] + ([("twice", over_jets)] if second else [])
        for space, translate in spaces:
            tuples.append(f"  const auto {space}_point{point} = [] {{ using namespace {space}; "
                          f"return {translate(f'std::tuple<{types}>({values})')}; }}();")
        lines += tuples
        lines.append(f"  right &= ddx::testing::fuzz::check(\"{program.name}\", {point}, {precision}, "
                     f"primal, jets, twice, "
                     f"plain_point{point}, dual_point{point}, " + (f"twice_point{point});" if second else "0);"))
    return "\n".join(lines + ["  return right;", "}", "}"])


def unit(programs, second=False):
    names = ", ".join(f'{{"{p.name}", {p.name}::check}}' for p in programs)
    main = f"""
/// Runs the programs named by the arguments, or all.
int main(int count, char** names) {{
  const std::pair<const char*, bool (*)()> programs[] = {{{names}}};
  bool right = true;
  for (const auto& [name, check] : programs) {{
    bool wanted = count == 1;
    for (int i = 1; i < count; ++i) {{
      wanted |= std::strcmp(names[i], name) == 0;
    }}
    right &= !wanted || check();
  }}
  return right ? 0 : 1;
}}
"""
    return HEAD + "\n".join(program_text(p, second) for p in programs) + main
