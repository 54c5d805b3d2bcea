// Programs in which it matters when, where and how often a value is kept for the reverse sweep:
// each has a neighbour in which the cheaper way would be wrong.

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace {

using Vector = std::vector<double>;

const Vector four{0.7, -1.2, 0.4, 1.5};
const Vector one{0.9};
const Vector six{0.3, 1.1, -0.8, 0.6, 1.4, -0.5};

// --- equal values

double between_two_writes(double x) {
  double y = x;
  const double a = y * y;
  y = std::sin(y);
  const double b = y * y;
  y += x;
  return a * b + y * y;
}

void shrink(double& a, const double& b) {
  const double before = a * b;
  a *= 0.5;
  a += before * (a * b);
}

double through_another_name(double x) {
  double y = x;
  shrink(y, y);
  return y * y;
}

double in_arms_and_behind(const Vector& v, int n) {
  Vector w = v;
  double s = w[0] * w[0];
  for (int i = 0; i < n; ++i) {
    if (i % 2 == 0) {
      s += w[0] * w[1];
      w[0] += 0.1 * s;
    } else {
      s += w[0] * w[0];
    }
    s *= w[0];
  }
  return s + w[0] * w[1];
}

double in_segments(const Vector& v, int which) {
  Vector w = v;
  double s = 1;
  switch (which) {
    case 0:
      s += w[0] * w[0];
      w[0] = s;
      [[fallthrough]];
    case 1:
      s *= w[0] * w[0];
      break;
    default:
      w[0] *= w[0];
  }
  return s * w[0] * w[0];
}

// --- objects that nothing writes any more

double weighted(const Vector& weights, const Vector& v, int from) {
  double s = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    s += weights[(i + static_cast<std::size_t>(from)) % v.size()] * v[i] * v[i];
  }
  return s;
}

double settled(const Vector& v) {
  Vector weights(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) {
    weights[i] = std::exp(v[i]);
  }
  return weighted(weights, v, 0) * weighted(weights, weights, 1);
}

double written_by_a_later_iteration(const Vector& v, int n) {
  Vector weights(v.size(), 1.0);
  double s = 0;
  for (int k = 0; k < n; ++k) {
    s += weighted(weights, v, k);
    weights[0] += std::sin(s);
  }
  return s;
}

double written_behind(const Vector& v) {
  Vector weights = v;
  const double s = weighted(weights, v, 1);
  weights[1] = s * s;
  return s + weights[1] * weights[0];
}

double written_through_a_reference(const Vector& v) {
  Vector weights = v;
  double& second = weights[1];
  const double s = weighted(weights, v, 1);
  second *= s;
  return s * second + weights[1];
}

double one_per_iteration(const Vector& v, int n) {
  double s = 0;
  for (int k = 0; k < n; ++k) {
    Vector local(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) {
      local[i] = v[i] * (k + 1) + s;
    }
    if (k == 1) {
      continue;
    }
    s += 0.1 * weighted(local, local, k);
    if (s > 50) {
      break;
    }
  }
  return s;
}

double left_early(const Vector& v, int n) {
  std::array<double, 3> state{v[0], v[0] * v[0], 1.0};
  for (int k = 0; k < n; ++k) {
    const std::array<double, 3> next{state[1] * v[0], state[2] + state[0], state[0] * state[1]};
    for (int i = 0; i < 3; ++i) {
      if (next[static_cast<std::size_t>(i)] > 4) {
        return next[0] * next[1] * state[2];
      }
    }
    state = next;
  }
  return state[0] * state[1] * state[2];
}

Vector given_away(const Vector& v) {
  Vector made(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) {
    made[i] = v[i] * v[i];
  }
  const double s = weighted(made, v, 1);
  for (double& part : made) {
    part += s;
  }
  return made;
}

double uses_given_away(const Vector& v) {
  const Vector made = given_away(v);
  return weighted(made, made, 1);
}

// --- elements that a loop loads one after the other

double neighbours(const Vector& v) {
  double s = 0;
  const int n = static_cast<int>(v.size());
  for (int i = 1; i < n - 1; ++i) {
    s += v[i - 1] * v[i + 1] * v[i] + std::sin(v[i - 1] - s);
  }
  return s;
}

double neighbours_of_a_copy(const Vector& v) {
  Vector w = v;
  double s = 0;
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 1; i + 1 < w.size(); ++i) {
      s += w[i - 1] * w[i + 1] * w[i];
    }
    for (std::size_t i = 0; i < w.size(); ++i) {
      w[i] += 0.1 * std::sin(w[i] + s);
    }
  }
  return s;
}

double written_on_the_way(const Vector& v) {
  Vector w = v;
  double s = 0;
  for (std::size_t i = 1; i < w.size(); ++i) {
    s += w[i] * w[i - 1];
    w[i] += std::cos(w[i - 1]);
    s += w[i] * w[i];
  }
  return s;
}

