#include "gradient_check.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

void square_in_place(double& x) {
  x *= x;
}

void rotate(double& a, double& b, double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const double old = a;
  a = c * a - s * b;
  b = s * old + c * b;
}

void add_product(double& into, const double& x, const double& y) {
  into += x * y;
}

void scale_both(double& a, double& b) {
  a *= b;
  b += a;
}

double in_out_parameter(double x) {
  double y = x + 1;
  square_in_place(y);
  square_in_place(y);
  return y * x;
}

double several_in_out(double x, double y) {
  double a = x;
  double b = y;
  for (int i = 0; i < 3; ++i) {
    rotate(a, b, 0.3 * x + i);
  }
  return a * b;
}

double same_variable_in_and_out(double x, double y) {
  double a = x;
  add_product(a, a, y);
  add_product(a, a, a);
  return a;
}

double same_variable_twice(double x) {
  double a = x;
  scale_both(a, a);
  return a * x;
}

void raise(double& into, const double& by, int n) {
  for (int i = 0; i < n; ++i) {
    into *= by;
  }
}

/// `by` looks invariant in the loop; it is not where both names are one variable.
double same_variable_in_a_loop(double x, double y) {
  double a = x;
  raise(a, a, 3);
  double b = y;
  raise(b, a, 2);
  return a * b;
}

void scale_all(std::array<double, 3>& values, const double& by) {
  for (double& value : values) {
    value *= by;
  }
}

/// One element is the factor of all, itself included: it changes on the way.
double element_scales_its_array(double x, double y) {
  std::array<double, 3> a = {x, y, x + y};
  scale_all(a, a[1]);
  return a[0] * a[1] + a[2];
}

double local_alias(double x, double y) {
  double a = x;
  double& r = a;
  r *= y;
  const double& c = r;
  a += c * c;
  return r * c;
}

double alias_of_array_element(double x, double y) {
  double a[3] = {x, y, x * y};
  double& middle = a[1];
  middle *= a[0];
  a[2] += middle;
  middle = std::sin(middle);
  return a[0] * a[1] * a[2];
}

double swap_by_hand(double x, double y) {
  double a = x * x;
  double b = y;
  const double t = a;
  a = b;
  b = t;
  return a - 2 * b + a * a;
}

void swap_values(double& a, double& b) {
  const double t = a;
  a = b;
  b = t;
}

double swap_by_function(double x, double y) {
  double a = x * x;
  double b = y;
  if (a > b) {
    swap_values(a, b);
  }
  return a * a - b;
}

double const_reference_to_temporary(double x, double y) {
  const double& t = x * y + 1;
  return t * t;
}

void inner_in_out(double& v, int depth) {
  v = v * v + depth;
  if (depth > 0) {
    inner_in_out(v, depth - 1);
    v *= 0.5;
  }
}

double nested_in_out(double x) {
  double v = x;
  inner_in_out(v, 2);
  return v;
}

double value_parameter_is_a_copy(double x) {
  const auto changed = [](double v) {
    v *= v;
    return v + 1;
  };
  const double y = x * 2;
  return changed(y) * y;
}

bool halve(double x, double& out) {
  if (x < 0) {
    return false;
  }
  out = x / 2;
  return true;
}

double output_parameter(double x) {
  double h = x * x;
  const bool positive = halve(x, h);
  return positive ? h * x : h;
}

const std::array<double, 3>& table() {
  static constexpr std::array<double, 3> values{0.5, 1.5, 2.5};
  return values;
}

// What a parameter refers to may be no object that is known here, as long as it is constant.
double element_of_a_table(double x) {
  const auto weighed = [x](const double& w) { return x * x * w; };
  double s = x;
  for (std::size_t i = 0; i < table().size(); ++i) {
    s = 0.5 * s * x + weighed(table()[i]);
  }
  return s;
}

