// What derivatives through memory do beyond single programs: second order, and errors at run time.

#include "ddx/ad.h"
#include "ddx/core/error.h"

#include <any>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <list>
#include <memory>
#include <string>
#include <vector>

namespace through_memory_test {

using Numbers = std::vector<double>;

/// Compares `hvp` with differences of the gradient, for each direction of a coordinate.
template <class F>
void expect_second_derivatives(const F& f, const Numbers& x) {
  constexpr double step = 1e-5;
  for (std::size_t j = 0; j < x.size(); ++j) {
    Numbers unit(x.size());
    Numbers up = x;
    Numbers down = x;
    unit[j] = 1;
    up[j] += step;
    down[j] -= step;
    const Numbers product = ddx::hvp(f, x, unit);
    const Numbers above = ddx::gradient(f, up);
    const Numbers below = ddx::gradient(f, down);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double want = (above[i] - below[i]) / (2 * step);
      EXPECT_NEAR(product[i], want, 1e-7 * (1 + std::fabs(want))) << i << ", " << j;
    }
  }
}

double of_a_list(const Numbers& x) {
  std::list<double> numbers(x.begin(), x.end());
  double sum = 0;
  for (const double number : numbers) {
    sum += std::sin(number) * sum + number * number * x[0];
  }
  return sum;
}

TEST(DDX_SUITE, SecondDerivativesOfAListAreRight) {
  expect_second_derivatives([](const Numbers& x) { return of_a_list(x); }, {0.3, 0.8, -0.5});
}

/// Numbers that are copied as bytes before they are used.
double of_copied_bytes(const Numbers& x) {
  const double products[3] = {x[0] * x[1], x[1] * x[2], x[0] * x[0]};
  auto* copy = static_cast<double*>(std::malloc(2 * sizeof products));
  std::memcpy(copy, products, sizeof products);
  std::memmove(copy + 1, copy, sizeof products);
  const double result = copy[1] * copy[2] + copy[3] * copy[0];
  std::free(copy);
  return result;
}

TEST(DDX_SUITE, SecondDerivativesOfCopiedBytesAreRight) {
  expect_second_derivatives([](const Numbers& x) { return of_copied_bytes(x); }, {0.3, 0.8, -0.5});
}

/// A long double has six bytes of padding, which are copied for themselves or not at all.
struct Weighted {
  double weight;
  long double value;
};

/// 4 x³: copies of structs, elements and lists.
double of_long_doubles_in_structs(const Numbers& x) {
  std::vector<Weighted> first;
  for (int i = 0; i < 3; ++i) {
    first.push_back({x[0] * i, x[0] * x[0]});
  }
  std::vector<Weighted> second = first;
  second[1] = second[2];
  const std::list<Weighted> last(second.begin(), second.end());
  long double sum = 0;
  for (const Weighted& part : last) {
    sum += part.weight * part.value;
  }
  return static_cast<double>(sum);
}

TEST(DDX_SUITE, LongDoublesInStructsAreCopied) {
  const auto f = [](const Numbers& x) { return of_long_doubles_in_structs(x); };
  EXPECT_DOUBLE_EQ(f({0.5}), 0.5);
  EXPECT_DOUBLE_EQ(ddx::jvp(f, ddx::along(Numbers{1}), Numbers{0.5}).tangent, 3);
  EXPECT_DOUBLE_EQ(ddx::gradient(f, Numbers{0.5})[0], 3);
  EXPECT_DOUBLE_EQ(ddx::hvp(f, Numbers{0.5}, Numbers{1})[0], 12);
}

/// Fills a part of the stack with numbers.
double of_numbers_on_the_stack(double x) {
  double numbers[64];
  for (int k = 0; k < 64; ++k) {
    numbers[k] = x * (k + 1);
  }
  return numbers[2] + numbers[5];
}

/// Counts where the numbers were, copied byte by byte.
double of_counts_on_the_stack(double x) {
  int counts[64];
  int copy[64];
  for (int k = 0; k < 64; ++k) {
    counts[k] = k;
  }
  const char* from = reinterpret_cast<const char*>(counts);
  char* to = reinterpret_cast<char*>(copy);
  for (std::size_t i = 0; i < sizeof copy; ++i) {
    to[i] = from[i];
  }
  return x * copy[3];
}

double of_a_used_stack(const Numbers& x) {
  double (*volatile first)(double) = of_numbers_on_the_stack;  // Not compiled into this function.
  double (*volatile second)(double) = of_counts_on_the_stack;
  const double sum = first(x[0]);
  return second(sum * sum);
}

TEST(DDX_SUITE, VariablesHaveNoTangentsOfOthersInTheirPlace) {
  const auto f = [](const Numbers& x) { return of_a_used_stack(x); };
  // 3 (9 x)^2.
  EXPECT_DOUBLE_EQ(ddx::jvp(f, ddx::along(Numbers{1}), Numbers{0.5}).tangent, 243);
  EXPECT_DOUBLE_EQ(ddx::gradient(f, Numbers{0.5})[0], 243);
  EXPECT_DOUBLE_EQ(ddx::hvp(f, Numbers{0.5}, Numbers{1})[0], 486);
}

struct Spring {
  virtual ~Spring() = default;
  virtual double energy(double length) const = 0;
};

struct Stiff final : Spring {
  explicit Stiff(double given) : k(given) {}
  double energy(double length) const override { return k * length * length; }
  double k;
};

struct Slack final : Spring {
  explicit Slack(double given) : k(given) {}
  double energy(double length) const override { return k * k * std::exp(length); }
  double k;
};