double some_only(const Vector& v) {
  Vector w = v;
  double s = 0;
  for (int i = 0; i < static_cast<int>(w.size()); ++i) {
    if (i > 0) {
      s += w[i - 1] * w[i];
    }
    s *= 1.1;
  }
  w[0] = s;
  return w[0] * w[0];
}

double guarded(const Vector& v, int n) {
  Vector w = v;
  double s = 0;
  {
    for (int i = 0; i < n; ++i) {
      s += w.at(static_cast<std::size_t>(i)) * w[static_cast<std::size_t>(i)];
    }
  }
  w[0] = s;
  return w[0] * s;
}

double rows(const Vector& v, int n) {
  std::vector<Vector> table(3, Vector(static_cast<std::size_t>(n)));
  double s = 0;
  for (int round = 0; round < 2; ++round) {
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < n; ++c) {
        table[r][c] += v[c] * (r + 1) + s;
      }
      for (int c = 0; c + 1 < n; ++c) {
        s += 0.1 * table[r][c] * table[r][c + 1];
      }
    }
  }
  return s;
}

double flat_rows(const Vector& v, int columns) {
  Vector w = v;
  double s = 0;
  for (int round = 0; round < 2; ++round) {
    for (int r = 0; r < 2; ++r) {
      const int row = r * columns;
      for (int c = 0; c <= columns - 1; ++c) {
        s += w[row + c] * w[row + c] * (c + 1) + w[r * columns + c];
      }
    }
    w[1] *= 1 + 0.1 * s;
  }
  return s;
}

double sum_of_squares(const double* first, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += first[i] * first[i];
  }
  return s;
}

double slices(const Vector& v) {
  Vector w = v;
  double s = 0;
  for (int k = 0; k < 3; ++k) {
    s += sum_of_squares(w.data() + k, static_cast<int>(w.size()) - k);
    w[2] *= 0.5 * s;
  }
  return s;
}

double twice_over(const Vector& v, int n) {
  Vector w = v;
  double s = 0;
  double t = 1;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < n; ++i) {
      s += w[i] * w[i];
    }
    for (int i = 0; i < n; ++i) {
      for (int j = i + 1; j < n; ++j) {
        t += w[i] * s * w[j] * w[j];
      }
    }
    w[0] = 0.1 * t;
  }
  return s * t;
}

// --- increments that meet

double stencil(const Vector& v, int rounds) {
  Vector w = v;
  Vector next(v.size());
  const int n = static_cast<int>(v.size());
  for (int k = 0; k < rounds; ++k) {
    next[0] = w[0] * w[n - 1];
    for (int i = 1; i < n - 1; ++i) {
      next[i] = w[i] + 0.1 * (w[i + 1] - 2 * w[i] + w[i - 1]) * w[i] - 0.2 * w[i - 1];
    }
    next[n - 1] = w[n - 1] + std::sin(w[n - 2]);
    w = next;
  }
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += (i + 1) * w[i];
  }
  return s;
}

double scattered_and_elsewhere(const Vector& v, const std::vector<int>& order) {
  Vector w(v.size());
  Vector out(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) {
    w[i] = std::exp(0.5 * v[i]);
  }
  for (std::size_t i = 2; i < v.size(); ++i) {
    out[i] = w[i] * w[i - 2] + w[static_cast<std::size_t>(order[i])] * w[i - 1];
  }
  double s = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    s += out[i] * out[i] * (1.0 + static_cast<double>(i));
  }
  return s;
}

// --- iterations that commute, or not

double prefix_products(const Vector& v) {
  Vector w = v;
  for (std::size_t i = 1; i < w.size(); ++i) {
    w[i] = w[i - 1] * w[i] + w[i - 1];
  }
  double s = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    s += w[i] * static_cast<double>(i + 1);
  }
  return s;
}

double shifted(const Vector& v) {
  Vector w = v;
  for (std::size_t i = 0; i + 1 < w.size(); ++i) {
    w[i] = w[i + 1] * 1.5;
  }
  double s = 1;
  for (const double part : w) {
    s = s * part + part;
  }
  return s;
}

double scaled_in_place(const Vector& v, double factor) {
  Vector w = v;
  for (std::size_t i = 0; i < w.size(); ++i) {
    w[i] = w[i] * w[i] * factor;
  }
  for (std::size_t i = 0; i < w.size(); ++i) {
    w[i] += factor;
    w[i] *= 2;
  }
  return weighted(w, w, 1);
}

double one_place(const Vector& v) {
  Vector w = v;
  for (std::size_t i = 1; i < w.size(); ++i) {
    w[0] = w[0] * w[i];
    w[0] += w[i];
  }
  return w[0];
}

