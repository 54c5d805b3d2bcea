#include "gradient_check.h"

#include <cmath>

namespace {

double two_arms(double x) {
  if (x < 0) {
    return std::exp(x);
  }
  return 1 + x + x * x / 2;
}

double chain(double x, double y) {
  double r = 0;
  if (x > 2) {
    r = x * y;
  } else if (x > 1) {
    r = std::sin(x) + y;
  } else if (y > 0) {
    r = y * y;
  }
  return r + x;
}

double nested(double x, double y) {
  double r = x;
  if (x > y) {
    r *= y;
    if (r > 1) {
      r = std::log(r) * x;
    } else {
      r -= y * y;
    }
  }
  return r * r;
}

double one_armed_update(double x) {
  double scale = 1;
  if (x > 1) {
    scale = x;
  }
  if (scale > 1) {
    scale *= scale;
  }
  return scale * x;
}

double condition_with_initialiser(double x, double y) {
  if (const double d = x - y; d > 0) {
    return d * d;
  } else {
    return -d * x;
  }
}

double condition_declares_integer(double x, int n) {
  double r = x;
  if (const int half = n / 2) {
    r *= half * x;
  }
  return r;
}

double compile_time_branch(double x) {
  constexpr bool fast = sizeof(double) == 8;
  if constexpr (fast) {
    return x * x;
  } else {
    return x;
  }
}

double early_exits(double x, double y) {
  if (x < -1) {
    return y;
  }
  double s = x * y;
  if (s > 2) {
    return s * s;
  }
  s += y;
  if (y > 0) {
    s *= x;
  }
  return s;
}

double overwritten_condition(double x) {
  double a = x;
  if (a > 0) {
    a = -2 * a;
  } else {
    a = 3 * a * a;
  }
  if (a > 0) {
    a = a * x;
  }
  return a;
}

double boolean_kept(double x, double y) {
  const bool above = x > y;
  x = y * x;
  double r = above ? x * x : y;
  if (!above) {
    r += x;
  }
  return r;
}

double constant_condition(double x, bool square, int power) {
  double r = square ? x * x : x;
  if (power == 3) {
    r *= x;
  }
  return r;
}

double block_scopes(double x) {
  double r = x;
  {
    const double r2 = r * r;
    {
      double r3 = r2 + 1;
      r3 *= r2;
      r += r3;
    }
  }
  return r * x;
}

DDX_CHECK_GRADIENT(two_arms, at(-1.5), at(0.3), at(2.25))
DDX_CHECK_GRADIENT(chain, at(2.5, 1.0), at(1.5, 2.0), at(0.5, 0.75), at(0.5, -1.0))
DDX_CHECK_GRADIENT(nested, at(2.5, 1.5), at(0.8, 0.5), at(0.5, 0.75))
DDX_CHECK_GRADIENT(one_armed_update, at(-1.5), at(0.5), at(2.0))
DDX_CHECK_GRADIENT(condition_with_initialiser, at(2.0, 1.0), at(-1.0, 3.0), at(0.5, 0.25))
DDX_CHECK_GRADIENT(condition_declares_integer, at(2.0, 1), at(-1.0, 7), at(0.5, 2))
DDX_CHECK_GRADIENT(compile_time_branch, at(2.0), at(-1.0), at(0.5))
DDX_CHECK_GRADIENT(early_exits, at(-2.0, 1.0), at(3.0, 2.0), at(0.5, 0.75), at(0.5, -1.0))
DDX_CHECK_GRADIENT(overwritten_condition, at(2.0), at(-1.0), at(0.5))
DDX_CHECK_GRADIENT(boolean_kept, at(2.0, 1.5), at(-1.0, 0.5), at(0.5, 0.25))
DDX_CHECK_GRADIENT(constant_condition, at(2.0, true, 3), at(-1.0, false, 3), at(0.5, true, 0))
DDX_CHECK_GRADIENT(block_scopes, at(2.0), at(-1.0), at(0.5))

}  // namespace