double energy_of_springs(const Numbers& x) {
  std::list<std::unique_ptr<Spring>> springs;
  springs.push_back(std::make_unique<Stiff>(x[0] * x[1]));
  springs.push_front(std::make_unique<Slack>(x[1]));
  double sum = 0;
  for (const auto& spring : springs) {
    sum += spring->energy(x[0] - sum);
  }
  return sum;
}

double held_value(const Numbers& x) {
  std::any held = x[0] * x[1];
  const std::any copy = held;
  held = std::string("none");
  return std::any_cast<double>(copy) * std::sin(x[1]);
}

TEST(DDX_SUITE, SecondDerivativesOfCallsThroughPointersAreRight) {
  const auto springs = [](const Numbers& x) { return energy_of_springs(x); };
  expect_second_derivatives(springs, {0.7, 1.2});
  expect_second_derivatives([](const Numbers& x) { return held_value(x); }, {0.7, 1.2});
}

TEST(DDX_SUITE, SecondDerivativesOfFunctionsGivenByNameAreRight) {
  expect_second_derivatives(energy_of_springs, {0.4, 0.9});
  expect_second_derivatives(held_value, {0.4, 0.9});
}

/// The derivative of `of_a_list` along directions that change, three times: each differential uses
/// the memory of the one before.
double of_differentials(const Numbers& x) {
  double sum = 0;
  Numbers direction{1, 0.5, -1};
  for (std::size_t k = 0; k < x.size(); ++k) {
    direction[k] += 1;
    Numbers at = x;
    at[k] *= 2;
    const auto [value, slope] =
        ddx::jvp([](const Numbers& y) { return of_a_list(y); }, ddx::along(direction), at);
    sum += slope * value;
  }
  return sum;
}

TEST(DDX_SUITE, GradientsOfSeveralDifferentialsAreRight) {
  constexpr double step = 1e-5;
  const Numbers x{0.3, 0.8, -0.5};
  const Numbers gradient = ddx::gradient([](const Numbers& y) { return of_differentials(y); }, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    Numbers up = x;
    Numbers down = x;
    up[i] += step;
    down[i] -= step;
    const double want = (of_differentials(up) - of_differentials(down)) / (2 * step);
    EXPECT_NEAR(gradient[i], want, 1e-7 * (1 + std::fabs(want)));
  }
}

/// The library's power returns early for positive reals, and its interpolation at the end.
double of_exact_values(double x, double y) {
  const std::complex<double> z(x, y);
  return std::imag(std::pow(z, 2.5)) + std::lerp(x, x * x, 1 + y);
}

TEST(DDX_SUITE, LibraryFunctionsAreDifferentiatedWhereTheyTestAnExactValue) {
  const auto [by_x, by_y] = ddx::gradient(of_exact_values, 1.3, 0.0);
  EXPECT_NEAR(by_x, 2 * 1.3, 1e-14);
  EXPECT_NEAR(by_y, 2.5 * std::pow(1.3, 1.5) + 1.3 * 1.3 - 1.3, 1e-14);
}

/// Copies a number byte by byte, which no rule follows.
double of_single_bytes(double x) {
  auto copy = std::make_unique<double[]>(1);
  const auto* from = reinterpret_cast<const volatile unsigned char*>(&x);
  auto* to = reinterpret_cast<volatile unsigned char*>(copy.get());
  for (std::size_t i = 0; i < sizeof x; ++i) {
    to[i] = from[i];
  }
  return copy[0] * copy[0];
}

TEST(DDX_SUITE, ANumberCopiedByteByByteIsAnError) {
  EXPECT_EQ(of_single_bytes(3), 9);
  try {
    (void)ddx::gradient(of_single_bytes, 3.0);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const ddx::UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("bits"), std::string::npos) << error.what();
  }
}

TEST(DDX_SUITE, ANumberCopiedByteByByteIsAnErrorInForwardMode) {
  EXPECT_THROW((void)ddx::jvp(of_single_bytes, ddx::along(1.0), 3.0), ddx::UsageError);
  EXPECT_NO_THROW((void)ddx::jvp(of_single_bytes, ddx::along(0.0), 3.0));
}

double cube_by_steps(double x) {
  double* const power = new double(x);
  for (int i = 0; i < 2; ++i) {
    *power *= x;
  }
  const double result = *power;
  delete power;
  return result;
}

TEST(DDX_SUITE, FunctionsBehindPointersHaveSecondDerivatives) {
  double (*const chosen)(double) = cube_by_steps;
  EXPECT_DOUBLE_EQ(ddx::hvp(chosen, 2.0, 1.0), 12);
  EXPECT_DOUBLE_EQ(ddx::hessian(cube_by_steps, 3.0)(0, 0), 18);
}

struct Law {
  virtual ~Law() = default;
  virtual double at(double x) const = 0;
};
struct Square final : Law {
  double at(double x) const override { return x * x; }
};
struct Assembled final : Law {
  double at(double x) const override {
    asm("mulsd %1, %0" : "+x"(x) : "x"(2.0));
    return x;
  }
};

double chosen(double x, bool assembled) {
  const std::unique_ptr<Law> law =
      assembled ? std::unique_ptr<Law>(std::make_unique<Assembled>()) : std::make_unique<Square>();
  return law->at(x);
}

TEST(DDX_SUITE, AFunctionBehindAPointerIsAnErrorWhereItIsCalled) {
  EXPECT_EQ(ddx::gradient([](double x) { return chosen(x, false); }, 3.0), 6);
  try {
    (void)ddx::gradient([](double x) { return chosen(x, true); }, 3.0);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const ddx::UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("assembly"), std::string::npos) << error.what();
  }
}

}  // namespace through_memory_test
