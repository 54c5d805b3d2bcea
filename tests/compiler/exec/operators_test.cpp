#include "gradient_check.h"

#include <array>
#include <cmath>

namespace {

struct Complex {
  double re = 0;
  double im = 0;

  Complex& operator+=(const Complex& other) {
    re += other.re;
    im += other.im;
    return *this;
  }
  Complex& operator*=(const Complex& other) {
    const double old = re;
    re = re * other.re - im * other.im;
    im = old * other.im + im * other.re;
    return *this;
  }
  Complex operator-() const { return {-re, -im}; }
  DDX_DIFFERENTIABLE(Complex, re, im)
};

Complex operator+(Complex a, const Complex& b) {
  return a += b;
}
Complex operator*(Complex a, const Complex& b) {
  return a *= b;
}
Complex operator*(double a, const Complex& b) {
  return {a * b.re, a * b.im};
}
double norm(const Complex& z) {
  return z.re * z.re + z.im * z.im;
}
bool operator<(const Complex& a, const Complex& b) {
  return norm(a) < norm(b);
}

double free_operators(const Complex& a, const Complex& b) {
  const Complex c = a * b + 2 * a + -b;
  return norm(c) + c.re;
}

double compound_operators(const Complex& a, const Complex& b) {
  Complex c = a;
  c += b;
  c *= c;
  (c += a) *= b;
  return c.re * c.im;
}

double own_argument(const Complex& a) {
  Complex c = a;
  c *= c;
  c += c;
  return c.re - 2 * c.im;
}

double operator_on_itself_after_read(const Complex& a) {
  Complex c = a;
  const double before = c.re;
  c *= a;
  return before * c.im;
}

double comparison_operator(const Complex& a, const Complex& b) {
  return a < b ? norm(a + b) : norm(a) * b.re;
}

double mandelbrot(const Complex& c, int n) {
  Complex z;
  for (int i = 0; i < n; ++i) {
    z = z * z + c;
    if (norm(z) > 4) {
      break;
    }
  }
  return norm(z);
}

class Matrix {
 public:
  double& operator()(int i, int j) { return cells_[2 * i + j]; }
  const double& operator()(int i, int j) const { return cells_[2 * i + j]; }

  friend Matrix operator*(const Matrix& a, const Matrix& b) {
    Matrix c;
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        for (int k = 0; k < 2; ++k) {
          c(i, j) += a(i, k) * b(k, j);
        }
      }
    }
    return c;
  }

 private:
  std::array<double, 4> cells_{};
};

double call_operator_as_element(double a, double b) {
  Matrix m;
  m(0, 0) = a;
  m(0, 1) = a * b;
  m(1, 0) = 1;
  m(1, 1) = b;
  m(0, 1) -= m(0, 0) * m(1, 1);
  m(1, 0) *= a;
  const Matrix p = m * m * m;
  return p(0, 0) - p(1, 1) * p(1, 0);
}

/// A value with implicit conversions both ways.
class Metres {
 public:
  Metres(double value) : value_(value) {}     // NOLINT: implicit on purpose
  operator double() const { return value_; }  // NOLINT: implicit on purpose

 private:
  double value_;
};

double area(Metres a, Metres b) {
  return a * b;
}

double conversions(double a, double b) {
  const Metres side = a * a;
  return area(side, b) + std::sin(side);
}

struct Counter {
  double value;
  Counter& operator++() {
    value *= 2;
    return *this;
  }
  Counter operator++(int) {
    const Counter old = *this;
    ++*this;
    return old;
  }
};

double increment_operators(double x) {
  Counter c{x};
  const double before = (c++).value;
  const double after = (++c).value;
  return before * after + c.value;
}

/// Copy operations written by hand.
class Tracked {
 public:
  explicit Tracked(double v) : v_(v) {}
  Tracked(const Tracked& other) : v_(other.v_ * 2) {}
  Tracked& operator=(const Tracked& other) {
    if (this != &other) {
      v_ = other.v_ + 1;
    }
    return *this;
  }
  [[nodiscard]] double v() const { return v_; }

 private:
  double v_;
};

double copy_operations(double x) {
  const Tracked a(x * x);
  const Tracked b = a;  // NOLINT: the copy is the point
  Tracked c(x);
  c = b;
  return a.v() * b.v() + c.v() * x;
}

constexpr Complex z1{0.5, 1.0};
constexpr Complex z2{-1.2, 0.4};
constexpr Complex z3{0.3, -0.7};

DDX_CHECK_GRADIENT(free_operators, at(z1, z2), at(z2, z3), at(z3, z1))
DDX_CHECK_GRADIENT(compound_operators, at(z1, z2), at(z2, z3), at(z3, z1))
DDX_CHECK_GRADIENT(own_argument, at(z1), at(z2), at(z3))
DDX_CHECK_GRADIENT(operator_on_itself_after_read, at(z1), at(z2), at(z3))
DDX_CHECK_GRADIENT(comparison_operator, at(z1, z2), at(z2, z3), at(z3, z1))
DDX_CHECK_GRADIENT(mandelbrot, at(z1, 6), at(z2, 9), at(z3, 0), at(z3, 5))
DDX_CHECK_GRADIENT(call_operator_as_element, at(0.5, 1.0), at(-1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(conversions, at(0.5, 1.0), at(-1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(increment_operators, at(0.5), at(-1.2), at(2.0))
DDX_CHECK_GRADIENT(copy_operations, at(0.5), at(-1.2), at(2.0))

}  // namespace
