// Constructs that are differentiated through memory: functions as values, exceptions, built-in
// functions and effects.

#include "gradient_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <iomanip>
#include <iterator>
#include <numeric>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using Vector = std::vector<double>;

// 43, 57: members that are references and pointers, in temporaries of expression templates.
struct Sum {
  const Vector& a;
  const Vector* b;
  double operator[](std::size_t i) const { return a[i] + 2 * (*b)[i]; }
};
template <class E>
struct Scaled {
  const E& inner;
  const double& scale;
  double operator[](std::size_t i) const { return scale * inner[i]; }
};
double expression_templates(const Vector& v, double x) {
  const Vector squares = [&] {
    Vector w;
    std::transform(v.begin(), v.end(), std::back_inserter(w), [](double e) { return e * e; });
    return w;
  }();
  const Sum sum{v, &squares};
  const Scaled<Sum> scaled{sum, x};
  double result = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    result += scaled[i] * sum[i];
  }
  return result;
}

// 52: algorithms that move, permute and write through iterators.
double algorithms(Vector v, double x) {
  std::sort(v.begin(), v.end(), std::greater<>());
  std::next_permutation(v.begin(), v.end());
  std::rotate(v.begin(), v.begin() + 1, v.end());
  Vector w;
  std::copy_if(v.begin(), v.end(), std::back_inserter(w), [](double e) { return e > 0; });
  std::partial_sum(w.begin(), w.end(), w.begin());
  std::inclusive_scan(v.begin(), v.end(), v.begin(), [](double a, double b) { return a * b + a; });
  const auto [least, most] = std::minmax_element(v.begin(), v.end());
  const double in_between = std::lerp(*least, *most, x);
  return std::inner_product(v.begin(), v.end(), v.rbegin(), in_between) +
         std::midpoint(w.front(), x) * std::clamp(x, *least, *most);
}

// 53: output and text beside numbers.
double with_output(double x) {
  std::ostringstream out;
  out << std::setprecision(3) << "x = " << x << '\n';
  char line[64];
  const int length = std::snprintf(line, sizeof line, "%.2f|%s", x, out.str().c_str());
  return x * x * (length > 0 ? 2.0 : 0.0) + (out.str().size() > 3 ? x : 0.0);
}

// 60, 61: functions in every form that a value can have.
double square(double x) {
  return x * x;
}
double cube(double x) {
  return x * x * x;
}
struct Shape {
  double a, b;
  double area() const { return a * b; }
  double edge() const { return 2 * (a + b); }
  double both(double x) const { return a * x + b; }
};
double functions_as_values(double x, double y, int which) {
  double (*const table[2])(double) = {square, cube};
  double (*chosen)(double) = table[which];
  double (Shape::* const method)() const = which == 0 ? &Shape::area : &Shape::edge;
  double Shape::* const member = which == 0 ? &Shape::a : &Shape::b;
  const Shape shape{x, y};
  std::function<double(double)> stored = [x, chosen](double z) { return chosen(z) * x; };
  const std::function<double(double, int)> recursive = [&](double z, int depth) {
    return depth == 0 ? z : z * recursive(z * 0.5 + x, depth - 1);
  };
  const auto bound = std::bind(&Shape::both, &shape, std::placeholders::_1);
  const auto last = [stored = std::move(stored), count = 0](double z) mutable {
    ++count;
    return stored(z) * count;
  };
  auto copy = last;
  return (shape.*method)() * shape.*member + copy(y) + copy(x) + recursive(y, 2) +
         std::invoke(bound, x) + std::invoke(&Shape::b, shape);
}

// 64: built-in functions and vector extensions.
using Four = double __attribute__((vector_size(32)));
double built_in(double x, double y) {
  Four v{x, y, 1, 2};
  v = v * v + x;
  v[2] = __builtin_fma(v[0], v[1], v[3]);
  const double ordered = __builtin_expect(x < y, 1) ? __builtin_fmax(x, y) : __builtin_sqrt(y);
  return v[2] * ordered + __builtin_fabs(x) * __builtin_pow(y, 3) +
         __builtin_copysign(x, y) * (__builtin_popcount(6) + __builtin_isnan(x));
}

