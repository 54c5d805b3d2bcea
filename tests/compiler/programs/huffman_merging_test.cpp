// Optimal merging: a std::priority_queue of subtrees by real weights; costs by depth.

#include "gradient_check.h"

#include <cmath>
#include <functional>
#include <memory>
#include <queue>
#include <vector>

namespace {

struct Tree {
  double weight;
  std::shared_ptr<const Tree> left;
  std::shared_ptr<const Tree> right;
};

using Pointer = std::shared_ptr<const Tree>;

double cost(const Tree& tree, int depth) {
  if (!tree.left) {
    return tree.weight * depth;
  }
  return cost(*tree.left, depth + 1) + cost(*tree.right, depth + 1) + 0.1 * std::log(tree.weight);
}

double huffman_merging(const std::vector<double>& weights, double overhead) {
  const auto heavier = [](const Pointer& a, const Pointer& b) { return a->weight > b->weight; };
  std::priority_queue<Pointer, std::vector<Pointer>, decltype(heavier)> queue(heavier);
  std::priority_queue<double, std::vector<double>, std::greater<>> plain;
  for (const double w : weights) {
    queue.push(std::make_shared<const Tree>(Tree{w, nullptr, nullptr}));
    plain.push(w * w);
  }
  while (queue.size() > 1) {
    const Pointer a = queue.top();
    queue.pop();
    const Pointer b = queue.top();
    queue.pop();
    queue.push(std::make_shared<const Tree>(Tree{a->weight + b->weight + overhead, a, b}));
  }
  double squares = 0;
  while (!plain.empty()) {
    squares = 0.5 * squares + plain.top();
    plain.pop();
  }
  return cost(*queue.top(), 0) + 0.2 * squares;
}

DDX_CHECK_GRADIENT(huffman_merging, at(std::vector{0.5, 0.2, 0.97, 0.13, 0.7}, 0.05),
                   at(std::vector{1.2, 0.3, 0.4}, 0.1), at(std::vector{0.8}, 0.3))

}  // namespace
