#include "gradient_check.h"

#include <array>
#include <cmath>
#include <vector>

namespace {

double return_from_loop(double x, int n) {
  double s = 1;
  for (int i = 1; i <= n; ++i) {
    s *= x + i;
    if (s > 20) {
      return s * i;
    }
    s += i * x;
  }
  return s - x;
}

double return_between_uses_of_index(double x) {
  double s = x;
  for (int i = 0; i < 10; ++i) {
    s = s * x + i;
    if (s > 5) {
      return s / (i + 1);
    }
  }
  return s;
}

double return_from_inner_loop(double x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      s += x * (i + 1) + s * 0.1 * j;
      if (s > 8) {
        return s * x;
      }
    }
    s *= x;
  }
  return s;
}

double break_out(double x, int n) {
  double s = 1;
  int i = 0;
  for (; i < n; ++i) {
    if (s > 10) {
      break;
    }
    s = s * x + 0.5;
  }
  return s * i;
}

double continue_past(double x, int n) {
  double s = x;
  for (int i = 0; i < n; ++i) {
    if (i % 3 == 1) {
      continue;
    }
    s = s * x + i;
    if (s > 30) {
      s *= 0.5;
      continue;
    }
    s += std::sin(s);
  }
  return s;
}

double break_and_continue(double x) {
  double y = x;
  int k = 0;
  while (true) {
    ++k;
    y = y * 1.3 + x;
    if (k % 2 == 0) {
      continue;
    }
    y *= x;
    if (y > 50 || k > 20) {
      break;
    }
  }
  return y;
}

double continue_in_do_loop(double x, int n) {
  double y = 1;
  int i = 0;
  do {
    ++i;
    if (i == 2) {
      continue;
    }
    y = y * x + i;
  } while (i < n);
  return y;
}

double break_from_inner_only(double x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i) {
    double t = x;
    for (int j = 0; j < n; ++j) {
      t = t * x + 0.1;
      if (t > 2 + i) {
        break;
      }
      if (j == i) {
        continue;
      }
      t += 0.2 * s;
    }
    s += t * s * 0.1;
  }
  return s;
}

double several_returns(double x, int n) {
  double s = x;
  for (int i = 0; i < n; ++i) {
    if (s > 100) {
      return std::log(s);
    }
    if (s < -100) {
      return -std::log(-s) * i;
    }
    s = s * s - x * i;
  }
  if (s > 0) {
    return s;
  }
  return s * x;
}

double search_in_vector(const std::vector<double>& a, double threshold) {
  double sum = 0;
  for (const double v : a) {
    sum += v * v;
    if (sum > threshold) {
      return v * sum;
    }
  }
  return sum;
}

double first_of_iteration(const std::array<double, 3>& a) {
  for (const double v : a) {
    return v * v;
  }
  return 0;
}

double endless_until_return(double x) {
  double y = x;
  for (;;) {
    y = std::sqrt(y) + 1;
    if (y < 3) {
      return y * x;
    }
  }
}

/// The increment changes an active variable, which is read after the loop: it runs after `continue`
/// and not after `break`.
double increment_of_an_active_variable(double x, double y, int last) {
  double sum = 0;
  double factor = x;
  int i = 0;
  for (;; ++i, factor *= y) {
    if (i % 2 == 1) {
      continue;
    }
    sum += factor * factor;
    if (i >= last) {
      break;
    }
  }
  return sum * factor;
}

double increment_before_a_return(double x, double y, int last) {
  double factor = x;
  double product = 1;
  for (int i = 0;; ++i, factor = factor * y + product) {
    product *= factor;
    if (i == last) {
      return product * factor * y;
    }
  }
}

DDX_CHECK_GRADIENT(return_from_loop, at(1.5, 9), at(-0.5, 0), at(0.75, 2))
DDX_CHECK_GRADIENT(return_between_uses_of_index, at(2.5), at(0.1), at(1.1))
DDX_CHECK_GRADIENT(return_from_inner_loop, at(2.5, 4), at(0.1, 3), at(1.1, 3))
DDX_CHECK_GRADIENT(break_out, at(2.5, 9), at(0.1, 3), at(1.1, 0))
DDX_CHECK_GRADIENT(continue_past, at(1.1, 5), at(0.1, 3), at(1.1, 0))
DDX_CHECK_GRADIENT(break_and_continue, at(1.4), at(0.3), at(2.2))
DDX_CHECK_GRADIENT(continue_in_do_loop, at(1.4, 1), at(0.3, 4), at(2.2, 2))
DDX_CHECK_GRADIENT(break_from_inner_only, at(1.4, 4), at(0.3, 3), at(0.9, 5))
DDX_CHECK_GRADIENT(several_returns, at(2.4, 9), at(0.3, 3), at(-1.1, 2), at(1.2, 1))
DDX_CHECK_GRADIENT(search_in_vector, at(std::vector{1.0, 2.0, 3.0}, 4.0),
                   at(std::vector{1.0, 0.5, -1.5}, 40.0), at(std::vector<double>{}, 1.0))
DDX_CHECK_GRADIENT(first_of_iteration, at(std::array{1.0, 2.0, 3.0}),
                   at(std::array{-1.0, 0.5, -1.5}), at(std::array{0.3, 0.0, 1.0}))
DDX_CHECK_GRADIENT(increment_of_an_active_variable, at(1.5, 0.5, 3), at(-0.5, 1.3, 0),
                   at(0.75, -1.1, 2))
DDX_CHECK_GRADIENT(increment_before_a_return, at(1.5, 0.5, 3), at(-0.5, 1.3, 0), at(0.75, -1.1, 1))
DDX_CHECK_GRADIENT(endless_until_return, at(40.0), at(2.0), at(7.0))

/// A branch that is left at its end, and before it.
double branch_with_two_exits(double x, double y) {
  double s = x * y;
  for (int i = 0; i < 3; ++i) {
    if (s > 1) {
      s *= y;
      if (s > 4) {
        return s * x;
      }
      return s + y * y;
    }
    s += x * x;
  }
  return s * s;
}

/// The same with the other ways out; what follows in the iteration is computed only where none was
/// taken.
double branch_with_other_exits(double x, int n) {
  double s = x;
  for (int i = 0; i < n; ++i) {
    if (s > 3) {
      s = s * 0.75 + x * x;
      if (i % 2 == 1) {
        s -= x;
        continue;
      }
      if (i > 3) {
        break;
      }
      s *= x;
      continue;
    }
    if (s > 2) {
      s *= x * 1.5;
      continue;
    }
    s = s * x + 1;
    if (s > 9) {
      s = s / x;
      break;
    }
  }
  return s * x;
}

}  // namespace
DDX_CHECK_GRADIENT(branch_with_two_exits, at(1.2, 0.9), at(1.5, 1.2), at(2.0, 1.8), at(0.1, 0.2))
DDX_CHECK_GRADIENT(branch_with_other_exits, at(1.3, 8), at(1.7, 3), at(2.4, 7), at(0.5, 4),
                   at(1.1, 0))
