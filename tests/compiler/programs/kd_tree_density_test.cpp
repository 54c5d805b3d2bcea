// A kernel density from a tree over points in the plane: the tree is built by nth_element.

#include "gradient_check.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

struct Point {
  double x[2];
};

struct Node {
  const Point* point;
  int axis;
  Node* child[2];
};

Node* build(std::vector<const Point*>& points, std::size_t begin, std::size_t end, int axis) {
  if (begin == end) {
    return nullptr;
  }
  const std::size_t middle = begin + (end - begin) / 2;
  std::nth_element(points.begin() + static_cast<long>(begin),
                   points.begin() + static_cast<long>(middle),
                   points.begin() + static_cast<long>(end),
                   [axis](const Point* a, const Point* b) { return a->x[axis] < b->x[axis]; });
  return new Node{
      points[middle],
      axis,
      {build(points, begin, middle, 1 - axis), build(points, middle + 1, end, 1 - axis)}};
}

void release(Node* node) {
  if (node != nullptr) {
    release(node->child[0]);
    release(node->child[1]);
    delete node;
  }
}

/// The sum of (1 - d² / r²)⁴ over the points within `radius` of `at`.
double density(const Node* node, const Point& at, double radius) {
  if (node == nullptr) {
    return 0;
  }
  double square = 0;
  for (int k = 0; k < 2; ++k) {
    square += (node->point->x[k] - at.x[k]) * (node->point->x[k] - at.x[k]);
  }
  const double rest = 1 - square / (radius * radius);
  double sum = rest > 0 ? rest * rest * rest * rest : 0;
  const double side = at.x[node->axis] - node->point->x[node->axis];
  sum += density(node->child[side > 0 ? 1 : 0], at, radius);
  if (std::fabs(side) < radius) {
    sum += density(node->child[side > 0 ? 0 : 1], at, radius);
  }
  return sum;
}

double kd_tree_density(const std::vector<double>& coordinates, double radius) {
  std::vector<Point> points;
  for (std::size_t i = 0; i + 1 < coordinates.size(); i += 2) {
    points.push_back({{coordinates[i], coordinates[i + 1]}});
  }
  std::vector<const Point*> order;
  for (const Point& p : points) {
    order.push_back(&p);
  }
  Node* root = build(order, 0, order.size(), 0);
  double log_density = 0;
  for (const Point& p : points) {
    log_density += std::log(density(root, p, radius));
  }
  log_density += density(root, {{0.4, 0.3}}, 2 * radius);
  release(root);
  return log_density;
}

DDX_CHECK_GRADIENT(kd_tree_density,
                   at(std::vector{0.5, 0.2, 0.9, 0.13, 0.3, 0.7, 0.75, 0.4, 0.62, 0.91}, 0.5),
                   at(std::vector{0.21, 0.3, 0.8, 0.6}, 0.7),
                   at(std::vector{0.1, 0.55, 0.45, 0.33, 0.9, 0.85}, 0.4))

}  // namespace
