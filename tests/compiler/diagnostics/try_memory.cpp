// What a call has changed in memory when it throws is not known either; a call that only looks may
// throw.
#include "ddx/ad.h"

#include <memory>
#include <stdexcept>

struct Node {
  double value = 0;
  std::unique_ptr<Node> next;
};

double checked(const Node& node) {
  if (node.value > 100) {
    throw std::domain_error("too large");
  }
  return node.value * node.value;
}

double advance(Node* node) {
  node->value *= 2;
  return checked(*node);
}

double middle(Node& node) {
  return advance(&node) + 1;
}

double f(double x) {
  auto node = std::make_unique<Node>();
  node->value = x;
  double sum = 0;
  try {
    sum += checked(*node);
#ifndef ACCEPTED
    // expected-error@+1 {{cannot differentiate: a call of 'middle' in a try block, which may throw after it has changed an active object}}
    sum += middle(*node);
#endif
  } catch (const std::domain_error&) {
    sum = node->value;
  }
  return sum;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
