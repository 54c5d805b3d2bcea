// Iterators of one's own: rows and columns of a matrix, given to standard algorithms.

#include "gradient_check.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <vector>

namespace {

class Strided {
 public:
  using value_type = double;
  using difference_type = std::ptrdiff_t;
  using pointer = double*;
  using reference = double&;
  using iterator_category = std::forward_iterator_tag;

  Strided() = default;
  Strided(double* at, std::ptrdiff_t stride) : at_(at), stride_(stride) {}
  reference operator*() const { return *at_; }
  Strided& operator++() {
    at_ += stride_;
    return *this;
  }
  Strided operator++(int) {
    const Strided old = *this;
    ++*this;
    return old;
  }
  friend bool operator==(const Strided& a, const Strided& b) { return a.at_ == b.at_; }

 private:
  double* at_ = nullptr;
  std::ptrdiff_t stride_ = 1;
};

struct Line {
  Strided first;
  Strided last;
  [[nodiscard]] Strided begin() const { return first; }
  [[nodiscard]] Strided end() const { return last; }
};

Line column(std::vector<double>& a, int n, int j) {
  double* const start = a.data() + j;
  return {Strided(start, n), Strided(start + n * n, n)};
}

double strided_iterators(std::vector<double> a, double damping) {
  const int n = 3;
  double s = 0;
  for (int j = 0; j < n; ++j) {
    const Line line = column(a, n, j);
    const double norm = std::sqrt(std::inner_product(line.begin(), line.end(), line.begin(), 0.1));
    std::transform(line.begin(), line.end(), line.begin(), [&](double v) { return v / norm; });
    for (double& v : line) {
      v += damping * norm;
    }
    s += *std::max_element(line.begin(), line.end());
  }
  const Line first = column(a, n, 0);
  const Line last = column(a, n, 2);
  std::swap_ranges(first.begin(), first.end(), last.begin());
  return s + std::accumulate(first.begin(), first.end(), 0.0) * a[3] +
         static_cast<double>(std::distance(last.begin(), last.end()));
}

DDX_CHECK_GRADIENT(strided_iterators,
                   at(std::vector{0.5, 2.0, 1.0, 3.0, 1.0, -1.0, 1.5, 0.3, 2.0}, 0.7),
                   at(std::vector{4.0, 1.0, 0.5, 1.0, 3.0, 0.2, 0.3, -0.4, 5.0}, -0.4),
                   at(std::vector{0.2, 0.1, 1.9, 0.6, 2.5, 0.3, 1.7, 0.4, 0.8}, 0.1))

}  // namespace
