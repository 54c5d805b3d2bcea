// What nested loops load of one array, copied in front of them; each beside a program in which the
// rows move otherwise, are written on the way, or are not all there.

#include "gradient_check.h"

#include <cmath>
#include <cstddef>
#include <vector>

namespace {

using Vector = std::vector<double>;

Vector grid(int count) {
  Vector v;
  for (int i = 0; i < count; ++i) {
    v.push_back(0.8 * std::sin(1.0 + 2.0 * i) + 0.1 * i);
  }
  return v;
}

/// Reads no corner: the first element of the array is the one north of the first cell, and the
/// last one south of the last.
double five_points(const Vector& given, int n, int m) {
  Vector u = given;
  double sum = 0;
  for (int i = 1; i < n - 1; ++i) {
    for (int j = 1; j < m - 1; ++j) {
      const int c = i * m + j - 1;
      const double flow = u[c - m] * u[c + m] - u[c - 1] * u[c + 1];
      sum += flow * u[c] * sum + u[c];
    }
  }
  u[0] = 7;
  return sum;
}

void step(std::size_t n, const Vector& k, const Vector& u, Vector& next) {
  for (std::size_t i = 1; i + 1 < n; ++i) {
    for (std::size_t j = 1; j + 1 < n; ++j) {
      next[i * n + j] = u[i * n + j] +
                        0.1 * k[i * n + j] * u[(i - 1) * n + j] * u[(i + 1) * n + j] +
                        0.1 * u[i * n + j - 1] * u[n * i + j + 1];
    }
  }
}

double through_time(const Vector& start, std::size_t n, int steps) {
  Vector u = start;
  Vector next = start;
  for (int s = 0; s < steps; ++s) {
    step(n, start, u, next);
    step(n, u, next, u);
  }
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    sum += u[i] * u[i] * static_cast<double>(i % 3 + 1);
  }
  return sum;
}

double windows(const Vector& v, int count, int width) {
  Vector w = v;
  double sum = 1;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < count; ++i) {
      double inner = 0;
      for (int k = 0; k < width; ++k) {
        inner += w[2 * i + k] * w[k] * std::sin(sum);
      }
      sum += 0.1 * inner;
    }
    for (double& x : w) {
      x *= 1.1;
    }
  }
  return sum;
}

double product(const Vector& given, int n) {
  Vector a = given;
  Vector b = given;
  Vector c(given.size(), 0.5);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        c[i * n + j] += a[i * n + k] * b[j * n + k] * c[i * n + j];
      }
    }
  }
  for (double& x : a) {
    x = 0;
  }
  for (double& x : b) {
    x = 1;
  }
  double sum = 0;
  for (const double x : c) {
    sum += x * x;
  }
  return sum + a[0] + b[0];
}

double written_between(const Vector& v, int n) {
  Vector u = v;
  double sum = 0;
  for (int i = 1; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      sum += u[i * n + j] * u[(i - 1) * n + j];
    }
    u[i * n] *= 0.5 * sum;
  }
  return sum * u[n];
}

double triangle(const Vector& v, int n) {
  Vector u = v;
  double sum = 1;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      sum += u[i * n + j] * std::sin(sum);
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int j = i; j < n; ++j) {
      sum += u[i * n + j] * std::sin(sum);
    }
  }
  u[0] = 0;
  return sum;
}

double growing_distance(const Vector& v, int n) {
  Vector u = v;
  double sum = 1;
  int distance = 1;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      sum += 0.1 * u[i * distance + j] * u[i * i + j] * sum;
    }
    ++distance;
  }
  u[0] = 0;
  return sum;
}

double backwards(const Vector& v, int n) {
  Vector u = v;
  double sum = 1;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      sum += 0.1 * u[(n - 1 - i) * n + j] * sum;
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = 0; j < n; ++j) {
      sum += 0.1 * u[i * n + j] * sum;
    }
  }
  u[0] = 0;
  return sum;
}

double left_on_the_way(const Vector& v, int n) {
  Vector u = v;
  double sum = 1;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      sum += 0.3 * u[i * n + j] * sum;
    }
    if (sum > 1.5) {
      break;
    }
  }
  for (int i = 0; i < 2 * n; ++i) {
    if (i >= n) {
      continue;
    }
    for (int j = 0; j < n; ++j) {
      sum += 0.3 * u[i * n + j] * sum;
    }
  }
  for (int i = 0; i < 2 * n; ++i) {
    if (i < n) {
      for (int j = 0; j < n; ++j) {
        sum += 0.3 * u[i * n + j] * sum;
      }
    }
  }
  u[0] = 0;
  return sum;
}

double two_rows_at_once(const Vector& v, int n) {
  Vector u = v;
  double sum = 1;
  for (int i = 0; i < n / 2; ++i) {
    const int row = 2 * n * i;
    for (int j = 0; j < n; ++j) {
      sum += 0.3 * u[row + j] * u[row + n + j] * sum;
    }
  }
  for (int i = 0; i < n; i += 2) {
    for (int j = 0; j < n; ++j) {
      sum += 0.3 * u[i * n + j] * u[i * n + 2 * n - 1 - j] * sum;
    }
  }
  u[0] = 0;
  return sum;
}

}  // namespace

DDX_CHECK_GRADIENT(five_points, at(grid(18), 4, 5), at(grid(7), 3, 3), at(grid(8), 4, 2),
                   at(grid(1), 1, 1), at(grid(33), 7, 5))
DDX_CHECK_GRADIENT(through_time, at(grid(16), std::size_t{4}, 2), at(grid(9), std::size_t{3}, 1),
                   at(grid(25), std::size_t{5}, 0))
DDX_CHECK_GRADIENT(windows, at(grid(8), 3, 4), at(grid(6), 3, 1), at(grid(6), 0, 4),
                   at(grid(6), 2, 0))
DDX_CHECK_GRADIENT(product, at(grid(9), 3), at(grid(4), 2), at(grid(1), 1))
DDX_CHECK_GRADIENT(written_between, at(grid(16), 4), at(grid(9), 3), at(grid(4), 2))
DDX_CHECK_GRADIENT(triangle, at(grid(16), 4), at(grid(9), 3), at(grid(1), 1))
DDX_CHECK_GRADIENT(growing_distance, at(grid(16), 3), at(grid(9), 2), at(grid(1), 1))
DDX_CHECK_GRADIENT(backwards, at(grid(16), 4), at(grid(9), 3), at(grid(1), 1))
DDX_CHECK_GRADIENT(left_on_the_way, at(grid(16), 4), at(grid(9), 3), at(grid(1), 1))
DDX_CHECK_GRADIENT(two_rows_at_once, at(grid(16), 4), at(grid(4), 2), at(grid(36), 6))
