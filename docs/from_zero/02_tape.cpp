// Step 2: a tape.
//
// The chain rule can be evaluated from the other end. The *cotangent* of a value is the derivative
// of the result with respect to that value. The cotangent of the result is 1. Each operation adds
// its cotangent, times its partial derivatives, to the cotangents of its operands. One backward
// sweep gives the derivatives with respect to all inputs.
//
// The backward sweep needs to know which operations ran. The simplest record of them is a tape.

#include "check.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

struct Operation {
  std::array<std::size_t, 2> operands;  // Places on the tape; 0 is a dummy.
  std::array<double, 2> partials;
};

std::vector<Operation> tape{{}};

struct Taped {
  double value;
  std::size_t place = 0;
  Taped(double v) : value(v) {}  // NOLINT: a number is a constant
  Taped(double v, Operation made) : value(v), place(tape.size()) { tape.push_back(made); }
};

Taped operator+(Taped a, Taped b) {
  return {a.value + b.value, {{a.place, b.place}, {1, 1}}};
}
Taped operator*(Taped a, Taped b) {
  return {a.value * b.value, {{a.place, b.place}, {b.value, a.value}}};
}
Taped sin(Taped a) {
  return {std::sin(a.value), {{a.place, 0}, {std::cos(a.value), 0}}};
}

std::vector<double> cotangents(Taped result) {
  std::vector<double> all(tape.size());
  all[result.place] = 1;
  for (std::size_t i = tape.size() - 1; i > 0; --i) {
    for (int k = 0; k < 2; ++k) {
      all[tape[i].operands[k]] += tape[i].partials[k] * all[i];
    }
  }
  return all;
}

// A program of many inputs: the sum of sin(x_i) x_{i+1}.
template <class T>
T program(const std::vector<T>& x) {
  using std::sin;
  T sum = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    sum = sum + sin(x[i]) * x[i + 1];
  }
  return sum;
}

int main() {
  std::vector<Taped> x;
  for (int i = 0; i < 1000; ++i) {
    x.emplace_back(0.001 * i, Operation{});
  }
  const std::vector<double> all = cotangents(program(x));
  // By hand: d/dx_i = cos(x_i) x_{i+1} + sin(x_{i-1}).
  check("slope by x_7, of 1000 in one sweep", all[x[7].place],
        std::cos(0.007) * 0.008 + std::sin(0.006));

  // The drawback: every addition writes 32 bytes and reads them again, while the program itself
  // touches 8. Step 3 avoids this.
  check("operations on the tape", static_cast<double>(tape.size() - 1), 1000 + 3 * 999);
}
