// Local vectors whose adjoints an array of the final length can hold, each beside one where it
// cannot: vectors that shrink, are filled again, swapped, left early, or passed as a whole.

#include "ddx/core/error.h"

#include "gradient_check.h"

#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace {

using Vector = std::vector<double>;

const Vector four{0.7, -1.2, 0.4, 1.5};
const Vector one{0.9};
const Vector six{0.3, 1.1, -0.8, 0.6, 1.4, -0.5};

// --- results

Vector grown(const Vector& v, Vector w, double weight) {
  Vector out;
  for (std::size_t i = 0; i < v.size(); ++i) {
    w[i] = w[i] * w[i] * weight + v[i];
    if (w[i] > 0.5) {
      out.push_back(w[i] * v[i]);
    }
  }
  for (std::size_t i = 1; i < w.size(); ++i) {
    w[i] = w[i] + 0.5 * w[i - 1];
  }
  for (std::size_t i = 0; i < w.size(); ++i) {
    out.push_back(w[i]);
  }
  return out;
}

double grown_energy(const Vector& v, double weight) {
  const Vector out = grown(v, v, weight);
  double sum = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    sum += out[i] * out[i] * static_cast<double>(i + 1);
  }
  return sum;
}

Vector slope(const Vector& x, const Vector& y) {
  Vector dy(x.size());
  dy[0] = x[0];
  for (std::size_t i = 1; i < x.size(); ++i) {
    dy[i] = x[i] * y[i - 1];
  }
  return dy;
}

double through_time(const Vector& x, int steps) {
  Vector y(x.size());
  Vector between(x.size());
  for (int s = 0; s < steps; ++s) {
    const Vector k1 = slope(x, y);
    for (std::size_t i = 0; i < x.size(); ++i) {
      between[i] = y[i] + 0.5 * k1[i];
    }
    const Vector k2 = slope(x, between);
    for (std::size_t i = 0; i < x.size(); ++i) {
      y[i] += 0.1 * (k1[i] + 2 * k2[i]);
    }
  }
  return y[x.size() - 1] * y[0];
}

/// The result of a call is stored, passed to a function, returned, or not used.
Vector results_of_calls(const Vector& x) {
  Vector y = slope(x, x);
  y = slope(y, x);
  slope(x, y);
  const Vector z = slope(slope(x, y), slope(y, y));
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] += z[i] * y[i];
  }
  return slope(z, y);
}

Vector by_one_of_two_ways(const Vector& v, bool first) {
  Vector a(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) {
    a[i] = v[i] * v[i];
  }
  if (first) {
    return a;
  }
  Vector b = a;
  b.push_back(a[0] * v[0]);
  return b;
}

Vector of_a_parameter(Vector v, const Vector& w) {
  for (std::size_t i = 0; i < v.size(); ++i) {
    v[i] *= w[i];
  }
  return v;
}

Vector returned_as_it_came(const Vector& v) {
  const Vector w = of_a_parameter(v, v);
  return of_a_parameter(w, v);
}

Vector of_braces(double x, double y) {
  Vector v{x * y, x + y, 3.0};
  v[2] += v[0] * v[1];
  return v;
}

std::vector<float> single(const std::vector<float>& v) {
  std::vector<float> out;
  for (const float x : v) {
    out.push_back(x * x);
    out.push_back(out[0] * x);
  }
  return out;
}

// --- copies

double copies(const Vector& v) {
  Vector a = v;
  Vector b = a;
  for (std::size_t i = 0; i < a.size(); ++i) {
    b[i] *= a[i];
    a[i] += b[i] * b[i];
  }
  Vector c = b;
  c.push_back(a[0]);
  for (double& x : c) {
    x *= x;
  }
  a = c;
  return std::accumulate(a.begin(), a.end(), 0.0) * b[0];
}

struct Pair {
  Vector first, second;
};

double copied_into_fields(const Vector& v) {
  Vector a;
  for (const double x : v) {
    a.push_back(x * x);
  }
  Pair pair{a, v};
  pair.second = a;
  pair.first[0] *= pair.second[0];
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += pair.first[i] * a[i] * pair.second[i];
  }
  return sum;
}

double rows_of_rows(const Vector& v, int n) {
  std::vector<Vector> rows;
  for (int k = 0; k < n; ++k) {
    Vector row;
    for (const double x : v) {
      row.push_back(x * (k + 1));
      if (row.size() > 1) {
        row.push_back(row[row.size() - 2] * x);
      }
    }
    rows.push_back(row);
    row[0] = 7;
  }
  double sum = 0;
  for (const Vector& row : rows) {
    for (const double x : row) {
      sum += x * x;
    }
  }
  return sum;
}

// --- lengths

double filled(const Vector& v, double x) {
  Vector w(v.size(), x * x);
  for (std::size_t i = 0; i < v.size(); ++i) {
    w[i] *= v[i] + x;
  }
  return std::accumulate(w.begin(), w.end(), 0.0) * w[0];
}

