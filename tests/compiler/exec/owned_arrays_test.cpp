// Classes that own an array of numbers, and arrays behind pointers of the function itself.

#include "gradient_check.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

// The rule of five, as textbooks have it.
class Vector {
 public:
  explicit Vector(std::size_t n) : size_(n), data_(new double[n]) {
    for (std::size_t i = 0; i < n; ++i) {
      data_[i] = 0;
    }
  }
  Vector(const Vector& other) : size_(other.size_), data_(new double[other.size_]) {
    std::copy(other.data_, other.data_ + size_, data_);
  }
  Vector(Vector&& other) noexcept : size_(other.size_), data_(other.data_) {
    other.size_ = 0;
    other.data_ = nullptr;
  }
  Vector& operator=(const Vector& other) {
    if (this != &other) {
      double* fresh = new double[other.size_];
      std::copy(other.data_, other.data_ + other.size_, fresh);
      delete[] data_;
      data_ = fresh;
      size_ = other.size_;
    }
    return *this;
  }
  Vector& operator=(Vector&& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~Vector() { delete[] data_; }

  [[nodiscard]] std::size_t size() const { return size_; }
  double& operator[](std::size_t i) { return data_[i]; }
  const double& operator[](std::size_t i) const { return data_[i]; }
  double* begin() { return data_; }
  double* end() { return data_ + size_; }
  [[nodiscard]] const double* begin() const { return data_; }
  [[nodiscard]] const double* end() const { return data_ + size_; }

  Vector& operator+=(const Vector& other) {
    for (std::size_t i = 0; i < size_; ++i) {
      data_[i] += other.data_[i];
    }
    return *this;
  }
  [[nodiscard]] double dot(const Vector& other) const {
    double sum = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      sum += data_[i] * other[i];
    }
    return sum;
  }

 private:
  std::size_t size_;
  double* data_;
};

Vector operator+(const Vector& a, const Vector& b) {
  Vector sum(a);
  sum += b;
  return sum;
}

Vector operator*(double s, const Vector& a) {
  Vector result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    result[i] = s * a[i];
  }
  return result;
}

Vector powers(double x, std::size_t n) {
  Vector result(n);
  double power = 1;
  for (double& each : result) {
    each = power;
    power *= x;
  }
  return result;
}

