#include "gradient_check.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

int bucket(double x) {
  return static_cast<int>(x * 10) % 3;
}

double integer_data_flow(double x) {
  const int k = bucket(x);
  std::uint32_t hash = static_cast<std::uint32_t>(k) * 2654435761U;
  hash ^= hash >> 16;
  return x * x * static_cast<double>(hash % 7U) + k;
}

struct Grid {
  std::array<int, 2> cells;
  int count() const { return cells[0] * cells[1]; }
};

Grid grid_over(double x, double y) {
  return {{static_cast<int>(x * 4) + 9, static_cast<int>(y) + 3}};
}

// An object made of integers keeps nothing of what they were computed from.
double object_of_integers(double x, double y) {
  const Grid grid = grid_over(x, y);
  const Grid copy{grid};
  return x * y * static_cast<double>(copy.count()) + x / static_cast<double>(copy.cells[0]);
}

double cast_to_integer(double x, double y) {
  const int whole = static_cast<int>(x);
  const long rounded = std::lround(y);
  return (x - whole) * (x - whole) + static_cast<double>(rounded) * y;
}

double random_numbers(double x, int n) {
  std::uint64_t state = 12345;
  double s = 0;
  for (int i = 0; i < n; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const double u = static_cast<double>(state >> 40) / 16777216.0;
    s += std::sqrt(u) * std::exp(-x * u);
  }
  return s;
}

double text_and_lengths(double x, const std::string& name) {
  const std::string greeting = "hello, " + name;
  return x * static_cast<double>(greeting.size()) + (greeting == "hello, x" ? x * x : 0);
}

double unused_branch_is_not_a_number(double x) {
  const double r = std::sqrt(x);
  const double l = std::log(-x);
  return x > 0 ? r * x : l;
}

double unused_value_is_not_a_number(double x) {
  const double poisoned = std::acos(x + 3) + std::log(x - 100);
  double r = x * x;
  if (x > 50) {
    r += poisoned;
  }
  return r;
}

double constant_singularities(double x) {
  const double zero = 0;
  return x * std::sqrt(zero) + std::pow(zero, 2) * x + std::fabs(zero) + std::hypot(zero, zero) + x;
}

double power_of_zero_base(double x, double y) {
  const double flat = std::pow(0.0, 2.0);
  return std::pow(x, 2.0) + flat * y + std::pow(std::fabs(y), 3);
}

double masked(const std::vector<double>& x, const std::vector<bool>& keep) {
  double s = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (keep[i]) {
      s += std::sqrt(x[i]) * x[i];
    }
  }
  return s;
}

double global_constant = 2.5;
const double table[3] = {1, -2, 0.5};

double reads_globals(double x, int n) {
  static const double factor = std::sqrt(2.0);
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += table[i % 3] * std::pow(x, i) * global_constant;
  }
  return s * factor;
}

int calls = 0;

double counts_calls(double x) {
  ++calls;
  return x * x;
}

double with_counter(double x) {
  return counts_calls(x) * counts_calls(2 * x);
}

double guarded_by_throw(double x) {
  if (x > 100) {
    throw std::domain_error("x is too large");
  }
  return x * x;
}

double guard_in_callee(double x, double y) {
  return guarded_by_throw(x) * guarded_by_throw(y);
}

std::string spelled(double x) {
  return std::to_string(x > 1 ? 12345 : 1);
}

// The length of a text that was made of numbers is an integer.
double lengths_of_texts(double x, double y) {
  const std::string text = spelled(x * y);
  const double factor = static_cast<double>(text.size()) + (text.empty() ? 1 : 2);
  return factor * x * y + (spelled(y) == "1" ? x : y);
}

DDX_CHECK_GRADIENT(lengths_of_texts, at(0.55, 0.4), at(-1.23, 1.7), at(2.08, 1.5))
DDX_CHECK_GRADIENT(integer_data_flow, at(0.55), at(1.23), at(2.08))
DDX_CHECK_GRADIENT(object_of_integers, at(0.55, 1.8), at(-1.23, 0.2), at(2.08, -1.3))
DDX_CHECK_GRADIENT(cast_to_integer, at(0.55, 1.8), at(-1.23, 0.2), at(2.08, -3.3))
DDX_CHECK_GRADIENT(random_numbers, at(0.55, 5), at(-1.23, 0), at(2.08, 20))
DDX_CHECK_GRADIENT(text_and_lengths, at(0.55, std::string("x")), at(-1.23, std::string("a name")),
                   at(2.08, std::string()))
DDX_CHECK_GRADIENT(unused_branch_is_not_a_number, at(0.55), at(-1.23), at(2.08))
DDX_CHECK_GRADIENT(unused_value_is_not_a_number, at(0.55), at(-1.23), at(2.08))
DDX_CHECK_GRADIENT(constant_singularities, at(0.55), at(-1.23), at(2.08))
DDX_CHECK_GRADIENT(power_of_zero_base, at(0.55, 0.4), at(0.0, 0.7), at(2.08, -1.5))
DDX_CHECK_GRADIENT(masked, at(std::vector{0.5, -1.0, 2.0}, std::vector<bool>{true, false, true}),
                   at(std::vector{-0.5}, std::vector<bool>{false}),
                   at(std::vector{0.3, 0.2}, std::vector<bool>{true, true}))
DDX_CHECK_GRADIENT(reads_globals, at(0.55, 3), at(-1.23, 0), at(2.08, 5))
DDX_CHECK_GRADIENT(with_counter, at(0.55), at(-1.23), at(2.08))
DDX_CHECK_GRADIENT(guard_in_callee, at(0.55, 0.4), at(-1.23, 0.7), at(2.08, -1.5))

#ifdef __DDX__
double partly_constant(double x, double y) {
  return ddx::without_derivative(x * y) * x;
}

TEST(DDX_SUITE, without_derivative_is_a_constant) {
  const auto [dx, dy] = ddx::gradient(partly_constant, 3.0, 5.0);
  EXPECT_DOUBLE_EQ(dx, 15);
  EXPECT_DOUBLE_EQ(dy, 0);
}

double with_static_constant(double x) {
  static const double factor = std::exp(1.5);
  return factor * x * x;
}

// The derivative runs before the function, which has not made its constant yet.
TEST(DDX_SUITE, a_static_constant_is_made) {
  EXPECT_DOUBLE_EQ(ddx::gradient(with_static_constant, 2.0), 4 * std::exp(1.5));
}

TEST(DDX_SUITE, side_effects_happen_once) {
  calls = 0;
  (void)ddx::gradient(with_counter, 1.5);
  EXPECT_EQ(calls, 2);
}

TEST(DDX_SUITE, a_throw_passes_through) {
  EXPECT_THROW((void)ddx::gradient(guard_in_callee, 1.0, 200.0), std::domain_error);
  EXPECT_DOUBLE_EQ(std::get<0>(ddx::gradient(guard_in_callee, 1.0, 2.0)), 8);
}
#endif

}  // namespace
