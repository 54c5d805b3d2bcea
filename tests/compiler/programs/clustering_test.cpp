// Lloyd's algorithm: each point to the nearest centre, each centre to the mean of its points.

#include "gradient_check.h"

#include <cmath>
#include <limits>
#include <vector>

namespace {

struct Point {
  double x;
  double y;
  DDX_DIFFERENTIABLE(Point, x, y)
};

double squared_distance(const Point& a, const Point& b) {
  const double dx = a.x - b.x;
  const double dy = a.y - b.y;
  return dx * dx + dy * dy;
}

std::size_t nearest(const std::vector<Point>& centres, const Point& p) {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::max();
  for (std::size_t c = 0; c < centres.size(); ++c) {
    if (const double d = squared_distance(centres[c], p); d < least) {
      least = d;
      best = c;
    }
  }
  return best;
}

double clustering(const std::vector<Point>& points, std::vector<Point> centres, double pull) {
  for (int n = 0; n < 3; ++n) {
    std::vector<Point> sums(centres.size());
    std::vector<int> counts(centres.size());
    for (const Point& p : points) {
      const std::size_t c = nearest(centres, p);
      sums[c].x += p.x;
      sums[c].y += p.y;
      ++counts[c];
    }
    for (std::size_t c = 0; c < centres.size(); ++c) {
      if (counts[c] == 0) {
        continue;
      }
      auto& [x, y] = centres[c];
      x += pull * (sums[c].x / counts[c] - x);
      y += pull * (sums[c].y / counts[c] - y);
    }
  }
  double spread = 0;
  for (const Point& p : points) {
    spread = 0.9 * spread + std::sqrt(1 + squared_distance(p, centres[nearest(centres, p)]));
  }
  return spread;
}

const std::vector<Point> points{{0.1, 0.3}, {0.4, 0.2}, {1.5, 1.1}, {1.7, 0.8}, {0.2, 1.9}};
DDX_CHECK_GRADIENT(clustering, at(points, std::vector<Point>{{0.0, 0.0}, {1.0, 1.0}}, 0.7),
                   at(points, std::vector<Point>{{0.5, 0.5}}, 0.4),
                   at(points, std::vector<Point>{{0.2, 0.1}, {2.0, 1.0}, {9.0, 9.0}}, 1.0))

}  // namespace
