// std::optional: engaged or not at run time, assigned, reset, passed to functions, in other
// objects.

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

// An object assigned to itself keeps what it holds, and its cotangent.
#pragma clang diagnostic ignored "-Wself-assign-overloaded"

namespace {

double always_engaged(double x, double y) {
  std::optional<double> o = x * y;
  *o = *o * *o + y;
  *o += 0.5 * *o * x;
  return *o * x;
}
DDX_CHECK_GRADIENT(always_engaged, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, -0.8))

double engaged_by_condition(double x, double y) {
  std::optional<double> o;
  if (x > 0.5) {
    o = x * x;
  }
  double sum = o ? *o * y : y * y;
  if (o.has_value()) {
    sum *= o.value() + 1;
  }
  return sum + o.value_or(x * y) * sum;
}
DDX_CHECK_GRADIENT(engaged_by_condition, at(0.7, 1.2), at(0.3, 0.4), at(1.1, -0.8))

double assigned_in_a_loop(double x, int n) {
  std::optional<double> last;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double before = last.value_or(x * i);
    sum = 0.7 * sum + before * before;
    if (i % 3 == 2) {
      last.reset();
    } else if (i % 3 == 1) {
      last = std::nullopt;
      last = before + sum;
    } else {
      last = std::sin(before + x);
    }
  }
  return last ? sum * *last : sum;
}
DDX_CHECK_GRADIENT(assigned_in_a_loop, at(0.7, 0), at(0.3, 1), at(0.4, 7), at(0.5, 9))

std::optional<double> root(double x) {
  if (x < 0) {
    return {};
  }
  if (x > 5) {
    return std::nullopt;
  }
  return std::sqrt(x);
}

double result_of_a_call(double x, double y) {
  const auto first = root(x * y);
  const std::optional<double> second = root(x - y);
  double sum = x;
  if (first) {
    sum *= *first;
  }
  if (second != std::nullopt) {
    sum += *second * *second * *second;
  }
  return sum * root(y * y + 1).value();
}
DDX_CHECK_GRADIENT(result_of_a_call, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, 0.8), at(4.0, 1.5))

void refine(std::optional<double>& o, double x) {
  if (o) {
    *o = *o * x + std::exp(*o);
  } else {
    o.emplace(x * x);
  }
  if (o == std::nullopt) {
    o = 0;
  }
}

double changed_by_a_callee(double x, double y) {
  std::optional<double> a;
  std::optional<double> b(y);
  refine(a, x);
  refine(a, y);
  refine(b, x * y);
  b.swap(a);
  std::swap(a, b);
  return *a * *b * *b;
}
DDX_CHECK_GRADIENT(changed_by_a_callee, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, -0.8))

double read_by_a_callee(const std::optional<double>& o, std::optional<double> copy) {
  copy = o ? *o * *copy : *copy;
  return o.value_or(*copy) * *copy;
}

double copied(double x, double y) {
  std::optional<double> a = x;
  std::optional<double> none;
  std::optional<double> b = a;
  *b *= y;
  a = b;
  a = *a * *a;
  b = none;
  double sum = read_by_a_callee(b, a) + read_by_a_callee(a, a);
  b = a;
  a = none;
  b = b;
  sum += b ? *b * y : 0;
  return sum + (a ? 1 : 2) * x;
}
DDX_CHECK_GRADIENT(copied, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, -0.8))

struct Particle {
  double x;
  double v;
  int hits = 0;
};

double of_a_struct(double x, double v, int steps) {
  std::optional<Particle> p;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    if (!p) {
      p = Particle{x * (i + 1), v};
    }
    p->x += 0.1 * p->v;
    p->v -= 0.3 * p->x * p->x;
    ++p->hits;
    sum = 0.8 * sum + p->x * p->v;
    if (p->hits == 2) {
      p.reset();
    }
  }
  return p.has_value() ? sum * p->x * p->hits : sum;
}
DDX_CHECK_GRADIENT(of_a_struct, at(0.7, 1.2, 0), at(0.3, 0.4, 3), at(1.1, -0.8, 6))

struct Cached {
  double scale;
  std::optional<double> value;
  double get(double x) {
    if (!value) {
      value = scale * x * x;
    }
    return *value;
  }
};

double as_a_member(double x, double y) {
  Cached c{y, {}};
  double sum = c.get(x);
  sum += c.get(2 * x) * y;  // Still the first.
  c.value.reset();
  return sum * c.get(x + y);
}
DDX_CHECK_GRADIENT(as_a_member, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, -0.8))

