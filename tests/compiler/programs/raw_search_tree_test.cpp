// A treap over raw pointers: nodes rotate upwards as they are inserted; sums over ranges of keys.

#include "gradient_check.h"

#include <cmath>
#include <vector>

namespace {

struct Node {
  double key;
  double value;
  unsigned priority;
  Node* left = nullptr;
  Node* right = nullptr;
};

void rotate_right(Node*& root) {
  Node* const up = root->left;
  root->left = up->right;
  up->right = root;
  root = up;
}

void rotate_left(Node*& root) {
  Node* const up = root->right;
  root->right = up->left;
  up->left = root;
  root = up;
}

void insert(Node*& root, Node* node) {
  if (root == nullptr) {
    root = node;
  } else if (node->key < root->key) {
    insert(root->left, node);
    if (root->left->priority > root->priority) {
      rotate_right(root);
    }
  } else {
    insert(root->right, node);
    if (root->right->priority > root->priority) {
      rotate_left(root);
    }
  }
}

double sum_below(const Node* root, double bound) {
  if (root == nullptr) {
    return 0;
  }
  const double left = sum_below(root->left, bound);
  if (root->key >= bound) {
    return left;
  }
  return left + root->value * (bound - root->key) + sum_below(root->right, bound);
}

void remove_all(Node* root) {
  if (root != nullptr) {
    remove_all(root->left);
    remove_all(root->right);
    delete root;
  }
}

double raw_search_tree(const std::vector<double>& keys, double strength, double bound) {
  Node* root = nullptr;
  unsigned random = 7;
  for (const double k : keys) {
    random = random * 1664525U + 1013904223U;
    insert(root, new Node{k, strength * std::exp(-k), random >> 8});
  }
  root->value *= 1.5;
  const double sum = sum_below(root, bound) + 0.3 * sum_below(root, 2 * bound);
  remove_all(root);
  return sum * sum;
}

DDX_CHECK_GRADIENT(raw_search_tree, at(std::vector{0.5, -0.2, 0.9, 0.1, 0.7}, 0.8, 0.6),
                   at(std::vector{1.2, 0.3}, 1.3, 0.8),
                   at(std::vector{0.3, 0.6, -0.4, 1.1, 0.2, 0.9}, 0.5, 1.0))

}  // namespace
