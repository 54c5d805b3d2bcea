/// \file
/// Programs with parallel loops of OpenMP. They contain nothing about differentiation.

#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace ddx::bench {

/// The threads of the parallel loops.
inline int thread_count = 1;

/// Elementary functions of each number, and a reduction: bound by arithmetic.
inline double functions(const std::vector<double>& x) {
  const int count = static_cast<int>(x.size());
  std::vector<double> y(x.size());
  double sum = 0;
#pragma omp parallel for num_threads(thread_count)
  for (int i = 0; i < count; ++i) {
    y[i] = std::sin(x[i]) * std::exp(-x[i] * x[i]);
  }
#pragma omp parallel for reduction(+ : sum) num_threads(thread_count)
  for (int i = 0; i < count; ++i) {
    sum += y[i] * std::cos(y[i]);
  }
  return sum;
}

/// Diffusion along a line, by the conductivity of each cell: bound by memory.
inline double line(const std::vector<double>& x) {
  const int count = static_cast<int>(x.size());
  std::vector<double> now = x;
  std::vector<double> next(x.size());
  for (int step = 0; step < 4; ++step) {
    next[0] = now[0];
    next[count - 1] = now[count - 1];
#pragma omp parallel for num_threads(thread_count)
    for (int i = 1; i < count - 1; ++i) {
      next[i] = now[i] + 0.1 * (now[i - 1] - 2 * now[i] + now[i + 1]) * now[i];
    }
    std::swap(now, next);
  }
  double sum = 0;
  for (int i = 0; i < count; i += 16) {
    sum += now[i] * now[i];
  }
  return sum;
}

/// The same in a square: loops in parallel loops.
inline double square(const std::vector<double>& x) {
  const int width = static_cast<int>(std::lround(std::sqrt(static_cast<double>(x.size()))));
  std::vector<double> now = x;
  std::vector<double> next = x;
  for (int step = 0; step < 4; ++step) {
#pragma omp parallel for num_threads(thread_count)
    for (int i = 1; i < width - 1; ++i) {
      for (int j = 1; j < width - 1; ++j) {
        const int k = i * width + j;
        const double around = now[k - 1] + now[k + 1] + now[k - width] + now[k + width];
        next[k] = now[k] + 0.1 * (around - 4 * now[k]) * now[k];
      }
    }
    std::swap(now, next);
  }
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); i += 16) {
    sum += now[i] * now[i];
  }
  return sum;
}

/// Products of two arrays through pointers, and a reduction: bound by memory.
inline double products(const std::vector<double>& x) {
  const int count = static_cast<int>(x.size()) / 2;
  std::vector<double> results(x.size() / 2);
  const double* const a = x.data();
  const double* const b = a + count;
  double* const result = results.data();
  double sum = 0;
#pragma omp parallel for num_threads(thread_count)
  for (int i = 0; i < count; ++i) {
    result[i] = 1.5 * a[i] * b[i] + b[i];
  }
#pragma omp parallel for reduction(+ : sum) num_threads(thread_count)
  for (int i = 0; i < count; ++i) {
    sum += result[i] * result[i];
  }
  return sum;
}

}  // namespace ddx::bench
