// Step 1: dual numbers.
//
// We want the slope of a program. Here is one, with a loop whose length depends on the input:

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

// The oldest way is to compute with pairs: a value, and how fast it changes when the input does.
// Each operation knows how to do both; the rules are those of school.

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

// Loops, branches and calls need nothing: the program runs as ever, and the slope comes along.

int main() {
  const double x = 3;
  const double h = 1e-6;
  const Dual y = program(Dual(x, 1));
  check("slope by dual numbers", y.slope, (program(x + h) - program(x - h)) / (2 * h), 1e-8);

  // What is wrong with it: a run gives the slope in one direction. A program of a million inputs,
  // and that is what models are, would have to run a million times. Step 2 turns it round.
}
