#include "gradient_check.h"

#include <cmath>
#include <utility>
#include <vector>

namespace {

double square(double x) {
  return x * x;
}

template <class F>
double applied_twice(F f, double x) {
  return f(f(x));
}

template <class F>
double summed(const F& f, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += f(i);
  }
  return s;
}

template <class F>
void for_each_element(std::vector<double>& v, F&& f) {
  for (double& e : v) {
    f(e);
  }
}

template <class F, class G>
auto composed(F f, G g) {
  return [f, g](double x) { return f(g(x)); };
}

template <class F>
double midpoint_rule(F&& f, double a, double b, int n) {
  const double h = (b - a) / n;
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += f(a + (i + 0.5) * h);
  }
  return s * h;
}

auto make_line(double slope, double offset) {
  return [slope, offset](double x) { return slope * x + offset; };
}

struct Power {
  double exponent;
  double operator()(double x) const { return std::pow(x, exponent); }
};

double passed_to_template(double x, double y) {
  return applied_twice([y](double v) { return v * v + y; }, x);
}

double passed_by_const_reference(double x, int n) {
  return summed([x](int i) { return std::sin(i * x); }, n);
}

double function_passed_to_template(double x) {
  return applied_twice(square, x) * x;
}

double functor_passed_to_template(double x, double e) {
  return applied_twice(Power{e}, x);
}

double changes_elements(const std::vector<double>& v, double x) {
  std::vector<double> w = v;
  double total = 0;
  for_each_element(w, [&](double& e) {
    e = e * e + x;
    total += e * x;
  });
  return total * w[0];
}

double returned_closure(double x, double y) {
  const auto line = make_line(x, y * y);
  const auto other = make_line(line(1), x);
  return line(other(y));
}

double composition(double x, double y) {
  const auto f = composed([y](double v) { return v * y; }, make_line(x, 1));
  return composed(f, f)(x);
}

double integral_over_parameter(double x, double b) {
  return midpoint_rule([&](double t) { return std::exp(-x * t) * t; }, 0, b, 8);
}

double double_integral(double x) {
  return midpoint_rule(
      [&](double s) {
        return midpoint_rule([&](double t) { return std::cos(x * s * t); }, 0, x, 4);
      },
      0, 1, 4);
}

double newton(double guess, double target) {
  const auto solve = [](auto f, auto slope, double z) {
    for (int i = 0; i < 6; ++i) {
      z -= f(z) / slope(z);
    }
    return z;
  };
  return solve([target](double z) { return z * z * z - target; },
               [](double z) { return 3 * z * z; }, guess);
}

/// Closures inside a member function, capturing the object.
struct Oscillator {
  double frequency;
  double damping;

  double at_time(double t) const {
    const auto envelope = [this](double s) { return std::exp(-damping * s); };
    return envelope(t) * std::cos(frequency * t);
  }
  double decayed(double t) {
    const auto decay = [&] { damping *= 1.5; };
    decay();
    decay();
    return [copy = *this, t] { return copy.damping * t; }();
  }
};

double captures_this(double f, double d) {
  const Oscillator o{f, d};
  return o.at_time(0.7) + o.at_time(f);
}

double mutates_through_this(double f, double d) {
  Oscillator o{f, d};
  const double t = o.decayed(f);
  return t * o.at_time(1) + o.damping;
}

DDX_CHECK_GRADIENT(passed_to_template, at(0.5, 1.0), at(-1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(passed_by_const_reference, at(0.5, 3), at(-1.2, 0), at(2.0, 5))
DDX_CHECK_GRADIENT(function_passed_to_template, at(0.5), at(-1.2), at(1.1))
DDX_CHECK_GRADIENT(functor_passed_to_template, at(0.5, 1.0), at(1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(changes_elements, at(std::vector{0.5, -1.0}, 0.5), at(std::vector{0.7}, -1.0),
                   at(std::vector{0.2, 0.3, 0.4}, 1.5))
DDX_CHECK_GRADIENT(returned_closure, at(0.5, 1.0), at(-1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(composition, at(0.5, 1.0), at(-1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(integral_over_parameter, at(0.5, 1.0), at(-1.2, 0.4), at(2.0, 3.0))
DDX_CHECK_GRADIENT(double_integral, at(0.5), at(-1.2), at(1.1))
DDX_CHECK_GRADIENT(newton, at(1.0, 2.0), at(0.8, 0.6), at(-1.1, -1.4))
DDX_CHECK_GRADIENT(captures_this, at(0.5, 1.0), at(-1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(mutates_through_this, at(0.5, 1.0), at(-1.2, 0.4), at(2.0, -0.7))

}  // namespace
