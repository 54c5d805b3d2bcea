// Try blocks: what ran until the throw is undone, and the handler after it.

#include "gradient_check.h"

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

double root_of(double x) {
  if (x < 0) {
    throw std::domain_error("negative: " + std::to_string(x));
  }
  return std::sqrt(x);
}

/// The handler assigns what the block did not come to assign.
double assigned_by_handler(double x, double y) {
  double r = x;
  try {
    r = r * y;
    r = r + root_of(y);
    r = r * r;
  } catch (const std::domain_error&) {
    r = r * x + y;
  }
  return r * y;
}

/// Each throwing place leaves another part undone.
double several_places(double a, double b, double c) {
  double s = 1 + a;
  try {
    s = s * root_of(a);
    s += a * b;
    const double second = root_of(b);
    s = s * second + b;
    double local = s * c;
    local = local * local;
    s = s * 0.5 + root_of(c) * local;
  } catch (...) {
    s = s * s + c;
  }
  return s;
}

double in_loop(const std::vector<double>& v, double w) {
  double s = w;
  int failures = 0;
  for (const double x : v) {
    try {
      s = 0.8 * s * x;
      s = s + root_of(x);
    } catch (const std::domain_error& error) {
      ++failures;
      if (std::string(error.what()).empty()) {
        break;
      }
      s = s * w;
      continue;
    }
    s = s * s;
  }
  return s + failures * w;
}

/// The loop is inside: iterations before the throw count whole, the last in part.
double loop_inside(const std::vector<double>& v, double w) {
  double s = w;
  double last = 0;
  try {
    for (std::size_t i = 0; i < v.size(); ++i) {
      s = s * v[i] + w;
      last = root_of(v[i]) * s;
      s += last;
    }
    s = s * 2;
  } catch (const std::exception&) {
    s = s * last - w;
  }
  return s * s;
}

double returned(double x, double y) {
  try {
    if (x > 1) {
      return root_of(y) * x;
    }
    const double z = root_of(x) * y;
    return z * z;
  } catch (const std::domain_error&) {
    return x * y * y;
  }
}

double rethrown(double x, double y) {
  double s = x;
  try {
    s = s * y;
    try {
      s = s * s;
      s += root_of(x);
      s *= root_of(y);
    } catch (const std::domain_error&) {
      s = s * x + 1;
      if (y < -1) {
        throw;
      }
      s = s * y;
    } catch (const std::logic_error&) {
      s = 0;
    }
    s = s + x * x;
  } catch (const std::exception&) {
    s = s * s * y;
  }
  return s;
}

/// Thrown here, caught here; and a throw that passes a function lowered in place.
struct Guard {
  double& sum;
  double limit;
  double& checked() {
    sum = sum * limit;
    if (sum > limit) {
      throw std::range_error("above the limit");
    }
    return sum;
  }
};

double thrown_in_place(double x, double limit) {
  double s = x * x;
  Guard guard{s, limit};
  for (int i = 0; i < 4; ++i) {
    try {
      guard.checked() += x;
      s = s + 1;
    } catch (const std::range_error&) {
      s = s / (1 + x * x);
    }
  }
  return s;
}

double at_end(const std::vector<double>& v, int n) {
  double s = 1;
  try {
    for (int i = 0;; i += n) {
      s = s * v.at(static_cast<std::size_t>(i)) + 0.5;
    }
  } catch (const std::out_of_range&) {
    s = s * s;
  }
  return s;
}

/// Only what the caller catches leaves its part undone.
double middle(double x) {
  double kept = x;
  try {
    kept = kept * x;
    kept = root_of(kept - 1);
  } catch (const std::invalid_argument&) {
    kept = 7;
  }
  return kept * x;
}

double through_two(double x, double y) {
  double s = y;
  try {
    s = s * x;
    s = s * middle(x);
  } catch (const std::domain_error&) {
    s = s * s;
  }
  return s + x;
}

double vectors(double x, double y) {
  std::vector<double> v{x, y};
  try {
    v.push_back(x * y);
    v[0] = v[2] * v[1];
    v.push_back(root_of(y));
    v[1] = v[3] * v[0];
  } catch (const std::domain_error&) {
    v.pop_back();
    v[1] = v[1] * x;
  }
  double s = 0.5;
  for (const double value : v) {
    s = s * value + value;
  }
  return s;
}

DDX_CHECK_GRADIENT(assigned_by_handler, at(0.7, 1.2), at(-0.4, -0.3), at(1.5, 2.0))
DDX_CHECK_GRADIENT(several_places, at(0.7, 1.2, 0.4), at(-0.4, 0.3, 0.5), at(1.5, -2.0, 0.3),
                   at(0.6, 0.8, -0.7))
DDX_CHECK_GRADIENT(in_loop, at(std::vector{0.5, -0.2, 1.1}, 0.8), at(std::vector<double>{}, 0.6),
                   at(std::vector{-0.5, 0.2, -1.1, 0.7}, -0.4))
DDX_CHECK_GRADIENT(loop_inside, at(std::vector{0.5, 0.2, 1.1}, 0.8), at(std::vector<double>{}, 0.6),
                   at(std::vector{0.5, 0.2, -1.1, 0.7}, -0.4), at(std::vector{-0.5}, 0.3))
DDX_CHECK_GRADIENT(returned, at(0.7, 1.2), at(-0.4, -0.3), at(1.5, 2.0), at(1.5, -2.0))
DDX_CHECK_GRADIENT(rethrown, at(0.7, 1.2), at(-0.4, -0.3), at(1.5, -2.0), at(-0.6, -1.5))
DDX_CHECK_GRADIENT(thrown_in_place, at(0.7, 1.2), at(-0.4, 0.3), at(1.5, 0.9))
DDX_CHECK_GRADIENT(at_end, at(std::vector{0.5, 0.2, 1.1}, 1), at(std::vector{0.5, 0.2, 1.1}, 2),
                   at(std::vector<double>{}, 1))
DDX_CHECK_GRADIENT(through_two, at(1.7, 1.2), at(0.4, -0.3), at(-1.5, 2.0))
DDX_CHECK_GRADIENT(vectors, at(0.7, 1.2), at(-0.4, -0.3), at(1.5, 0.9))

TEST(Exceptions, WhatNobodyCatchesLeavesTheGradient) {
  const auto f = [](double x) {
    try {
      x = x * root_of(x);
    } catch (const std::invalid_argument&) {
      x = 1;
    }
    return x;
  };
  EXPECT_NEAR(ddx::gradient(f, 4.0), 3.0, 1e-12);
  EXPECT_THROW(static_cast<void>(ddx::gradient(f, -4.0)), std::domain_error);
}

}  // namespace
