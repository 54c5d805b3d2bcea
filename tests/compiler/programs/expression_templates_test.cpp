// Vector arithmetic by expression templates: no temporaries, one loop per assignment.

#include "gradient_check.h"

#include <cmath>
#include <vector>

namespace {

template <class E>
struct Expression {
  [[nodiscard]] const E& self() const { return static_cast<const E&>(*this); }
  double operator[](std::size_t i) const { return self()[i]; }
  [[nodiscard]] std::size_t size() const { return self().size(); }
};

class Vector : public Expression<Vector> {
 public:
  explicit Vector(std::size_t n) : data_(n) {}
  explicit Vector(const std::vector<double>& data) : data_(data) {}
  template <class E>
  Vector& operator=(const Expression<E>& e) {
    for (std::size_t i = 0; i < data_.size(); ++i) {
      data_[i] = e[i];
    }
    return *this;
  }
  double operator[](std::size_t i) const { return data_[i]; }
  double& operator[](std::size_t i) { return data_[i]; }
  [[nodiscard]] std::size_t size() const { return data_.size(); }

 private:
  std::vector<double> data_;
};

template <class L, class R>
class Sum : public Expression<Sum<L, R>> {
 public:
  Sum(const L& l, const R& r) : l_(l), r_(r) {}
  double operator[](std::size_t i) const { return l_[i] + r_[i]; }
  [[nodiscard]] std::size_t size() const { return l_.size(); }

 private:
  const L& l_;
  const R& r_;
};
template <class E>
class Scaled : public Expression<Scaled<E>> {
 public:
  Scaled(double s, const E& e) : s_(s), e_(e) {}
  double operator[](std::size_t i) const { return s_ * e_[i]; }
  [[nodiscard]] std::size_t size() const { return e_.size(); }

 private:
  double s_;
  const E& e_;
};
template <class L, class R>
Sum<L, R> operator+(const Expression<L>& l, const Expression<R>& r) {
  return {l.self(), r.self()};
}
template <class E>
Scaled<E> operator*(double s, const Expression<E>& e) {
  return {s, e.self()};
}

double expression_templates(const std::vector<double>& a, const std::vector<double>& b, double s) {
  const Vector x(a);
  const Vector y(b);
  Vector z(a.size());
  z = x + s * y;
  z = s * z + x;
  double sum = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    sum = 0.5 * sum + z[i] * z[i];
  }
  return sum;
}

DDX_CHECK_GRADIENT(expression_templates, at(std::vector{0.5, 0.2}, std::vector{1.0, -0.7}, 0.8),
                   at(std::vector{1.0}, std::vector{0.3}, -0.6),
                   at(std::vector{0.1, 0.9, 0.4}, std::vector{0.6, 0.8, -0.2}, 1.5))

}  // namespace
