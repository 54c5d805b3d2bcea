#include "gradient_check.h"

#include <cmath>
#include <complex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace {

template <class Derived>
struct Shape {
  const Derived& self() const { return static_cast<const Derived&>(*this); }
  [[nodiscard]] double area() const { return 2 * self().side() * self().side(); }
};
struct Square : Shape<Square> {
  double s = 0;
  [[nodiscard]] double side() const { return s * s; }
};
template <class Derived>
double twice(const Shape<Derived>& shape) {
  return 2 * shape.area();
}

// Functions of the library that give a second result by pointer.
double split_by_the_library(double x) {
  double whole = 0;
  const double part = std::modf(x * x, &whole);
  int exponent = 0;
  const double mantissa = std::frexp(part + x, &exponent);
  int quotient = 0;
  return part * x + whole + mantissa * exponent + std::remquo(x, 0.7, &quotient) * quotient;
}

// The derived class is known where the call stands.
double static_polymorphism(double x) {
  Square square;
  square.s = x;
  return square.area() * x + twice(square);
}

// What the library computes from inactive values is kept for the reverse sweep.
double inactive_complex(double x) {
  const std::complex<double> z(2, 1);
  return x * x * z.real() * std::norm(z);
}

double inactive_allocation(double x) {
  auto* const p = new double(2);
  const double before = *p;
  *p = 3;
  const double r = x * before * *p * x;
  delete p;
  return r;
}

// An integer behind a pointer may have changed when the reverse sweep comes by.
double change_behind_pointer(int* p, double x) {
  const double y = x * *p;
  *p += 1;
  return y * *p;
}
double integer_behind_pointer(double x) {
  int n = 3;
  const int m = n;
  const double y = change_behind_pointer(&n, x) * x;
  return y * n * m;
}

double explicit_conversion(double x) {
  std::optional<int> n;
  if (x > 1) {
    n = 3;
  }
  return n ? x * *n : x;
}

struct Wrapped {
  double v;
  operator double() const { return v * v; }
  explicit operator bool() const { return v > 0; }
};
double conversion_operators(double x) {
  const Wrapped w{x};
  const double y = w;
  return w ? y * w : x;
}

struct Constants {
  static constexpr double factor = 2.5;
  static inline double offset = 1.5;
  double v;
  [[nodiscard]] double scaled() const { return v * factor * offset; }
};
double static_members(double x) {
  const Constants c{x};
  return c.scaled() * Constants::factor + x * Constants::offset;
}

enum class Kind { Linear, Square, Shifted };
double by_kind(Kind kind, double x) {
  switch (kind) {
    using enum Kind;
    case Linear:
      return x;
    case Square:
      x *= x;
      [[fallthrough]];
    case Shifted:
      x += 1;
      break;
  }
  return x * x;
}
double using_enum(double x) {
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s += by_kind(static_cast<Kind>(i), x);
  }
  return s;
}

double named(std::string_view name, double x) {
  if (name == "square") {
    return x * x;
  }
  return name.starts_with("cu") ? x * x * x : x;
}
double chosen_by_text(double x) {
  return named("square", x) + named("cube", x) * named("", x);
}

struct Pair {
  double v;
};
Pair operator&&(const Pair& a, const Pair& b) {
  return {a.v * b.v};
}
Pair operator||(const Pair& a, const Pair& b) {
  return {a.v + b.v};
}
double overloaded_logic(double x) {
  const Pair a{x};
  const Pair b{x * x};
  return ((a && b) || a).v;
}

constexpr double operator""_doubled(long double v) {
  return static_cast<double>(v) * 2;
}
double user_defined_literal(double x) {
  return x * x * 1.5_doubled;
}

namespace units {
constexpr double operator""_percent(long double v) {
  return static_cast<double>(v) / 100;
}
constexpr double operator""_percent(unsigned long long v) {
  return static_cast<double>(v) / 50;
}
constexpr double operator""_times(const char* digits) {
  return static_cast<double>(digits[0] - '0');
}
template <char... digits>
constexpr double operator""_digits() {
  return sizeof...(digits);
}
inline std::size_t operator""_length(const char*, std::size_t length) {
  return length;
}
double changed(double x) {
  return x * x * 12.5_percent + x * 25_percent + 7_times * x * 123_digits +
         x * static_cast<double>("four"_length);
}
}  // namespace units
double literals_of_a_namespace(double x) {
  return x * units::changed(x);
}

template <class... T>
double fold(T... t) {
  double s = 0;
  ((s += t * t), ...);
  return s * (t + ...);
}
double folds(double x) {
  return fold(x, 2 * x, 3);
}

double pointer_to_array(double x) {
  double m[2][2] = {{x, x * x}, {2 * x, 1}};
  double(*p)[2] = m;
  return (*p)[0] * (*p)[1] * p[1][0];
}

void tangle(double& a, double& b) {
  a *= b;
  b += a;
  a = a * b;
}
double one_element_twice(double x) {
  double v[2] = {x, 2};
  tangle(v[0], v[0]);
  tangle(v[0], v[1]);
  return v[0] * v[1];
}

double constant_array(double x) {
  const double a[3] = {x, 2, x * x};
  double s = 0;
  for (const double e : a) {
    s = s * x + e;
  }
  return s * a[2];
}

double moved_capture(double x) {
  std::vector<double> v{x, x * x};
  const auto outer = [w = std::move(v)](double t) {
    const auto inner = [&w, t](double u) { return w[0] * u + w[1] * t; };
    return inner(t * 2);
  };
  return outer(x) * x;
}

}  // namespace

DDX_CHECK_GRADIENT(split_by_the_library, at(0.83), at(1.71), at(-1.37))
DDX_CHECK_GRADIENT(static_polymorphism, at(1.3), at(2.1), at(0.7))
DDX_CHECK_GRADIENT(inactive_complex, at(1.3), at(2.1), at(0.7))
// Second derivatives of what lies in memory are refused.
DDX_CHECK_GRADIENT_FIRST_ORDER(inactive_allocation, at(1.3), at(2.1), at(0.7))
DDX_CHECK_GRADIENT(integer_behind_pointer, at(1.3), at(2.1), at(0.7))
DDX_CHECK_GRADIENT(explicit_conversion, at(1.3), at(2.1), at(0.7))
DDX_CHECK_GRADIENT(conversion_operators, at(1.3), at(2.1), at(0.7))
DDX_CHECK_GRADIENT(static_members, at(1.3), at(2.1), at(0.7))
DDX_CHECK_GRADIENT(using_enum, at(1.3), at(2.1), at(0.7))
DDX_CHECK_GRADIENT(chosen_by_text, at(1.3), at(2.1), at(0.7))
DDX_CHECK_GRADIENT(overloaded_logic, at(1.3), at(2.1), at(0.7))
DDX_CHECK_GRADIENT(user_defined_literal, at(1.3), at(2.1), at(0.7))
DDX_CHECK_GRADIENT(literals_of_a_namespace, at(1.3), at(2.1), at(0.7))
DDX_CHECK_GRADIENT(folds, at(1.3), at(2.1), at(0.7))
DDX_CHECK_GRADIENT(pointer_to_array, at(1.3), at(2.1), at(0.7))
DDX_CHECK_GRADIENT(one_element_twice, at(1.3), at(2.1), at(0.7))
DDX_CHECK_GRADIENT(moved_capture, at(1.3), at(2.1), at(0.7))
DDX_CHECK_GRADIENT(constant_array, at(1.3), at(2.1), at(0.7))
