// Sines and cosines of one angle: the one behind the other is read off it.

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace {

double sine_first(double x, double y) {
  const double s = std::sin(x);
  const double c = std::cos(x);
  return s * y + c * c * s;
}

double cosine_first(double x, double y) {
  const double c = std::cos(x);
  const double s = std::sin(x);
  return s * y - c * c * s;
}

float in_float(float x) {
  return std::cos(x) * x - std::sin(x) * std::cos(x);
}

/// Only the second of them counts: there is no first one to read it off.
double first_unused(double x) {
  const double s = std::sin(x);
  (void)s;
  return std::cos(x) * x;
}

/// The angle has another value between the two.
double angle_changes(double x, double y) {
  double angle = x * y;
  const double s = std::sin(angle);
  angle += s;
  const double c = std::cos(angle);
  angle = 0;
  return s * c + std::sin(angle + x);
}

/// What a branch computes is not known behind it.
double in_branches(double x, int mode) {
  double sum = x;
  if (mode > 0) {
    sum += std::sin(x) * 2;
  }
  sum *= std::cos(x);
  if (mode > 1) {
    sum -= std::sin(x);
  } else {
    sum += std::sin(x) * std::cos(x * x) - std::sin(x * x);
  }
  return sum;
}

/// One is before the loop, the others in it; the angle of the inner pair is another one each time.
double around_a_loop(double x, int trips) {
  const double c = std::cos(x);
  double sum = c;
  for (int i = 0; i < trips; ++i) {
    const double turned = sum * x + i;
    sum += std::sin(x) * std::sin(turned) - 0.5 * std::cos(turned) * sum;
  }
  return sum * sum;
}

struct Point {
  double x = 0, y = 0;
};

Point rotated(const Point& p, double angle) {
  return {p.x * std::cos(angle) - p.y * std::sin(angle),
          p.x * std::sin(angle) + p.y * std::cos(angle)};
}

double chain_of_arms(const std::vector<double>& angles) {
  Point end{1, 0.5};
  double bend = 0;
  for (const double angle : angles) {
    bend += angle;
    end = rotated(end, bend);
    end.x += 0.25 * bend;
  }
  return end.x * end.x + 3 * end.y;
}

double left_between(double x, double limit) {
  const double s = std::sin(x);
  if (s > limit) {
    return s * s;
  }
  return std::cos(x) - s;
}

/// An angle that only one of the two depends on as a number of its own.
double converted(float x) {
  const double wide = x;
  return std::sin(wide) * std::cos(x) + std::cos(wide);
}

double of_elements(const std::vector<double>& v) {
  std::vector<double> w = v;
  double sum = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    sum += std::sin(w[i]) * std::cos(w[i]);
    w[i] = sum;
    sum += std::cos(w[i]) * std::cos(w[w.size() - 1 - i]);
  }
  return sum;
}

double negated(double x) {
  return std::sin(-x) * std::cos(-x) + std::cos(x) * std::sin(x);
}

}  // namespace

DDX_CHECK_GRADIENT(sine_first, at(0.3, 0.7), at(0.0, 1.0), at(-2.0, 0.4))
DDX_CHECK_GRADIENT(cosine_first, at(0.3, 0.7), at(0.0, 1.0), at(-2.0, 0.4))
DDX_CHECK_GRADIENT_FLOAT(in_float, at(-1.0f), at(0.7f), at(0.0f))
DDX_CHECK_GRADIENT(first_unused, at(0.4), at(-1.0), at(0.0))
DDX_CHECK_GRADIENT(angle_changes, at(0.3, 0.7), at(-1.2, 0.9), at(0.0, 2.0))
DDX_CHECK_GRADIENT(in_branches, at(0.4, 0), at(0.4, 1), at(1.3, 2))
DDX_CHECK_GRADIENT(around_a_loop, at(0.4, 0), at(0.4, 1), at(-0.7, 5))
DDX_CHECK_GRADIENT(chain_of_arms, at(std::vector{0.2, 1.5, -0.9}), at(std::vector<double>{}),
                   at(std::vector{0.3}))
DDX_CHECK_GRADIENT(left_between, at(0.4, 0.2), at(0.4, 0.9), at(-1.0, -2.0))
DDX_CHECK_GRADIENT_FLOAT(converted, at(0.4f), at(-1.3f), at(0.0f))
DDX_CHECK_GRADIENT(of_elements, at(std::vector{0.2, 1.5, 0.9}), at(std::vector<double>{}),
                   at(std::vector{0.3}))
DDX_CHECK_GRADIENT(negated, at(0.4), at(-1.0), at(0.0))
