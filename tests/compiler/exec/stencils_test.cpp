// Loops that read neighbours of an element: their adjoints are increments at several places that
// move together, of arrays by any name and in any object.

#include "gradient_check.h"

#include <cstddef>
#include <vector>

namespace {

using Vector = std::vector<double>;

const Vector three{0.8, -0.3, 1.9};
const Vector four{0.7, -1.2, 0.4, 1.5};
const Vector six{0.3, 1.1, -0.8, 0.6, 1.4, -0.5};

double judged(const Vector& v) {
  double s = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    s += v[i] * v[i] * (1.0 + 0.3 * static_cast<double>(i));
  }
  return s;
}

// --- by two names

void smooth(const Vector& v, Vector& next, double weight) {
  for (std::size_t i = 1; i + 1 < v.size(); ++i) {
    next[i] = weight * (v[i - 1] * v[i + 1]) + v[i];
  }
}

double of_another_array(const Vector& v, double weight) {
  Vector next = v;
  smooth(v, next, weight);
  Vector last = next;
  smooth(next, last, weight);
  return judged(last);
}

double of_the_array_written(const Vector& v, double weight) {
  Vector w = v;
  smooth(w, w, weight);
  smooth(w, w, weight);
  return judged(w);
}

}  // namespace

DDX_CHECK_GRADIENT(of_another_array, at(four, 0.7), at(three, -1.1), at(six, 2.0))
DDX_CHECK_GRADIENT(of_the_array_written, at(four, 0.7), at(three, -1.1), at(six, 0.4))
