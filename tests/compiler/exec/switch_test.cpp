#include "gradient_check.h"

#include <cmath>

namespace {

enum class Kernel { Linear, Gaussian, Rational };

double separate_cases(double x, int kind) {
  double r = 0;
  switch (kind) {
    case 0:
      r = x * x;
      break;
    case 1:
      r = std::sin(x);
      break;
    default:
      r = 3 * x;
      break;
  }
  return r * x;
}

double fall_through(double x, double y, int from) {
  double s = x;
  switch (from) {
    case 0:
      s *= y;
      [[fallthrough]];
    case 1:
      s += x * s;
      [[fallthrough]];
    case 2:
      s *= s;
      break;
    case 3:
      s = y;
      [[fallthrough]];
    default:
      s -= y * y;
  }
  return s;
}

double no_case_taken(double x, int kind) {
  double r = x;
  switch (kind) {
    case 1:
      r *= x;
      break;
    case 2:
      r += x * x;
      break;
  }
  return r * r;
}

double with_initialiser(double x, int kind) {
  switch (const double t = x * x; kind & 3) {
    case 0:
      return t;
    case 1:
      return t * x;
    default:
      return t + kind;
  }
}

double over_enumeration(double x, Kernel kernel) {
  switch (kernel) {
    case Kernel::Linear:
      return x;
    case Kernel::Gaussian:
      return std::exp(-x * x);
    case Kernel::Rational:
      return 1 / (1 + x * x);
  }
  return 0;
}

double inside_loop(double x, int n) {
  double s = x;
  for (int i = 0; i < n; ++i) {
    switch (i % 4) {
      case 0:
        s += x;
        break;
      case 1:
        s *= x;
        continue;
      case 2:
        if (s > 3) {
          break;
        }
        s = s * s;
        break;
      default:
        s = std::sqrt(1 + s * s);
    }
    s *= 0.9;
  }
  return s;
}

double return_and_shared_labels(double x, int kind) {
  double s = x;
  switch (kind) {
    case 1:
    case 2:
      s *= x;
      break;
    case 3: {
      const double t = s * s;
      return t * x;
    }
    default:
      return -x;
  }
  return s + 1;
}

double default_in_front(double x, int kind) {
  double s = x;
  switch (kind) {
    default:
      s *= 2;
      [[fallthrough]];
    case 5:
      s *= x;
      break;
    case 6:
      s = x * x * x;
  }
  return s;
}

double nested_switches(double x, int a, int b) {
  double s = x;
  switch (a) {
    case 0:
      switch (b) {
        case 0:
          s = x * x;
          break;
        case 1:
          s = std::cos(x);
          break;
      }
      s *= x;
      break;
    case 1:
      s += x * x;
  }
  return s;
}

double on_computed_integer(double x, int n) {
  double s = 1;
  int state = n;
  while (state != 0) {
    switch (state % 3) {
      case 0:
        s *= x;
        state /= 3;
        break;
      case 1:
        s += x;
        --state;
        break;
      case 2:
        s = s * s + x;
        state -= 2;
        break;
    }
  }
  return s;
}

DDX_CHECK_GRADIENT(separate_cases, at(1.5, 0), at(-0.5, 1), at(0.75, 7))
DDX_CHECK_GRADIENT(fall_through, at(1.5, 0.7, 0), at(-0.5, 1.3, 1), at(0.75, 0.2, 2),
                   at(0.75, 0.2, 3), at(0.75, 0.2, 4))
DDX_CHECK_GRADIENT(no_case_taken, at(1.5, 0), at(-0.5, 1), at(0.75, 2))
DDX_CHECK_GRADIENT(with_initialiser, at(1.5, 0), at(-0.5, 1), at(0.75, 2))
DDX_CHECK_GRADIENT(over_enumeration, at(1.5, Kernel::Linear), at(-0.5, Kernel::Gaussian),
                   at(0.75, Kernel::Rational))
DDX_CHECK_GRADIENT(inside_loop, at(1.5, 0), at(-0.5, 9), at(0.75, 6))
DDX_CHECK_GRADIENT(return_and_shared_labels, at(1.5, 1), at(-0.5, 2), at(0.75, 3), at(0.75, 4))
DDX_CHECK_GRADIENT(default_in_front, at(1.5, 5), at(-0.5, 6), at(0.75, 7))
DDX_CHECK_GRADIENT(nested_switches, at(1.5, 0, 0), at(-0.5, 0, 1), at(0.75, 0, 2), at(0.75, 1, 0))
DDX_CHECK_GRADIENT(on_computed_integer, at(1.1, 0), at(-0.5, 17), at(0.75, 22))

}  // namespace
