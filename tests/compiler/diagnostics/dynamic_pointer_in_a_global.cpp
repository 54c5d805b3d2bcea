// A dynamic pointer stored in a global: anyone may read what it points to.
#include "ddx/ad.h"

#include <memory>

struct Node {
  double value = 0;
  std::unique_ptr<Node> next;
};
Node* current = nullptr;

double f(double x) {
  const auto node = std::make_unique<Node>();
  node->value = x;
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a pointer whose target is not known here}}
  current = node.get();
  return current->value * x;  // expected-error {{what 'current' refers to, which is not known here}}
#else
  Node* const here = node.get();
  return here->value * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note 2 {{derivative requested here}}
