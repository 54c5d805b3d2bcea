// A robot arm as a graph of shared nodes; transforms multiply down the tree.

#include "gradient_check.h"

#include <cmath>
#include <memory>
#include <vector>

namespace {

struct Transform {
  double c = 1;
  double s = 0;
  double x = 0;
  double y = 0;

  static Transform joint(double angle, double length) {
    return {std::cos(angle), std::sin(angle), length * std::cos(angle), length * std::sin(angle)};
  }
  Transform operator*(const Transform& o) const {
    return {c * o.c - s * o.s, s * o.c + c * o.s, c * o.x - s * o.y + x, s * o.x + c * o.y + y};
  }
};

struct Node {
  explicit Node(const Transform& t) : local(t) {}
  Transform local;
  std::vector<std::shared_ptr<Node>> children;
};

double reach(const std::shared_ptr<Node>& node, const Transform& parent) {
  const Transform world = parent * node->local;
  double sum = world.x * world.x + 0.5 * world.y;
  for (const auto& child : node->children) {
    sum = 0.8 * sum + reach(child, world);
  }
  return sum;
}

double scene_graph(double shoulder, double elbow, double length) {
  const auto root = std::make_shared<Node>(Transform::joint(shoulder, length));
  const auto arm = std::make_shared<Node>(Transform::joint(elbow, 0.7 * length));
  const auto hand = std::make_shared<Node>(Transform::joint(0.3, 0.2));
  arm->children.push_back(hand);
  root->children.push_back(arm);
  root->children.push_back(hand);
  hand->local.x += 0.1 * elbow;
  return reach(root, {});
}

DDX_CHECK_GRADIENT(scene_graph, at(0.13, 0.37, 0.8), at(-0.21, 0.71, 0.4), at(0.32, -0.57, 1.1))

}  // namespace
