// A Kalman filter over a small matrix class template with operators.

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <vector>

namespace {

template <int R, int C>
struct Matrix {
  std::array<std::array<double, C>, R> entries{};

  double& operator()(int i, int j) { return entries[i][j]; }
  const double& operator()(int i, int j) const { return entries[i][j]; }
  static Matrix identity() {
    Matrix m;
    for (int i = 0; i < R && i < C; ++i) {
      m(i, i) = 1;
    }
    return m;
  }
  [[nodiscard]] Matrix<C, R> transposed() const {
    Matrix<C, R> t;
    for (int i = 0; i < R; ++i) {
      for (int j = 0; j < C; ++j) {
        t(j, i) = (*this)(i, j);
      }
    }
    return t;
  }
  Matrix& operator+=(const Matrix& other) {
    for (int i = 0; i < R; ++i) {
      for (int j = 0; j < C; ++j) {
        entries[i][j] += other.entries[i][j];
      }
    }
    return *this;
  }
  friend Matrix operator+(Matrix a, const Matrix& b) { return a += b; }
  friend Matrix operator-(const Matrix& a, const Matrix& b) { return a + b * -1.0; }
  friend Matrix operator*(Matrix a, double s) {
    for (auto& row : a.entries) {
      for (double& e : row) {
        e *= s;
      }
    }
    return a;
  }
};

template <int R, int K, int C>
Matrix<R, C> operator*(const Matrix<R, K>& a, const Matrix<K, C>& b) {
  Matrix<R, C> c;
  for (int i = 0; i < R; ++i) {
    for (int j = 0; j < C; ++j) {
      for (int k = 0; k < K; ++k) {
        c(i, j) += a(i, k) * b(k, j);
      }
    }
  }
  return c;
}

double kalman_filter(double process_noise, double measurement_noise, double dt,
                     const std::vector<double>& measured) {
  Matrix<2, 1> state;
  state(0, 0) = measured.front();
  Matrix<2, 2> covariance = Matrix<2, 2>::identity() * 0.5;
  Matrix<2, 2> step = Matrix<2, 2>::identity();
  step(0, 1) = dt;
  Matrix<1, 2> observe;
  observe(0, 0) = 1;
  const Matrix<2, 2> q = Matrix<2, 2>::identity() * (process_noise * process_noise);
  double log_likelihood = 0;
  for (const double z : measured) {
    state = step * state;
    covariance = step * covariance * step.transposed() + q;
    const double s = (observe * covariance * observe.transposed())(0, 0) + measurement_noise;
    const double residual = z - (observe * state)(0, 0);
    log_likelihood -= 0.5 * (std::log(s) + residual * residual / s);
    const Matrix<2, 1> gain = covariance * observe.transposed() * (1 / s);
    state += gain * residual;
    covariance = (Matrix<2, 2>::identity() - gain * observe) * covariance;
  }
  return log_likelihood + state(1, 0) * covariance(0, 1);
}

DDX_CHECK_GRADIENT(kalman_filter, at(0.3, 0.5, 0.1, std::vector{0.2, 0.5, 0.4, 0.9}),
                   at(0.7, 0.2, 0.5, std::vector{1.0}),
                   at(0.1, 0.9, 0.3, std::vector{-0.5, 0.1, 0.8}))

}  // namespace
