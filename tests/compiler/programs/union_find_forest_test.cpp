// Minimal spanning forests: sorted edges, a union-find over pointers that carries sums of reals.

#include "gradient_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace {

struct Set {
  Set* parent;
  int size;
  double load;
};

struct Edge {
  int from;
  int to;
  double length;
};

Set* root_of(Set* s) {
  while (s->parent != s) {
    s->parent = s->parent->parent;
    s = s->parent;
  }
  return s;
}

bool unite(Set* a, Set* b, double by) {
  a = root_of(a);
  b = root_of(b);
  if (a == b) {
    return false;
  }
  if (a->size < b->size) {
    std::swap(a, b);
  }
  b->parent = a;
  a->size += b->size;
  a->load = std::sqrt(a->load * a->load + b->load * b->load) + by * b->load;
  return true;
}

double union_find_forest(const std::vector<double>& x, const std::vector<double>& y,
                         double longest) {
  std::array<Set, 6> sets;
  std::vector<Edge> edges;
  const int n = static_cast<int>(x.size());
  for (int i = 0; i < n; ++i) {
    sets[i] = {&sets[i], 1, 1 + 0.1 * x[i]};
    for (int j = 0; j < i; ++j) {
      edges.push_back({j, i, std::hypot(x[i] - x[j], y[i] - y[j])});
    }
  }
  std::sort(edges.begin(), edges.end(),
            [](const Edge& a, const Edge& b) { return a.length < b.length; });
  double total = 0;
  for (const Edge& e : edges) {
    if (e.length < longest && unite(&sets[e.from], &sets[e.to], e.length)) {
      total += e.length * e.length;
    }
  }
  for (int i = 0; i < n; ++i) {
    if (root_of(&sets[i]) == &sets[i]) {
      total += sets[i].load * longest;
    }
  }
  return total;
}

DDX_CHECK_GRADIENT(union_find_forest,
                   at(std::vector{0.5, 0.2, 0.9, 0.14}, std::vector{0.1, 0.7, 0.4, 0.3}, 0.6),
                   at(std::vector{1.2, 0.3}, std::vector{0.6, -0.4}, 0.9),
                   at(std::vector{0.3, 0.6, -0.4, 1.03, 0.2}, std::vector{0.8, 0.1, 0.4, 0.9, -0.3},
                      2.0))

}  // namespace