// --- of which only the last assignment counts

double greatest(const Vector& v) {
  double m = v[0];
  for (std::size_t i = 1; i < v.size(); ++i) {
    if (v[i] > m) {
      m = v[i];
    }
  }
  return m * m + v[0];
}

double greatest_square(const Vector& v) {
  double m = -1;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const double square = v[i] * v[i];
    if (square > m) {
      m = std::sin(square) + square * v[i];
    }
  }
  return m * m;
}

double range_of(const Vector& v) {
  double low = v[0];
  double high = v[0];
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    sum += v[i] * v[i];
    if (v[i] < low) {
      low = v[i];
    }
    if (v[i] > high) {
      high = v[i];
    }
  }
  return (high - low) * sum;
}

double of_each_round(const Vector& v, int rounds) {
  double s = 0;
  for (int k = 0; k < rounds; ++k) {
    double m = s;
    for (std::size_t i = 0; i < v.size(); ++i) {
      if (m < v[i] * (k + 1)) {
        m = v[i] * (k + 1);
      }
    }
    s += 0.5 * m * m;
  }
  return s;
}

double depends_on_itself(const Vector& v) {
  double m = v[0];
  for (std::size_t i = 1; i < v.size(); ++i) {
    if (v[i] > 0) {
      m = 0.5 * m + v[i] * v[i];
    }
  }
  return m;
}

double read_on_the_way(const Vector& v) {
  double m = v[0];
  double s = 0;
  for (std::size_t i = 1; i < v.size(); ++i) {
    if (v[i] > m) {
      m = v[i];
    }
    s += m * v[i];
  }
  return s * m;
}

/// The nearest of several points: only its distance counts.
double nearest(const Vector& v, const Vector& points) {
  double total = 0;
  for (std::size_t p = 0; p < points.size(); ++p) {
    double least = 1e9;
    for (std::size_t c = 0; c + 1 < v.size(); ++c) {
      double squared = 0;
      for (std::size_t i = 0; i < 2; ++i) {
        const double difference = points[p] - v[c + i];
        squared += difference * difference;
      }
      if (squared < least) {
        least = squared;
      }
    }
    total += least * v[0];
  }
  return total;
}

/// Each distance counts once more elsewhere: in front of the search, behind it, or in the next
/// iteration.
double nearest_and_others(const Vector& v, int which) {
  double total = 0;
  double least = 1e9;
  double carried = v[0];
  for (std::size_t c = 0; c < v.size(); ++c) {
    double squared = carried * v[c];
    for (int i = 0; i < 3; ++i) {
      squared += (v[c] - i) * (v[c] - i);
    }
    if (which == 0) {
      total += squared;
    }
    if (squared < least) {
      least = squared;
    }
    if (which == 1) {
      total += squared * v[c];
    }
    if (which == 2) {
      carried = squared * 0.1;
    }
  }
  return total + least * least;
}

double carried_to_the_nearest(const Vector& v) {
  double least = 1e9;
  double carried = v[0];
  for (const double x : v) {
    carried = carried * 0.5 + x * x;
    double squared = 0;
    for (int i = 0; i < 3; ++i) {
      squared += (x - i) * (carried - i);
    }
    if (squared < least) {
      least = squared;
    }
  }
  return least * least;
}

double with_an_else(const Vector& v) {
  double m = v[0];
  for (std::size_t i = 1; i < v.size(); ++i) {
    if (v[i] > m) {
      m = v[i];
    } else {
      m = 0.9 * m;
    }
  }
  return m * m;
}

// --- parts of one object, and the object

struct Layer {
  Vector weights, bias;
  DDX_DIFFERENTIABLE(Layer, weights, bias)
};

void rescale(const Vector& weights, const Vector& bias, Vector& out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = weights[i] * weights[i] * bias[i] + out[i] * bias[i];
  }
}

void rescale(const Layer& layer, Vector& weights) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = weights[i] * layer.weights[i] + layer.bias[i];
  }
}

double parts(const Vector& v) {
  Layer layer{v, v};
  rescale(layer.weights, layer.bias, layer.weights);
  rescale(layer.bias, layer.bias, layer.weights);
  rescale(layer, layer.weights);
  rescale(layer, layer.bias);
  return weighted(layer.weights, layer.bias, 1);
}

struct Scaled {
  Vector factors;
  double operator()(const Vector& v) const {
    Vector out(v.size());
    rescale(factors, v, out);
    rescale(v, factors, out);
    return weighted(out, out, 1) * factors[0];
  }
};

double through_a_functor(const Vector& v) {
  return Scaled{four}(v) + Scaled{{0.5, 1.5, -2, 0.25, 3, 1}}(v);
}

}  // namespace