// 66: results by pointers, and complex functions.
double several_results(double x, double y) {
  double whole = 0;
  int exponent = 0;
  int quotient = 0;
  const double fraction = std::modf(x * 3, &whole);
  const double mantissa = std::frexp(y, &exponent);
  const double rest = std::remquo(x * 5, y, &quotient);
  double sine = 0;
  double cosine = 0;
  ::sincos(x * y, &sine, &cosine);
  const std::complex<double> z(x, y);
  const std::complex<double> w = std::exp(z) * std::pow(z, 2) / std::sqrt(z + 3.0);
  return std::nextafter(x, y) * sine + cosine * cosine + fraction * whole +
         std::ldexp(mantissa, 1) * exponent + rest * quotient + std::abs(w) +
         std::arg(z) * std::norm(w) + (std::sin(z) * std::conj(z)).real();
}

double modf_with_both_results(double x) {
  double whole;
  const double fraction = std::modf(x, &whole);
  return fraction * x + whole;
}

double frexp_with_both_results(double x) {
  int exponent;
  const double mantissa = std::frexp(x, &exponent);
  return mantissa * mantissa * exponent;
}

double remquo_with_both_results(double x) {
  int quotient;
  const double rest = std::remquo(x, 0.7, &quotient);
  return rest * rest * quotient;
}

// 72: integers that are computed from bits, and random numbers.
double not_differentiated(double x, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal(0, 1);
  unsigned hash = seed;
  for (int i = 0; i < 4; ++i) {
    hash = (hash ^ (hash >> 3U)) * 2654435761U;
  }
  return x * normal(generator) + x * x * (hash % 7U);
}

// 73, 74, 75: exceptions that carry numbers, through scopes whose objects end.
struct Failure : std::runtime_error {
  Failure(const std::string& what, double amount) : std::runtime_error(what), amount(amount) {}
  double amount;
};
struct Ledger {
  double& sum;
  double amount;
  ~Ledger() { sum += amount; }
};
double risky(double x, double& sum) {
  const Ledger ledger{sum, x * x};
  if (x > 1) {
    throw Failure("too large", x * sum);
  }
  return x * 2;
}
double exceptions(double x, double y) {
  double sum = y;
  double result = 0;
  for (double factor = 0.5; factor < 4; factor *= 2) {
    try {
      result += risky(x * factor, sum);
    } catch (const Failure& failure) {
      result += failure.amount * y;
    }
  }
  try {
    try {
      throw x * y;
    } catch (double& caught) {
      caught *= x;
      throw;
    }
  } catch (double caught) {
    result += caught * sum;
  }
  return result;
}
struct Built {
  double value;
  explicit Built(double x) try : value(x > 1 ? throw x : x * x) {
  } catch (double caught) {
    throw Failure("built", caught * 3);
  }
};
double function_try_block(double x) {
  try {
    return Built(x).value;
  } catch (const Failure& failure) {
    return failure.amount * failure.amount;
  }
}

}  // namespace

namespace {
namespace program_table_of_functions {
double sq(double x) {
  return x * x;
}
double cu(double x) {
  return x * x * x;
}
double table_of_functions(double x) {
  static constexpr double (*t[])(double) = {sq, cu};
  double s = 0;
  for (int i = 0; i < 2; ++i) s += t[i](x);
  return s;
}
}  // namespace program_table_of_functions
using program_table_of_functions::table_of_functions;
}  // namespace

DDX_CHECK_GRADIENT(table_of_functions, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(expression_templates, at(Vector{0.3, 1.2}, 0.8), at(Vector{}, 1.3),
                   at(Vector{1.5}, -0.6))
DDX_CHECK_GRADIENT(algorithms, at(Vector{0.3, 1.2, -0.7, 0.9}, 0.45), at(Vector{0.5, 0.1}, 0.3),
                   at(Vector{1.5, 0.4, 0.9}, 0.6))
DDX_CHECK_GRADIENT(with_output, at(0.8), at(1.3), at(-1.4))
DDX_CHECK_GRADIENT(functions_as_values, at(0.8, 2.1, 0), at(0.3, 0.9, 1), at(-1.4, 0.6, 1))
DDX_CHECK_GRADIENT(built_in, at(0.8, 2.1), at(0.9, 0.3), at(-1.4, 0.6))
DDX_CHECK_GRADIENT(several_results, at(0.8, 2.1), at(0.32, 0.9), at(1.43, 0.6))
DDX_CHECK_GRADIENT(modf_with_both_results, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(frexp_with_both_results, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(remquo_with_both_results, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(not_differentiated, at(0.8, 3U), at(1.3, 4U), at(-1.4, 5U))
DDX_CHECK_GRADIENT(exceptions, at(0.8, 2.1), at(0.3, 0.9), at(1.4, 0.6))
DDX_CHECK_GRADIENT(function_try_block, at(0.8), at(1.3), at(-1.4))
