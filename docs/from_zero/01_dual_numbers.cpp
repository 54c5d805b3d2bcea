// Step 1: dual numbers.
//
// We want the derivative of a program. Here is one, with a loop whose length depends on the input:

#include "check.h"

#include <cmath>

template <class T>
T program(T x) {
  using std::sin;
  T y = 1;
  while (y < 100.0) {
    y = y * x + sin(x);
  }
  return y;
}

// The oldest method computes with pairs: a value, and its derivative with respect to the input.
// Each operation computes both, by the rules of calculus.

struct Dual {
  double value;
  double slope;
  Dual(double v, double s = 0) : value(v), slope(s) {}  // NOLINT: a number is a constant
};

Dual operator+(Dual a, Dual b) {
  return {a.value + b.value, a.slope + b.slope};
}
Dual operator*(Dual a, Dual b) {
  return {a.value * b.value, a.slope * b.value + a.value * b.slope};
}
Dual sin(Dual a) {
  return {std::sin(a.value), std::cos(a.value) * a.slope};
}
bool operator<(Dual a, Dual b) {
  return a.value < b.value;
}

// Loops, branches and calls need no change: the program runs as usual and carries the slope along.

int main() {
  const double x = 3;
  const double h = 1e-6;
  const Dual y = program(Dual(x, 1));
  check("slope by dual numbers", y.slope, (program(x + h) - program(x - h)) / (2 * h), 1e-8);

  // The drawback: a run gives the derivative with respect to one input. A model has a million
  // inputs and would have to run a million times. Step 2 goes in the other direction.
}
