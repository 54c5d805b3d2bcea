// A vector with room for two reals inside: beyond that it moves to the heap.

#include "gradient_check.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace {

class SmallVector {
 public:
  SmallVector() = default;
  SmallVector(const SmallVector& o) {
    for (const double v : o) {
      push_back(v);
    }
  }
  SmallVector(SmallVector&& o) noexcept : size_(o.size_), capacity_(o.capacity_) {
    if (o.data_ == o.inside_) {
      std::copy(o.begin(), o.end(), inside_);
    } else {
      data_ = std::exchange(o.data_, o.inside_);
      o.capacity_ = 2;
    }
    o.size_ = 0;
  }
  SmallVector& operator=(const SmallVector&) = delete;
  SmallVector& operator=(SmallVector&&) = delete;
  ~SmallVector() {
    if (data_ != inside_) {
      delete[] data_;
    }
  }
  void push_back(double v) {
    if (size_ == capacity_) {
      auto* wider = new double[2 * capacity_];
      std::copy(begin(), end(), wider);
      if (data_ != inside_) {
        delete[] data_;
      }
      data_ = wider;
      capacity_ *= 2;
    }
    data_[size_++] = v;
  }
  double& operator[](std::size_t i) { return data_[i]; }
  [[nodiscard]] std::size_t size() const { return size_; }
  double* begin() { return data_; }
  double* end() { return data_ + size_; }
  [[nodiscard]] const double* begin() const { return data_; }
  [[nodiscard]] const double* end() const { return data_ + size_; }

 private:
  double inside_[2] = {};
  double* data_ = inside_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 2;
};

SmallVector powers(double x, int n) {
  SmallVector v;
  double p = 1;
  for (int i = 0; i < n; ++i) {
    v.push_back(p);
    p *= x;
  }
  v[0] *= x;
  return v;
}

double small_vector(double x, double y, int n) {
  std::vector<SmallVector> rows;
  for (int i = 1; i <= n; ++i) {
    rows.push_back(powers(x + 0.1 * i, i));
  }
  SmallVector copy = rows.back();
  copy[0] *= y;
  const SmallVector moved = std::move(copy);
  double s = 0;
  for (SmallVector& row : rows) {
    row[row.size() - 1] += y;
    for (const double v : row) {
      s = 0.9 * s + v * v;
    }
  }
  return s + *moved.begin();
}

DDX_CHECK_GRADIENT(small_vector, at(0.7, 1.2, 5), at(-0.5, 0.4, 2), at(1.1, -0.8, 3))

}  // namespace
