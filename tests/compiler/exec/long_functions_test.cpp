// Functions of many statements and deep expressions: what is computed again must not double at each
// of them, and no bracket may stand too deep. Each took minutes, or was refused, when one did.
#include "gradient_check.h"

#include <array>
#include <cmath>

#define TEN(text) text text text text text text text text text text

namespace {

// Each constant is computed from the one before by two operations that are cheap to do again.
#define LINK(before, next) const double next = before * 0.5 + before * before * 0.1;
double chain_of_constants(double a0) {
  LINK(a0, a1)
  LINK(a1, a2)
  LINK(a2, a3)
  LINK(a3, a4)
  LINK(a4, a5)
  LINK(a5, a6)
  LINK(a6, a7)
  LINK(a7, a8)
  LINK(a8, a9)
  LINK(a9, b0)
  LINK(b0, b1)
  LINK(b1, b2)
  LINK(b2, b3)
  LINK(b3, b4)
  LINK(b4, b5)
  LINK(b5, b6)
  LINK(b6, b7)
  LINK(b7, b8)
  LINK(b8, b9)
  LINK(b9, c0)
  LINK(c0, c1)
  LINK(c1, c2)
  LINK(c2, c3)
  LINK(c3, c4)
  LINK(c4, c5)
  LINK(c5, c6)
  return c6 * c5;
}
#undef LINK

// The same with indices: each is read from where the one before points.
#define LINK(before, next) const int next = (to[before] + to[7 - before]) % 8;
double chain_of_indices(double x) {
  const std::array<int, 8> to{3, 1, 4, 2, 5, 6, 2, 7};
  std::array<double, 8> y{};
  for (int i = 0; i < 8; ++i) {
    y[i] = x * x + i;
  }
  const int i0 = static_cast<int>(x);
  LINK(i0, i1)
  LINK(i1, i2)
  LINK(i2, i3)
  LINK(i3, i4)
  LINK(i4, i5)
  LINK(i5, i6)
  LINK(i6, i7)
  LINK(i7, i8)
  LINK(i8, i9)
  LINK(i9, j0)
  LINK(j0, j1)
  LINK(j1, j2)
  LINK(j2, j3)
  LINK(j3, j4)
  LINK(j4, j5)
  LINK(j5, j6)
  LINK(j6, j7)
  LINK(j7, j8)
  LINK(j8, j9)
  return y[j9] * y[i1];
}
#undef LINK

// A thousand terms, the first of which stands a thousand operations deep.
double long_sum(double x) {
  return x TEN(TEN(TEN(+x * x)));
}

// Three hundred branches, each in the "else" of the one before.
double long_choice(double x) {
  double y = x;
  if (x < -1) {
    y = x * x;
  }
  TEN(TEN(
      else if (x < -2) { y = x * y; } else if (x < -3) { y = y - x; } else if (y < -4) {
        y = 2 * x;
      }))
  else {
    y = x * x * x;
  }
  return y * x;
}

/// Stays a call, which takes a number of steps that depends on its argument.
[[gnu::noinline]] double halved(double x, int steps) {
  for (int i = 0; i < steps; ++i) {
    x = x > 0.25 ? 0.5 * x + 0.1 * x * x : x * 1.1;
  }
  return x;
}

// A long block before the first loop: what it computes is needed again there, between the calls in
// it, in loops, and at both ends.
double long_begin(double x, double y) {
  double a = x;
  double b = y;
  const double product = a * b;
  TEN(TEN(a = 0.9 * a + 0.1 * std::sin(b * x); b = b * 0.95 + a / (2.0 + b * b);))
  const double middle = halved(a * b, 3);
  TEN(TEN(a = a * 0.97 + 0.05 * b * middle; b = std::cos(a) * 0.3 + b * product * 0.1;))
  const double last = halved(b + a, static_cast<int>(4 * middle + 3));
  double sum = product;
  for (int i = 0; i < 5; ++i) {
    sum = sum * a + last * middle * std::sin(b + i);
    if (sum > 2) {
      return sum * middle * product;
    }
  }
  return sum * last + b;
}

DDX_CHECK_GRADIENT(long_begin, at(0.7, 0.4), at(1.6, 1.2), at(-0.6, 0.9))
DDX_CHECK_GRADIENT(chain_of_constants, at(1.7), at(-2.3), at(0.4))
DDX_CHECK_GRADIENT(chain_of_indices, at(1.7), at(5.2), at(3.4))
DDX_CHECK_GRADIENT(long_sum, at(1.7), at(-0.5), at(0.3))
DDX_CHECK_GRADIENT(long_choice, at(1.7), at(-1.4), at(-2.5))

}  // namespace
