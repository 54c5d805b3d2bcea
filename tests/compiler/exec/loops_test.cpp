#include "gradient_check.h"

#include <cmath>
#include <cstddef>

namespace {

double power_by_loop(double x, int n) {
  double r = 1;
  for (int i = 0; i < n; ++i) {
    r *= x;
  }
  return r;
}

double index_in_body(double x, int n) {
  double s = 0;
  for (int i = 1; i <= n; ++i) {
    s += std::sin(i * x) / i;
  }
  return s;
}

double descending(double x, int n) {
  double s = x;
  for (int i = n; i > 0; --i) {
    s = s / i + x * i;
  }
  return s;
}

double strided(double x, int n) {
  double s = x;
  for (int i = 0; i < n; i += 3) {
    s = s * x + i;
  }
  return s;
}

double triangular(double x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double row = x;
    for (int j = 0; j <= i; ++j) {
      row *= x + 0.1 * j;
    }
    s += row * s + x;
  }
  return s;
}

double triangular_downwards(double x, int n) {
  double s = 1;
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) {
      s += std::cos(s * x) / (i + j);
    }
  }
  return s;
}

double while_loop(double x) {
  double y = 1;
  while (y < 100) {
    y = y * x + std::sin(x);
  }
  return y;
}

double do_loop(double x) {
  double y = x;
  do {
    y = y * y + 0.5;
  } while (y < 10);
  return y;
}

double do_loop_runs_once(double x, int n) {
  double y = x;
  int i = 5;
  do {
    y *= x + i;
    ++i;
  } while (i < n);
  return y;
}

double newton_square_root(double x) {
  double r = x;
  while (std::fabs(r * r - x) > 1e-14 * x) {
    r = 0.5 * (r + x / r);
  }
  return r;
}

double several_counters(double x, int n) {
  double s = 0;
  int k = 1;
  for (int i = 0, j = n; i < j; ++i, j -= 2, k *= 2) {
    s += s * x + k * x - j;
  }
  return s * k;
}

double loop_carried_pair(double x, int n) {
  double a = x;
  double b = 1;
  for (int i = 0; i < n; ++i) {
    const double t = a;
    a = a * b;
    b = std::sqrt(t + b * b);
  }
  return a + b;
}

double unsigned_index(double x, std::size_t n) {
  double s = 1;
  for (std::size_t i = n; i-- > 0;) {
    s = s * x + static_cast<double>(i);
  }
  return s;
}

double active_loop_variable(double x) {
  double s = 0;
  for (double t = x; t < 3; t += 0.4 * x) {
    s += t * t;
  }
  return s;
}

DDX_CHECK_GRADIENT(power_by_loop, at(1.5, 4), at(-0.5, 0), at(0.75, 1))
DDX_CHECK_GRADIENT(index_in_body, at(1.5, 4), at(-0.5, 0), at(0.75, 9))
DDX_CHECK_GRADIENT(descending, at(1.5, 4), at(-0.5, 0), at(0.75, 9))
DDX_CHECK_GRADIENT(strided, at(1.5, 4), at(-0.5, 0), at(0.75, 9))
DDX_CHECK_GRADIENT(triangular, at(1.1, 4), at(-0.5, 0), at(0.75, 5))
DDX_CHECK_GRADIENT(triangular_downwards, at(1.1, 4), at(-0.5, 1), at(0.75, 5))
DDX_CHECK_GRADIENT(while_loop, at(3.0), at(1.7), at(2.5))
DDX_CHECK_GRADIENT(do_loop, at(1.3), at(0.7), at(4.0))
DDX_CHECK_GRADIENT(do_loop_runs_once, at(1.3, 0), at(0.7, 7), at(2.0, 6))
DDX_CHECK_GRADIENT(newton_square_root, at(1.3), at(0.7), at(4.0))
DDX_CHECK_GRADIENT(several_counters, at(1.3, 0), at(0.7, 7), at(2.0, 12))
DDX_CHECK_GRADIENT(loop_carried_pair, at(1.3, 0), at(0.7, 3), at(2.0, 4))
DDX_CHECK_GRADIENT(unsigned_index, at(1.3, std::size_t{0}), at(0.7, std::size_t{3}),
                   at(2.0, std::size_t{4}))
DDX_CHECK_GRADIENT(active_loop_variable, at(0.9), at(0.7), at(1.3))

}  // namespace