double in_a_vector(const std::vector<double>& x) {
  std::vector<std::optional<double>> o(x.size());
  for (std::size_t i = 0; i < x.size(); i += 2) {
    o[i] = x[i] * x[i];
  }
  o.push_back(std::nullopt);
  o.push_back(x.empty() ? 1.5 : x.back());
  double sum = 1;
  for (const auto& part : o) {
    sum = sum * 0.9 + (part ? std::sin(*part) * sum : 0.3 * sum);
  }
  return sum;
}
DDX_CHECK_GRADIENT(in_a_vector, at(std::vector{0.5, 0.2, 0.7}), at(std::vector<double>{}),
                   at(std::vector{0.4, -0.3}))

double of_a_vector(const std::vector<double>& x, int n) {
  std::optional<std::vector<double>> o;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    if (!o || o->size() > 3) {
      o = x;
    }
    o->push_back(sum + 0.3 * i);
    for (double& e : *o) {
      e = std::sin(e) * (1 + 0.1 * i);
      sum = 0.9 * sum + e * e;
    }
    if (i == 2) {
      o.reset();
    }
  }
  return o ? sum * o->back() : sum;
}
DDX_CHECK_GRADIENT(of_a_vector, at(std::vector{0.5, 0.2}, 6), at(std::vector<double>{}, 4),
                   at(std::vector{0.4, -0.3, 0.8}, 3))

std::optional<std::array<double, 2>> solve(double a, double b, double c) {
  const double d = b * b - 4 * a * c;
  if (d < 0) {
    return std::nullopt;
  }
  return std::array<double, 2>{(-b - std::sqrt(d)) / (2 * a), (-b + std::sqrt(d)) / (2 * a)};
}

double of_an_array(double a, double b, double c) {
  const auto roots = solve(a, b, c);
  if (!roots) {
    return a * b * c;
  }
  const auto& [low, high] = *roots;
  return low * high * high + (*roots)[0];
}
DDX_CHECK_GRADIENT(of_an_array, at(1.0, 3.0, 0.7), at(0.9, 0.4, 0.8), at(1.1, -2.8, 0.3))

double made_in_place(double x, double y) {
  std::optional<std::pair<double, double>> p(std::in_place, x * y, y);
  auto q = std::make_optional(x * x);
  double& r = q.emplace(*q * p->first);
  r *= y;
  p.emplace(r, x);
  return *q * p->first + p->second;
}
DDX_CHECK_GRADIENT(made_in_place, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, -0.8))

double self_assigned(double x) {
  std::optional<double> o = x;
  o = *o * *o;
  o = *o;
  o = o;
  o = o.value_or(0) + x;
  return *o * *o;
}
DDX_CHECK_GRADIENT(self_assigned, at(0.7), at(-0.3), at(1.1))

#ifdef __DDX__
// The tangent of an argument or a result is a tuple of one.

double over(const std::optional<double>& o, double x) {
  return o ? *o * *o * x : x * x * x;
}

TEST(optional_values, an_argument_has_a_tangent_of_one) {
  const auto [held, by_x] = ddx::gradient(over, std::optional(3.0), 2.0);
  EXPECT_DOUBLE_EQ(std::get<0>(held), 12);
  EXPECT_DOUBLE_EQ(by_x, 9);
  const auto [none, alone] = ddx::gradient(over, std::optional<double>(), 2.0);
  EXPECT_DOUBLE_EQ(std::get<0>(none), 0);
  EXPECT_DOUBLE_EQ(alone, 12);
}

std::optional<double> if_positive(double x) {
  return x > 0 ? std::optional(x * x) : std::nullopt;
}

TEST(optional_values, a_cotangent_of_what_is_not_there_counts_for_nothing) {
  EXPECT_DOUBLE_EQ(ddx::pullback(if_positive, 3.0)(std::tuple(0.5)), 3);
  EXPECT_DOUBLE_EQ(ddx::pullback(if_positive, -3.0)(std::tuple(0.5)), 0);
}

TEST(optional_values, a_result_has_a_tangent_of_one) {
  EXPECT_DOUBLE_EQ(std::get<0>(ddx::jvp(if_positive, ddx::along(0.5), 3.0).tangent), 3);
  EXPECT_DOUBLE_EQ(std::get<0>(ddx::jvp(if_positive, ddx::along(0.5), -3.0).tangent), 0);
}
#endif

}  // namespace
