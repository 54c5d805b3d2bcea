// Objects that point to objects of their own kind.
#include "ddx/ad.h"

struct Node {
  double value;
  Node* next;
};

double f(double x) {
#ifndef ACCEPTED
  Node tail{x, nullptr};
  // expected-error@+1 {{cannot differentiate: a pointer to active values that an object keeps}}
  Node head{x * x, &tail};
  double s = 0;
  // expected-error@+1 {{cannot differentiate: a pointer that is bound anew}}
  for (Node* n = &head; n != nullptr; n = n->next) {
    s += n->value;
  }
  return s;
#else
  Node tail{x, nullptr};
  Node head{x * x, nullptr};
  return tail.value + head.value;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note 2 {{derivative requested here}}
