// Guards that throw, none of which strikes: checked access, checked arguments.

#include "gradient_check.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

class Table {
 public:
  Table(double start, double step, std::vector<double> values)
      : start_(start), step_(step), values_(std::move(values)) {
    if (values_.size() < 2) {
      throw std::invalid_argument("a table needs two values, not " +
                                  std::to_string(values_.size()));
    }
  }
  [[nodiscard]] double operator()(double x) const {
    const double at = (x - start_) / step_;
    if (at < 0 || at > static_cast<double>(values_.size() - 1)) {
      throw std::out_of_range("outside of the table");
    }
    const auto i = std::min(static_cast<std::size_t>(at), values_.size() - 2);
    const double t = at - static_cast<double>(i);
    return (1 - t) * values_.at(i) + t * values_.at(i + 1);
  }

 private:
  double start_;
  double step_;
  std::vector<double> values_;
};

double throwing_guard(const std::vector<double>& values, double x, double step) {
  const Table table(0.1 * x, step, values);
  double y = table(x);
  for (int i = 0; i < 3; ++i) {
    y = 0.5 * y + table(x + 0.2 * std::tanh(y) * i);
  }
  return y;
}

DDX_CHECK_GRADIENT(throwing_guard, at(std::vector{0.5, 0.9, 0.2, 1.4}, 0.6, 0.5),
                   at(std::vector{1.0, 0.3, 0.8}, 0.4, 0.7),
                   at(std::vector{-0.2, 0.7, 0.4, 0.9, 0.1}, 1.0, 0.4))

}  // namespace
