// A natural cubic spline as a class; the interval is found by bisection in the standard library.

#include "gradient_check.h"

#include <algorithm>
#include <vector>

namespace {

class Spline {
 public:
  Spline(const std::vector<double>& x, const std::vector<double>& y)
      : x_(x), y_(y), second_(x.size()) {
    const std::size_t n = x.size();
    std::vector<double> u(n);
    for (std::size_t i = 1; i + 1 < n; ++i) {
      const double s = (x[i] - x[i - 1]) / (x[i + 1] - x[i - 1]);
      const double p = s * second_[i - 1] + 2;
      second_[i] = (s - 1) / p;
      u[i] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]) - (y[i] - y[i - 1]) / (x[i] - x[i - 1]);
      u[i] = (6 * u[i] / (x[i + 1] - x[i - 1]) - s * u[i - 1]) / p;
    }
    for (std::size_t i = n - 1; i-- > 0;) {
      second_[i] = second_[i] * second_[i + 1] + u[i];
    }
  }

  [[nodiscard]] double operator()(double at) const {
    const auto above = std::upper_bound(x_.begin(), x_.end() - 1, at);
    std::size_t i = static_cast<std::size_t>(above - x_.begin());
    i = i == 0 ? 0 : i - 1;
    const double h = x_[i + 1] - x_[i];
    const double a = (x_[i + 1] - at) / h;
    const double b = (at - x_[i]) / h;
    return a * y_[i] + b * y_[i + 1] +
           ((a * a * a - a) * second_[i] + (b * b * b - b) * second_[i + 1]) * h * h / 6;
  }

 private:
  std::vector<double> x_;
  std::vector<double> y_;
  std::vector<double> second_;
};

double spline(const std::vector<double>& y, double at) {
  std::vector<double> x;
  for (std::size_t i = 0; i < y.size(); ++i) {
    x.push_back(0.5 * static_cast<double>(i) + 0.1 * y[i]);
  }
  const Spline curve(x, y);
  double s = 0;
  for (int i = 0; i < 4; ++i) {
    s = s * 0.7 + curve(at + 0.3 * i) * (i + 1);
  }
  return s;
}

DDX_CHECK_GRADIENT(spline, at(std::vector{0.5, 1.0, 0.3, 0.9}, 0.2),
                   at(std::vector{0.1, -0.2, 0.4, 0.6, 0.2}, 0.45),
                   at(std::vector{0.7, 0.2, -0.3}, -0.1))

}  // namespace
