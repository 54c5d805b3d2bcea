// A search tree of unique_ptr, filled and folded recursively.

#include "gradient_check.h"

#include <cmath>
#include <memory>
#include <vector>

namespace {

struct Node {
  double key;
  double weight;
  std::unique_ptr<Node> left;
  std::unique_ptr<Node> right;
};

void insert(std::unique_ptr<Node>& root, double key, double weight) {
  if (!root) {
    root = std::make_unique<Node>();
    root->key = key;
    root->weight = weight;
    return;
  }
  if (key < root->key) {
    insert(root->left, key, weight);
  } else {
    insert(root->right, key, weight);
  }
}

double fold(const Node* node, double depth) {
  if (node == nullptr) {
    return 0.1 * depth;
  }
  const double below = fold(node->left.get(), depth + 1) - 0.5 * fold(node->right.get(), depth + 1);
  return std::tanh(below) * node->key + node->weight * depth;
}

double binary_tree(const std::vector<double>& keys, double scale) {
  std::unique_ptr<Node> root;
  double weight = 1;
  for (const double key : keys) {
    insert(root, key * scale, weight);
    weight *= 0.7 * key;
  }
  return fold(root.get(), scale);
}

DDX_CHECK_GRADIENT(binary_tree, at(std::vector{0.5, 0.2, 0.9, 0.7}, 1.2), at(std::vector{1.0}, 0.7),
                   at(std::vector{0.3, 0.8, -0.4}, 1.5))

}  // namespace
