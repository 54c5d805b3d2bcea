// The library runs the predicate; what it does to active values would be lost.
#include "ddx/ad.h"

#include <algorithm>
#include <memory>
#include <vector>

struct Node {
  double value = 0;
};

double f(double x) {
  std::vector<std::shared_ptr<Node>> nodes;
  nodes.push_back(std::make_shared<Node>());
  nodes[0]->value = x;
#ifndef ACCEPTED
  const auto halve = [](const auto& node) {
    node->value *= 0.5;
    return node->value > 1;
  };
  // expected-error@+1 {{cannot differentiate: this argument}}
  nodes.erase(std::remove_if(nodes.begin(), nodes.end(), halve), nodes.end());
#else
  const auto is_large = [](const auto& node) { return node->value > 9; };
  nodes.erase(std::remove_if(nodes.begin(), nodes.end(), is_large), nodes.end());
#endif
  return nodes[0]->value * x;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
