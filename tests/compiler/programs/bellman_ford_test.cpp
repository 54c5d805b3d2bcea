// Shortest paths by relaxation over a list of edges, with the path walked back by predecessors.

#include "gradient_check.h"

#include <cmath>
#include <vector>

namespace {

struct Edge {
  int from;
  int to;
  double cost;
};

double bellman_ford(double a, double b, double c) {
  std::vector<Edge> edges;
  edges.push_back({0, 1, a * a});
  edges.push_back({0, 2, b + 0.2});
  edges.push_back({1, 2, 0.3 * c});
  edges.push_back({1, 3, std::exp(b)});
  edges.push_back({2, 3, a * c + 0.5});
  edges.push_back({3, 4, c});
  std::vector<double> distance(5, 1e3);
  std::vector<int> previous(5, -1);
  distance[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [from, to, cost] : edges) {
      if (distance[from] + cost < distance[to]) {
        distance[to] = distance[from] + cost;
        previous[to] = from;
        changed = true;
      }
    }
  }
  double product = 1;
  for (int node = 4; node >= 0; node = previous[node]) {
    product = product * (1 + 0.1 * distance[node]) + 0.2 * distance[node];
  }
  return product;
}

DDX_CHECK_GRADIENT(bellman_ford, at(0.5, 0.7, 0.9), at(1.1, 0.4, 0.3), at(0.2, 1.3, 0.6))

}  // namespace