DDX_CHECK_GRADIENT(element_of_a_table, at(1.3), at(-0.6), at(0.7))
DDX_CHECK_GRADIENT(in_out_parameter, at(-1.5), at(0.5), at(0.9))
DDX_CHECK_GRADIENT(several_in_out, at(-1.5, 1.0), at(0.5, 0.2), at(0.9, -2.0))
DDX_CHECK_GRADIENT(same_variable_in_and_out, at(-1.5, 1.0), at(0.5, 0.2), at(0.9, -2.0))
DDX_CHECK_GRADIENT(same_variable_twice, at(-1.5), at(0.5), at(0.9))
DDX_CHECK_GRADIENT(same_variable_in_a_loop, at(-1.5, 1.0), at(0.5, 0.2), at(0.9, -2.0))
DDX_CHECK_GRADIENT(element_scales_its_array, at(-1.5, 1.0), at(0.5, 0.2), at(0.9, -2.0))
DDX_CHECK_GRADIENT(local_alias, at(-1.5, 1.0), at(0.5, 0.2), at(0.9, -2.0))
DDX_CHECK_GRADIENT(alias_of_array_element, at(-1.5, 1.0), at(0.5, 0.2), at(0.9, -2.0))
DDX_CHECK_GRADIENT(swap_by_hand, at(-1.5, 1.0), at(0.5, 0.2), at(0.9, -2.0))
DDX_CHECK_GRADIENT(swap_by_function, at(-1.5, 1.0), at(0.5, 0.4), at(0.9, -2.0))
DDX_CHECK_GRADIENT(const_reference_to_temporary, at(-1.5, 1.0), at(0.5, 0.4), at(0.9, -2.0))
DDX_CHECK_GRADIENT(nested_in_out, at(-1.5), at(0.5), at(0.9))
DDX_CHECK_GRADIENT(value_parameter_is_a_copy, at(-1.5), at(0.5), at(0.9))
DDX_CHECK_GRADIENT(output_parameter, at(-1.5), at(0.5), at(0.9))

// What a reference to an rvalue is bound to may change: a temporary, or what is moved from.
double raised(const std::vector<double>& v, int&& i) {
  ++i;
  return v[i];
}
double sum_at(const std::vector<double>& v, std::vector<int>&& places) {
  double sum = 0;
  places.push_back(0);
  for (const int i : places) {
    sum += v[i] * v[i] * static_cast<double>(places.size());
  }
  return sum;
}
struct Grid {
  std::vector<double> data;
  template <class... I>
  double& operator()(I&&... i) {
    return data[(static_cast<std::size_t>(i) + ...)];
  }
};
enum class Kind { plain, squared };
double chosen(double x, Kind&& kind, bool&& twice) {
  return (kind == Kind::squared ? x * x : x) * (twice ? 2 : 1);
}
double named(double x, std::string&& name) {
  name += name;
  return name.size() > 4 ? x * x : x;
}
double owned(double x, std::unique_ptr<int>&& factor) {
  return x * *factor;
}
struct Sizes {
  int n;
  int m;
};
double sized(double x, Sizes&& sizes) {
  sizes.m += 1;
  return x * sizes.n * sizes.m;
}
double rvalue_references(double x) {
  const std::vector<double> v{x, x * x, x * x * x};
  double sum = 0;
  int one = 1;
  for (int i = 0; i < 2; ++i) {
    sum += raised(v, i * 1) * x + raised(v, static_cast<int>(sum > 0));
  }
  sum += raised(v, std::move(one)) * one;
  std::vector<int> places{2};
  sum += sum_at(v, {1, 2}) + sum_at(v, std::vector<int>{1}) + sum_at(v, std::move(places));
  Grid grid{{x, x * x, 2 * x}};
  grid(0, one - 1) *= grid(one, 0) + grid(2 - one, 0);
  Sizes sizes{1, 2};
  sum += chosen(x, Kind::squared, x > 0) + chosen(x, Kind::plain, false);
  sum += named(x, "ab") * named(x, std::string("abc"));
  sum += sized(x, {3, 4}) + sized(x * x, std::move(sizes)) + sizes.m * x;
  return sum + grid(0, 0) * grid(0, 1) + owned(x, std::make_unique<int>(2));
}

}  // namespace
DDX_CHECK_GRADIENT(rvalue_references, at(0.83), at(1.7), at(-1.37))