double filled(double x, double y) {
  Vector v(4);
  for (std::size_t i = 0; i < v.size(); ++i) {
    v[i] = x * static_cast<double>(i) + y;
  }
  v[1] *= v[2];
  v[2] += v[1] * v[1];
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    sum += std::sin(v[i]) * x;
  }
  return sum;
}
DDX_CHECK_GRADIENT(filled, at(0.5, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

double empty(double x, double y) {
  const Vector v(0);
  Vector w = v;
  w += v;
  double sum = x * y;
  for (const double each : w) {
    sum += each;
  }
  return sum * x + v.dot(w);
}
DDX_CHECK_GRADIENT(empty, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

double copied(double x, double y) {
  Vector a = powers(x, 3);
  Vector b = a;
  b[1] *= y;
  a[2] += b[1] * b[2];
  Vector c(1);
  c = b;
  c[0] = a[2];
  b = c;
  return a.dot(b) + c.dot(c);
}
DDX_CHECK_GRADIENT(copied, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

double moved(double x, double y) {
  Vector a = powers(x, 3);
  Vector b = std::move(a);
  b[1] *= y;
  a = powers(y, 2);
  Vector c(2);
  c = std::move(b);
  return a.dot(a) * c.dot(c);
}
DDX_CHECK_GRADIENT(moved, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

// Each has the array of the other.
double swapped(double x, double y) {
  Vector a = powers(x, 3);
  Vector b = powers(y, 3);
  for (int i = 0; i < 3; ++i) {
    std::swap(a, b);
    a[1] *= b[2] + x;
  }
  return a.dot(a) + 2 * b.dot(b);
}
DDX_CHECK_GRADIENT(swapped, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

double operators(double x, double y) {
  const Vector a = powers(x, 4);
  const Vector b = y * a + x * powers(y, 4);
  return (a + b + a).dot(b);
}
DDX_CHECK_GRADIENT(operators, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

// The same addresses again and again, with other numbers.
double in_loop(double x, double y) {
  Vector state = powers(x, 2);
  for (int i = 0; i < 5; ++i) {
    Vector rate(2);
    rate[0] = state[1];
    rate[1] = -std::sin(state[0]) * y;
    state = state + 0.1 * rate;
    if (state[0] > 1.6) {
      break;
    }
  }
  return state[0] * x + state[1];
}
DDX_CHECK_GRADIENT(in_loop, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

double norm_unless_small(Vector v, double limit) {
  v[0] += limit;
  const double norm = v.dot(v);
  if (norm < limit) {
    return norm * norm;
  }
  Vector w = v;
  w += v;
  return std::sqrt(w.dot(v));
}

double returns_early(double x, double y) {
  const Vector v = powers(x, 3);
  return norm_unless_small(v, y) + norm_unless_small(v, 0.5) * v[1] +
         norm_unless_small(powers(y, 2), x);
}
DDX_CHECK_GRADIENT(returns_early, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

double checked(const Vector& v, std::size_t i) {
  if (i >= v.size()) {
    throw std::out_of_range("checked");
  }
  return v[i];
}

double guarded(double x, double y) {
  const Vector v = powers(x, 3);
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    sum += checked(v, i) * y;
  }
  return sum;
}
DDX_CHECK_GRADIENT(guarded, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

// A class template over the element, with rows.
template <class T>
class Matrix {
 public:
  Matrix(int rows, int cols) : rows_(rows), cols_(cols), data_(new T[rows * cols]()) {}
  Matrix(const Matrix& other) : Matrix(other.rows_, other.cols_) {
    for (int i = 0; i < rows_ * cols_; ++i) {
      data_[i] = other.data_[i];
    }
  }
  Matrix(Matrix&& other) noexcept
      : rows_(other.rows_), cols_(other.cols_), data_(std::exchange(other.data_, nullptr)) {}
  Matrix& operator=(Matrix other) noexcept {
    swap(other);
    return *this;
  }
  ~Matrix() { delete[] data_; }
  void swap(Matrix& other) noexcept {
    std::swap(rows_, other.rows_);
    std::swap(cols_, other.cols_);
    std::swap(data_, other.data_);
  }
  T& operator()(int i, int j) { return data_[i * cols_ + j]; }
  const T& operator()(int i, int j) const { return data_[i * cols_ + j]; }
  T* row(int i) { return data_ + i * cols_; }
  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int cols() const { return cols_; }

 private:
  int rows_;
  int cols_;
  T* data_;
};

template <class T>
Matrix<T> operator*(const Matrix<T>& a, const Matrix<T>& b) {
  Matrix<T> c(a.rows(), b.cols());
  for (int i = 0; i < a.rows(); ++i) {
    for (int j = 0; j < b.cols(); ++j) {
      for (int k = 0; k < a.cols(); ++k) {
        c(i, j) += a(i, k) * b(k, j);
      }
    }
  }
  return c;
}

double trace(const Matrix<double>& a) {
  double sum = 0;
  for (int i = 0; i < a.rows(); ++i) {
    sum += a(i, i);
  }
  return sum;
}

double products(double x, double y) {
  Matrix<double> a(2, 2);
  a(0, 0) = x;
  a(0, 1) = x * y;
  a(1, 0) = std::sin(y);
  a(1, 1) = 1;
  Matrix<double> power = a;
  for (int i = 0; i < 3; ++i) {
    power = power * a;
    double* row = power.row(1);
    row[0] *= 0.5;
    *(row + 1) += x;
  }
  return trace(power) + power(0, 1);
}
DDX_CHECK_GRADIENT(products, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

// The rule of three: without a move, what a function makes is copied or stays where it is.
class Polynomial {
 public:
  explicit Polynomial(int degree) : degree_(degree), c_(new double[degree + 1]{}) {}
  Polynomial(const Polynomial& other) : degree_(other.degree_), c_(new double[other.degree_ + 1]) {
    for (int i = 0; i <= degree_; ++i) {
      c_[i] = other.c_[i];
    }
  }
  Polynomial& operator=(const Polynomial& other) {
    if (this == &other) {
      return *this;
    }
    delete[] c_;
    degree_ = other.degree_;
    c_ = new double[degree_ + 1];
    for (int i = 0; i <= degree_; ++i) {
      c_[i] = other.c_[i];
    }
    return *this;
  }
  ~Polynomial() { delete[] c_; }
  double& operator[](int i) { return c_[i]; }
  [[nodiscard]] double operator()(double at) const {
    double value = 0;
    for (int i = degree_; i >= 0; --i) {
      value = value * at + c_[i];
    }
    return value;
  }
  [[nodiscard]] Polynomial slope() const {
    Polynomial result(degree_ > 0 ? degree_ - 1 : 0);
    for (int i = 1; i <= degree_; ++i) {
      result[i - 1] = i * c_[i];
    }
    return result;
  }

 private:
  int degree_;
  double* c_;
};

double scaled(Polynomial p, double by) {
  p[0] *= by;
  return p(by);
}

double rule_of_three(double x, double y) {
  Polynomial p(3);
  p[0] = y;
  p[1] = x;
  p[3] = x * y;
  Polynomial q = p.slope();
  q[1] += x;
  const double before = scaled(p, x) * scaled(q, y);
  p = q;
  return before + p(0.3) + p.slope()(y) * q(x);
}
DDX_CHECK_GRADIENT(rule_of_three, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

// What the library owns.
struct Buffer {
  explicit Buffer(int n) : size(n), data(std::make_unique<double[]>(static_cast<std::size_t>(n))) {}
  int size;
  std::unique_ptr<double[]> data;
  double& operator[](int i) { return data[static_cast<std::size_t>(i)]; }
};

Buffer smoothed(Buffer& from, double by) {
  Buffer to(from.size);
  for (int i = 1; i + 1 < from.size; ++i) {
    to[i] = from[i] + by * (from[i - 1] - 2 * from[i] + from[i + 1]);
  }
  return to;
}

double owned_by_library(double x, double y) {
  Buffer u(5);
  u[2] = x;
  u[3] = x * y;
  for (int i = 0; i < 4; ++i) {
    u = smoothed(u, y);
  }
  double sum = 0;
  for (int i = 0; i < u.size; ++i) {
    sum += u[i] * u[i];
  }
  return sum;
}
DDX_CHECK_GRADIENT(owned_by_library, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

double local_owners(double x, double y) {
  const std::size_t n = 4;
  auto a = std::make_unique<double[]>(n);
  std::unique_ptr<double[]> b(new double[n]);
  for (std::size_t i = 0; i < n; ++i) {
    a[i] += x * y;
    b[i] = a[i] * x;
  }
  a.swap(b);
  std::shared_ptr<double[]> c = std::move(a);
  double* raw = b.get();
  raw[1] *= c[2];
  b.reset(new double[n]());
  b[0] += x;
  return c[0] * c[1] + b[0] * b[1] + b[0] * y;
}
DDX_CHECK_GRADIENT(local_owners, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

double total(const double* first, const double* last) {
  double sum = 0;
  while (first != last) {
    sum += *first * *first;
    ++first;
  }
  return sum;
}

double walks(double x, double y) {
  const int n = 5;
  double* d = new double[n];
  double* at = d;
  for (int i = 0; i < n; ++i) {
    *at++ = x * i + y;
  }
  double* middle = d + 2;
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    sum += middle[i] * d[i];
  }
  for (double* p = d; p != d + n; ++p) {
    *p *= sum;
  }
  for (const double* p = d + n; p > d;) {
    --p;
    sum += *p * y;
  }
  const double result =
      total(d, d + n) + total(middle, middle + 2) + std::accumulate(d, d + n, 0.0);
  delete[] d;
  return result + sum;
}
DDX_CHECK_GRADIENT(walks, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

double library_functions(double x, double y) {
  const int n = 4;
  double* a = new double[n]();
  double* b = new double[n];
  std::fill(a, a + n, x);
  std::copy(a, a + n, b);
  b[1] = y;
  a[3] += x * y;
  const double inner = std::inner_product(a, a + n, b, 0.0);
  std::transform(a, a + n, b, [y](double v) { return v * y; });
  const double sum = std::accumulate(b, b + n, inner);
  delete[] a;
  delete[] b;
  return sum * x;
}
DDX_CHECK_GRADIENT(library_functions, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

// Members that are such objects: copied one by one.
struct Layer {
  Matrix<double> weights;
  Vector bias;
  Layer(int in, int out) : weights(out, in), bias(static_cast<std::size_t>(out)) {}
  [[nodiscard]] Vector operator()(const Vector& input) const {
    Vector output = bias;
    for (int i = 0; i < weights.rows(); ++i) {
      for (int j = 0; j < weights.cols(); ++j) {
        output[static_cast<std::size_t>(i)] += weights(i, j) * input[static_cast<std::size_t>(j)];
      }
    }
    for (double& each : output) {
      each = std::tanh(each);
    }
    return output;
  }
};

double network(double x, double y) {
  Layer first(2, 3);
  for (int i = 0; i < 3; ++i) {
    first.weights(i, i % 2) = x * (i + 1);
    first.bias[static_cast<std::size_t>(i)] = y;
  }
  Layer second = first;
  second.weights(1, 1) += y;
  Vector input(2);
  input[0] = y;
  input[1] = 0.3;
  const Vector hidden = first(input);
  Vector next(2);
  next[0] = hidden[0] + hidden[2];
  next[1] = hidden[1];
  const Vector output = second(next);
  return output.dot(hidden);
}
DDX_CHECK_GRADIENT(network, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

double in_vector(double x, double y) {
  std::vector<Vector> rows;
  for (int i = 0; i < 3; ++i) {
    rows.push_back(powers(x + i, 3));
  }
  rows[1][2] *= y;
  double sum = 0;
  for (const Vector& row : rows) {
    sum += row.dot(rows[1]);
  }
  return sum;
}
DDX_CHECK_GRADIENT(in_vector, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

// Growth by hand, as std::vector does it.
class Stack {
 public:
  Stack() = default;
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  ~Stack() { delete[] data_; }
  void push(double v) {
    if (size_ == capacity_) {
      const int larger = capacity_ == 0 ? 1 : 2 * capacity_;
      double* fresh = new double[static_cast<std::size_t>(larger)];
      for (int i = 0; i < size_; ++i) {
        fresh[i] = data_[i];
      }
      delete[] data_;
      data_ = fresh;
      capacity_ = larger;
    }
    data_[size_++] = v;
  }
  double pop() { return data_[--size_]; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

 private:
  double* data_ = nullptr;
  int size_ = 0;
  int capacity_ = 0;
};

double grows(double x, double y) {
  Stack stack;
  for (int i = 0; i < 5; ++i) {
    stack.push(x * i);
    stack.push(y + i);
    if (i % 2 == 1) {
      const double top = stack.pop();
      stack.push(top * stack.pop());
    }
  }
  double value = 1;
  while (!stack.empty()) {
    value = std::sin(value) * stack.pop() + x;
  }
  return value;
}
DDX_CHECK_GRADIENT(grows, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

// An object of its own behind the pointer: a copy makes another.
class Box {
 public:
  explicit Box(double v) : p_(std::make_unique<double>(v)) {}
  Box(const Box& other) : p_(std::make_unique<double>(*other.p_)) {}
  Box& operator=(const Box& other) {
    *p_ = *other.p_;
    return *this;
  }
  double& operator*() { return *p_; }

 private:
  std::unique_ptr<double> p_;
};

double doubled(Box box, double by) {
  *box *= by;
  return *box;
}

struct Pair {
  Box first;
  Box second;
};

double deep_copies(double x, double y) {
  Box a(x * y);
  Box b = a;
  *b *= 3;
  *a += y;
  const double from_copy = doubled(a, x);
  Pair one{a, b};
  Pair two = one;
  *two.first *= y;
  one = two;
  *two.second += x;
  return *a * *b + from_copy + *one.first * *one.second * *two.second;
}
DDX_CHECK_GRADIENT(deep_copies, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

}  // namespace