double filled_and_appended(const Vector& v, double x) {
  Vector w(2, x);
  for (const double y : v) {
    w.push_back(y * w[0]);
    w[1] += y * y;
  }
  return std::accumulate(w.begin(), w.end(), 0.0) * w.back();
}

double made_longer_twice(const Vector& v) {
  Vector w(1);
  w[0] = v[0];
  w.resize(v.size() + 1);
  for (std::size_t i = 0; i < v.size(); ++i) {
    w[i + 1] = w[i] * v[i] + v[i];
  }
  return w.back() * w[0];
}

double made_shorter(const Vector& v) {
  Vector w;
  double sum = 0;
  for (const double x : v) {
    w.push_back(x * x);
    w.push_back(x);
    sum += w[w.size() - 2] * w.back();
    if (x > 0.5) {
      w.pop_back();
    }
  }
  for (std::size_t i = 0; i < w.size(); ++i) {
    sum += w[i] * static_cast<double>(i);
  }
  w.clear();
  w.push_back(sum * v[0]);
  return w[0] * sum;
}

double in_rounds(const Vector& v, int rounds) {
  double sum = 1;
  for (int k = 0; k < rounds; ++k) {
    Vector w;
    for (const double x : v) {
      w.push_back(x * sum * 0.1);
    }
    if (k == 1) {
      continue;
    }
    w.push_back(sum);
    sum += std::sin(w[0]) * w.back();
    if (sum > 4) {
      break;
    }
    Vector z(w.size());
    for (std::size_t i = 0; i < w.size(); ++i) {
      z[i] = w[i] * w[i];
    }
    sum += 0.1 * z[z.size() - 1];
  }
  return sum;
}

double room_taken_first(const Vector& v) {
  Vector w;
  w.reserve(v.size());
  for (const double x : v) {
    w.push_back(x * x * x);
  }
  return std::inner_product(w.begin(), w.end(), v.begin(), 0.0);
}

double exchanged(const Vector& v, int steps) {
  Vector now = v;
  Vector next(v.size());
  for (int s = 0; s < steps; ++s) {
    for (std::size_t i = 0; i < v.size(); ++i) {
      next[i] = now[i] + 0.1 * now[(i + 1) % v.size()] * now[i];
    }
    std::swap(now, next);
  }
  return now[0] * now[v.size() - 1];
}

}  // namespace

DDX_CHECK_GRADIENT(grown, at(four, four, 0.7), at(six, six, -0.4), at(one, one, 1.1),
                   at(Vector{}, Vector{}, 1.1))
DDX_CHECK_GRADIENT(grown_energy, at(four, 0.7), at(six, -0.4), at(one, 1.1))
DDX_CHECK_GRADIENT(slope, at(four, four), at(one, one), at(six, six))
DDX_CHECK_GRADIENT(through_time, at(four, 0), at(four, 1), at(six, 3))
DDX_CHECK_GRADIENT(results_of_calls, at(four), at(one), at(six))
DDX_CHECK_GRADIENT(by_one_of_two_ways, at(four, true), at(four, false), at(one, false))
DDX_CHECK_GRADIENT(returned_as_it_came, at(four), at(one), at(Vector{}))
DDX_CHECK_GRADIENT(of_braces, at(0.7, -1.2), at(2.0, 0.3), at(-0.4, -0.9))
DDX_CHECK_GRADIENT_FLOAT(single, at(std::vector<float>{0.5F, -0.75F}), at(std::vector<float>{1.5F}),
                         at(std::vector<float>{}))
DDX_CHECK_GRADIENT(copies, at(four), at(one), at(six))
DDX_CHECK_GRADIENT(copied_into_fields, at(four), at(one), at(six))
DDX_CHECK_GRADIENT(rows_of_rows, at(four, 2), at(one, 1), at(four, 0))
DDX_CHECK_GRADIENT(filled, at(four, 0.7), at(one, -0.3), at(six, 1.2))
DDX_CHECK_GRADIENT(filled_and_appended, at(four, 0.7), at(one, -0.3), at(six, 1.2))
DDX_CHECK_GRADIENT(made_longer_twice, at(four), at(one), at(six))
DDX_CHECK_GRADIENT(made_shorter, at(four), at(one), at(six))
DDX_CHECK_GRADIENT(in_rounds, at(four, 0), at(four, 2), at(four, 9))
DDX_CHECK_GRADIENT(room_taken_first, at(four), at(one), at(six))
DDX_CHECK_GRADIENT(exchanged, at(four, 0), at(four, 1), at(six, 4))

#ifdef __DDX__
TEST(Pullback, TakesNoElementsForZeros) {
  const auto result = ddx::value_with_pullback(grown, four, four, 0.7);
  const auto [d_v, d_w, d_weight] = result.pullback({});
  EXPECT_EQ(d_v, Vector(4));
  EXPECT_EQ(d_w, Vector(4));
  EXPECT_EQ(d_weight, 0);
}

TEST(Pullback, RefusesACotangentOfAnotherLength) {
  const auto result = ddx::value_with_pullback(grown, four, four, 0.7);
  EXPECT_THROW((void)result.pullback(Vector(result.value.size() + 1)), ddx::UsageError);
}
#endif
