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

// --- in objects

struct Field {
  Vector height, speed;
  double scale = 1;
};

void step(const Vector& bed, const Field& now, Field& next) {
  for (std::size_t i = 1; i + 1 < bed.size(); ++i) {
    next.height[i] = now.height[i] + 0.1 * (now.speed[i + 1] - now.speed[i - 1]) * now.scale;
    next.speed[i] = now.speed[i] * now.height[i - 1] - now.height[i + 1] * bed[i + 1] * bed[i - 1];
  }
}

double of_parts(const Vector& start, const Vector& bed, int steps) {
  Field now{start, bed, start[0]};
  Field next = now;
  for (int k = 0; k < steps; ++k) {
    step(bed, now, next);
    step(start, next, now);
  }
  return judged(now.height) + judged(next.speed) * now.scale;
}

double of_the_object_written(const Vector& start, const Vector& bed, int steps) {
  Field now{start, bed, bed[0]};
  for (int k = 0; k < steps; ++k) {
    step(bed, now, now);
  }
  return judged(now.height) + judged(now.speed);
}

double of_a_part_written(const Vector& start) {
  Field now{start, start, 1};
  step(now.height, now, now);
  for (std::size_t i = 1; i + 1 < start.size(); ++i) {
    now.speed[i] = now.speed[i] * now.speed[i - 1] + now.height[i + 1] * now.height[i - 1];
  }
  for (std::size_t i = 1; i + 1 < start.size(); ++i) {
    now.scale *= now.height[i + 1] - now.height[i - 1];
    now.scale += now.speed[i];
  }
  return now.scale + judged(now.speed);
}

double of_parts_and_the_object(const Vector& start, int rounds) {
  Field now{start, start, 0.5};
  Field kept = now;
  for (int k = 0; k < rounds; ++k) {
    for (std::size_t i = 1; i + 1 < start.size(); ++i) {
      now.height[i] = kept.height[i - 1] * kept.height[i + 1] + kept.speed[i];
    }
    kept = now;
    kept.speed.push_back(now.height[1]);
    for (std::size_t i = 1; i < kept.speed.size(); ++i) {
      kept.speed[i] = now.speed[i % start.size()] * kept.speed[i - 1];
    }
  }
  return judged(kept.height) + judged(kept.speed);
}

struct Pair {
  Field left, right;
};

double of_parts_of_parts(const Vector& start, int rounds) {
  Pair pair{{start, start, 2}, {start, start, 3}};
  for (int k = 0; k < rounds; ++k) {
    for (std::size_t i = 1; i + 1 < start.size(); ++i) {
      pair.right.height[i] = pair.left.height[i - 1] * pair.left.height[i + 1];
      pair.right.speed[i] = pair.left.height[i] + pair.left.speed[i - 1] * 0.5;
    }
    step(start, pair.right, pair.left);
  }
  return judged(pair.left.height) + judged(pair.right.speed) * pair.left.speed[1];
}

// --- in a plane: places that lie a row apart, which the loop inside does not know

void spread(int rows, int columns, const Vector& by, const Field& now, Field& next) {
  for (int i = 1; i < rows - 1; ++i) {
    for (int j = 1; j < columns - 1; ++j) {
      const auto c = static_cast<std::size_t>(i * columns + j);
      const auto n = static_cast<std::size_t>(columns);
      next.height[c] = now.height[c - n] * by[c] + now.height[c + n] * by[c - n] - by[c + n];
      next.speed[c] += now.height[c - 1] * now.height[c + 1] + by[c - 1] * by[c + 1] / now.scale;
    }
  }
}

double of_a_plane(const Vector& start, const Vector& by, int rows, int steps) {
  Field now{start, by, 2};
  Field next{by, start, 3};
  const int columns = static_cast<int>(start.size()) / rows;
  for (int k = 0; k < steps; ++k) {
    spread(rows, columns, by, now, next);
    spread(rows, columns, start, next, now);
  }
  return judged(now.height) + judged(next.speed);
}

// Rows overlap: the places of one row are those of the next.
double of_overlapping_rows(const Vector& v, int distance) {
  Vector w(v.size());
  int i = 0;
  while (i < 3) {
    for (std::size_t j = 0; j + 4 < v.size(); ++j) {
      const auto d = static_cast<std::size_t>(i * distance);
      w[j] += v[j + d] * v[j] + v[j + 1] * v[j + d + 1] * v[j + static_cast<std::size_t>(distance)];
    }
    i += 1;
  }
  return judged(w);
}

const Vector plane{0.3, 1.1, -0.8, 0.6, 1.4, -0.5, 0.7,  -1.2, 0.4,   1.5,  0.2,  0.9,  -0.3, 0.8,
                   1.3, 0.1, -0.6, 0.5, 1.2, -0.9, 0.35, 0.65, -0.15, 0.45, 0.95, 1.05, -0.7, 0.25};
const Vector other_plane(plane.rbegin(), plane.rend());

}  // namespace

DDX_CHECK_GRADIENT(of_a_plane, at(plane, other_plane, 4, 2), at(other_plane, plane, 7, 1),
                   at(plane, plane, 2, 3))
DDX_CHECK_GRADIENT(of_overlapping_rows, at(plane, 1), at(other_plane, 0), at(six, 1))
DDX_CHECK_GRADIENT(of_another_array, at(four, 0.7), at(three, -1.1), at(six, 2.0))
DDX_CHECK_GRADIENT(of_the_array_written, at(four, 0.7), at(three, -1.1), at(six, 0.4))
DDX_CHECK_GRADIENT(of_parts, at(four, four, 0), at(six, six, 1), at(four, three, 0),
                   at(four, four, 3))
DDX_CHECK_GRADIENT(of_the_object_written, at(four, four, 2), at(six, six, 1), at(three, three, 0))
DDX_CHECK_GRADIENT(of_a_part_written, at(four), at(six), at(three))
DDX_CHECK_GRADIENT(of_parts_and_the_object, at(four, 1), at(six, 2), at(three, 0))
DDX_CHECK_GRADIENT(of_parts_of_parts, at(four, 1), at(six, 2), at(three, 0))
