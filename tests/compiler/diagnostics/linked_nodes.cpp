// What a function with a body elsewhere does to the nodes is not known.
#include "ddx/ad.h"

#include <memory>

struct Node {
  double value = 0;
  std::unique_ptr<Node> next;
};
void smooth(Node* list);
void visible(Node* list) {
  list->value *= 0.5;
}

double f(double x) {
  const auto node = std::make_unique<Node>();
  node->value = x;
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a call of 'smooth', whose body is not visible here}}
  smooth(node.get());
#else
  visible(node.get());
#endif
  return node->value * x;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
