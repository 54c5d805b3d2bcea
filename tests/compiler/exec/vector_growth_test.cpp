#include "gradient_check.h"

#include <cmath>
#include <cstddef>
#include <vector>

namespace {

using Vector = std::vector<double>;

/// What shrinking drops was used, and what growing brings back are zeros: the two share no adjoint.
double shrunk_and_grown(double x) {
  std::vector<double> v = {x, x * x, std::sin(x)};
  const double before = v[0] * v[1] * v[2];
  v.resize(1);
  v.resize(3);
  v[1] += v[0];
  v[2] = v[2] * x + 2;
  return before + v[0] * v[1] * v[2];
}

double sum_of_squares(const Vector& x) {
  double s = 0;
  for (const double v : x) {
    s += v * v;
  }
  return s;
}

Vector doubled(const Vector& x) {
  Vector y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] = 2 * x[i] + (i > 0 ? y[i - 1] : 0);
  }
  return y;
}

double push_back_in_loop(double a, int n) {
  Vector powers;
  double p = 1;
  for (int i = 0; i < n; ++i) {
    powers.push_back(p);
    p *= a;
  }
  double s = 0;
  for (std::size_t i = 0; i < powers.size(); ++i) {
    s += powers[i] * static_cast<double>(i + 1);
  }
  return s;
}

double push_back_conditionally(const Vector& x) {
  Vector positive;
  for (const double v : x) {
    if (v > 0) {
      positive.push_back(v * v);
    }
  }
  double product = 1;
  for (const double p : positive) {
    product *= p + 1;
  }
  return product * static_cast<double>(positive.size());
}

double push_back_of_own_element(double a) {
  Vector x;
  x.push_back(a);
  x.push_back(x[0] * a);
  x.push_back(x.back() + x.front());
  return x[0] * x[1] * x[2];
}

double resized(double a, double b) {
  Vector x(2, a);
  x.resize(4);
  x[2] = x[0] * b;
  x[3] = x[2] * x[2];
  x.pop_back();
  x.push_back(b);
  return x[1] * x[2] * x[3];
}

double returned_from_function(const Vector& x) {
  const Vector y = doubled(doubled(x));
  return sum_of_squares(y) * x[0];
}

double reused_each_iteration(const Vector& x, int n) {
  Vector work(x.size());
  double s = 0;
  for (int k = 1; k <= n; ++k) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      work[i] = std::sin(k * x[i]) + work[i] * 0.5;
    }
    s += sum_of_squares(work);
  }
  return s;
}

double local_to_iteration(const Vector& x) {
  double s = 1;
  for (std::size_t i = 0; i < x.size(); ++i) {
    Vector row(i + 1, x[i]);
    row[0] *= s;
    s += sum_of_squares(row);
  }
  return s;
}

const Vector x1{0.5, -1.0, 2.0, 0.25};
const Vector x2{1.5, 0.3};
const Vector x3{-0.7, 0.9, 1.1};

void append_twice(std::vector<double>& v, const double& k) {
  v.push_back(k * v[0]);
  v.push_back(k);
}

double reference_kept_by_reserve(double x) {
  std::vector<double> v{x, 2};
  v.reserve(128);
  append_twice(v, v[1]);
  append_twice(v, v[0]);
  return v[2] * v[3] * v[4] * v[5];
}

DDX_CHECK_GRADIENT(reference_kept_by_reserve, at(0.7), at(1.3), at(0.4))
DDX_CHECK_GRADIENT(shrunk_and_grown, at(0.5), at(-1.2), at(2.1))
DDX_CHECK_GRADIENT(push_back_in_loop, at(0.5, 3), at(-1.2, 0), at(1.5, 5))
DDX_CHECK_GRADIENT(push_back_conditionally, at(x1), at(x2), at(x3))
DDX_CHECK_GRADIENT(push_back_of_own_element, at(0.5), at(-1.2), at(1.5))
DDX_CHECK_GRADIENT(resized, at(0.5, 3.0), at(-1.2, 0.2), at(1.5, 1.0))
DDX_CHECK_GRADIENT(returned_from_function, at(x1), at(x2), at(x3))
DDX_CHECK_GRADIENT(reused_each_iteration, at(x1, 3), at(x2, 0), at(x3, 2))
DDX_CHECK_GRADIENT(local_to_iteration, at(x1), at(x2), at(x3))

}  // namespace
