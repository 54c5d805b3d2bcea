// Loops of which only the last time that a branch was taken counts, and such that look like it.

#include "gradient_check.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace {

using Vector = std::vector<double>;

/// Two numbers are written together.
double nearest_and_its_weight(const Vector& v, double x) {
  double nearest = 1e300;
  double weight = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const double distance = (v[i] - x) * (v[i] - x);
    if (distance < nearest) {
      nearest = distance;
      weight = v[i] * v[i] * x;
    }
  }
  return std::sqrt(1 + nearest) * weight;
}

/// The second best is what was the best before: each time counts.
double two_smallest(const Vector& v) {
  double best = 50;
  double second = 100;
  for (const double e : v) {
    const double squared = e * e;
    if (squared < best) {
      second = best;
      best = squared;
    }
  }
  return best * 3 + second * second;
}

/// The same number is written twice in the branch.
double written_twice(const Vector& v) {
  double found = 1;
  for (const double e : v) {
    if (e > 0.5) {
      found = e * e;
      found = found * e;
    }
  }
  return found * found;
}

/// One of the two is read elsewhere in the loop.
double also_read(const Vector& v) {
  double best = -10;
  double bonus = 1;
  double sum = 0;
  for (const double e : v) {
    if (e > best) {
      best = e;
      bonus = e * e;
    }
    sum += bonus * e;
  }
  return best * sum;
}

/// A long iteration: the squared distance takes a loop of its own.
double nearest_centre(const Vector& centres, const Vector& point) {
  const std::size_t dimension = point.size();
  double nearest = std::numeric_limits<double>::infinity();
  int number = -1;
  for (std::size_t c = 0; c * dimension < centres.size(); ++c) {
    double squared = 0;
    for (std::size_t i = 0; i < dimension; ++i) {
      const double difference = centres[c * dimension + i] - point[i];
      squared += difference * difference;
    }
    if (squared < nearest) {
      nearest = squared;
      number = static_cast<int>(c);
    }
  }
  return number < 0 ? 0 : nearest * (1 + number);
}

/// An inactive number is written with the active one.
double with_a_number(const Vector& v) {
  double best = 0;
  int at = -1;
  for (int i = 0; i < static_cast<int>(v.size()); ++i) {
    if (v[static_cast<std::size_t>(i)] > best) {
      best = v[static_cast<std::size_t>(i)];
      at = i;
    }
  }
  return best * best * (at + 2);
}

/// Each row has its own last time.
double of_rows(const Vector& v, int columns) {
  double sum = 0;
  for (std::size_t row = 0; row < v.size(); row += static_cast<std::size_t>(columns)) {
    double most = -100;
    double partner = 0;
    for (int j = 0; j < columns; ++j) {
      const double e = v[row + static_cast<std::size_t>(j)];
      if (e > most) {
        most = e;
        partner = e * sum;
      }
    }
    sum += most * most + partner;
  }
  return sum;
}

}  // namespace

DDX_CHECK_GRADIENT(nearest_and_its_weight, at(Vector{0.2, 1.5, 0.9, 0.1}, 0.7),
                   at(Vector{3.0}, 0.7), at(Vector{}, 0.7), at(Vector{4, 3, 2}, 0.5))
DDX_CHECK_GRADIENT(two_smallest, at(Vector{2.0, 1.5, 0.9, 3.0, 0.4}), at(Vector{3.0}), at(Vector{}))
DDX_CHECK_GRADIENT(written_twice, at(Vector{2.0, 0.1, 0.9, 0.2}), at(Vector{0.1}), at(Vector{}))
DDX_CHECK_GRADIENT(also_read, at(Vector{0.4, 0.1, 0.9, 0.2}), at(Vector{0.1}), at(Vector{}))
DDX_CHECK_GRADIENT(nearest_centre, at(Vector{2, 1, 0.5, 0.3, 4, 4}, Vector{0.4, 0.6}),
                   at(Vector{2, 1}, Vector{0.4, 0.6}), at(Vector{}, Vector{0.4}))
DDX_CHECK_GRADIENT(with_a_number, at(Vector{0.4, 0.1, 0.9, 0.2}), at(Vector{-0.1}), at(Vector{}))
DDX_CHECK_GRADIENT(of_rows, at(Vector{0.4, 0.1, 0.9, 0.2, 0.6, 0.3}, 3), at(Vector{0.1}, 1),
                   at(Vector{}, 2))
