// A list of raw nodes, sorted by real keys through pointers to pointers, merged and deleted.

#include "gradient_check.h"

#include <cmath>
#include <vector>

namespace {

struct Node {
  double key;
  double weight;
  Node* next;
};

void insert(Node** head, double key, double weight) {
  Node** at = head;
  while (*at != nullptr && (*at)->key < key) {
    at = &(*at)->next;
  }
  *at = new Node{key, weight, *at};
}

/// Moves all nodes of `b` into `a`.
void merge(Node** a, Node* b) {
  while (b != nullptr) {
    while (*a != nullptr && (*a)->key <= b->key) {
      a = &(*a)->next;
    }
    Node* const rest = b->next;
    b->next = *a;
    *a = b;
    b = rest;
  }
}

double raw_sorted_list(const std::vector<double>& keys, double scale) {
  Node* low = nullptr;
  Node* high = nullptr;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    insert(i % 2 == 0 ? &low : &high, scale * keys[i], 1 + keys[i] * keys[i]);
  }
  merge(&low, high);
  double gaps = 0;
  for (const Node* n = low; n->next != nullptr; n = n->next) {
    const double gap = n->next->key - n->key;
    gaps += n->weight * gap * gap;
  }
  while (low != nullptr) {
    Node* const next = low->next;
    gaps = 0.95 * gaps + 0.1 * low->weight;
    delete low;
    low = next;
  }
  return gaps;
}

DDX_CHECK_GRADIENT(raw_sorted_list, at(std::vector{0.5, -0.2, 0.9, 0.1}, 0.8),
                   at(std::vector{1.2, 0.3, 0.7, -0.5, 2.0}, 1.3), at(std::vector{0.4}, -0.6))

}  // namespace