DDX_CHECK_GRADIENT(between_two_writes, at(0.7), at(-1.3), at(2.0))
DDX_CHECK_GRADIENT(through_another_name, at(0.7), at(-1.3), at(2.0))
DDX_CHECK_GRADIENT(in_arms_and_behind, at(four, 0), at(four, 1), at(four, 5))
DDX_CHECK_GRADIENT(in_segments, at(four, 0), at(four, 1), at(four, 2))
DDX_CHECK_GRADIENT(settled, at(four), at(one), at(six))
DDX_CHECK_GRADIENT(written_by_a_later_iteration, at(four, 0), at(four, 1), at(four, 4))
DDX_CHECK_GRADIENT(written_behind, at(four), at(six), at(Vector{0.8, -0.3, 1.9}))
DDX_CHECK_GRADIENT(written_through_a_reference, at(four), at(six), at(Vector{0.8, -0.3, 1.9}))
DDX_CHECK_GRADIENT(one_per_iteration, at(four, 0), at(four, 2), at(four, 6))
DDX_CHECK_GRADIENT(left_early, at(one, 0), at(one, 1), at(Vector{1.6}, 9))
DDX_CHECK_GRADIENT(uses_given_away, at(four), at(one), at(six))
DDX_CHECK_GRADIENT(neighbours, at(four), at(one), at(six), at(Vector{1, 2, 3}))
DDX_CHECK_GRADIENT(neighbours_of_a_copy, at(four), at(one), at(six))
DDX_CHECK_GRADIENT(written_on_the_way, at(four), at(one), at(six))
DDX_CHECK_GRADIENT(some_only, at(four), at(one), at(six))
DDX_CHECK_GRADIENT(guarded, at(four, 4), at(four, 2), at(four, 0))
DDX_CHECK_GRADIENT(rows, at(four, 4), at(four, 1), at(four, 0))
DDX_CHECK_GRADIENT(flat_rows, at(six, 3), at(four, 2), at(four, 1))
DDX_CHECK_GRADIENT(slices, at(four), at(six), at(Vector{0.8, -0.3, 1.9}))
DDX_CHECK_GRADIENT(twice_over, at(four, 4), at(four, 1), at(four, 0))
DDX_CHECK_GRADIENT(stencil, at(four, 0), at(four, 1), at(six, 3), at(Vector{0.5, 1.5}, 2))
DDX_CHECK_GRADIENT(scattered_and_elsewhere, at(six, std::vector<int>{0, 0, 1, 1, 5, 2}),
                   at(four, std::vector<int>{3, 2, 1, 0}), at(one, std::vector<int>{0}))
DDX_CHECK_GRADIENT(prefix_products, at(four), at(one), at(six))
DDX_CHECK_GRADIENT(shifted, at(four), at(one), at(six))
DDX_CHECK_GRADIENT(scaled_in_place, at(four, 0.7), at(one, -1.1), at(six, 2.0))
DDX_CHECK_GRADIENT(one_place, at(four), at(one), at(six))
DDX_CHECK_GRADIENT(greatest, at(four), at(one), at(six))
DDX_CHECK_GRADIENT(greatest_square, at(four), at(one), at(six))
DDX_CHECK_GRADIENT(range_of, at(four), at(six), at(Vector{0.8, -0.3, 1.9}))
DDX_CHECK_GRADIENT(of_each_round, at(four, 0), at(four, 1), at(six, 4))
DDX_CHECK_GRADIENT(depends_on_itself, at(four), at(one), at(six))
DDX_CHECK_GRADIENT(read_on_the_way, at(four), at(one), at(six))
DDX_CHECK_GRADIENT(with_an_else, at(four), at(one), at(six))
DDX_CHECK_GRADIENT(nearest, at(four, six), at(six, four), at(Vector{0.3, 0.8}, one))
DDX_CHECK_GRADIENT(nearest_and_others, at(four, 0), at(four, 1), at(six, 2), at(six, 3))
DDX_CHECK_GRADIENT(carried_to_the_nearest, at(four), at(one), at(six))
DDX_CHECK_GRADIENT(parts, at(four), at(one), at(six))
DDX_CHECK_GRADIENT(through_a_functor, at(four), at(one), at(Vector{0.4, 0.9}))

TEST(DDX_SUITE, OfAFunctorWithValuesOfItsOwn) {
  const Scaled f{four};
  const auto by_differences = [&](const Vector& v) { return f(v); };
  const Vector slopes = ddx::gradient(f, four);
  for (std::size_t i = 0; i < four.size(); ++i) {
    Vector up = four;
    Vector down = four;
    up[i] += 1e-6;
    down[i] -= 1e-6;
    EXPECT_NEAR(slopes[i], (by_differences(up) - by_differences(down)) / 2e-6, 1e-6);
  }
}
