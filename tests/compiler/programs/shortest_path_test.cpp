// Dijkstra's algorithm with a priority queue; edge costs are functions of the inputs.

#include "gradient_check.h"

#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace {

struct Edge {
  int to;
  double cost;
};

class Graph {
 public:
  explicit Graph(int nodes) : edges_(nodes) {}
  void connect(int a, int b, double cost) {
    edges_[a].push_back({b, cost});
    edges_[b].push_back({a, cost});
  }
  [[nodiscard]] std::vector<double> distances(int from) const {
    std::vector<double> best(edges_.size(), 100.0);
    using Entry = std::pair<double, int>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    best[from] = 0;
    open.push({0.0, from});
    while (!open.empty()) {
      const auto [cost, node] = open.top();
      open.pop();
      if (cost > best[node]) {
        continue;
      }
      for (const Edge& edge : edges_[node]) {
        const double through = cost + edge.cost;
        if (through < best[edge.to]) {
          best[edge.to] = through;
          open.push({through, edge.to});
        }
      }
    }
    return best;
  }

 private:
  std::vector<std::vector<Edge>> edges_;
};

double shortest_path(double slope, double friction, double toll) {
  Graph graph(5);
  graph.connect(0, 1, 1 + slope * slope);
  graph.connect(1, 2, friction);
  graph.connect(0, 2, 2.5 * friction + toll);
  graph.connect(2, 3, std::exp(0.3 * slope));
  graph.connect(1, 3, 3 * toll);
  graph.connect(3, 4, friction * toll);
  const std::vector<double> d = graph.distances(0);
  return d[4] * d[3] + d[2];
}

DDX_CHECK_GRADIENT(shortest_path, at(0.5, 0.7, 0.9), at(1.1, 0.4, 0.3), at(0.2, 1.3, 0.6))

}  // namespace
