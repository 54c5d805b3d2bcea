// A graph whose edges are malloc'ed records in lists per node; ranks flow along them.

#include "gradient_check.h"

#include <cmath>
#include <cstdlib>
#include <vector>

namespace {

struct Edge {
  int target;
  double weight;
  Edge* next;
};

struct Vertex {
  double rank;
  double incoming;
  Edge* edges;
};

void connect(Vertex* from, int to, double weight) {
  auto* edge = static_cast<Edge*>(std::malloc(sizeof(Edge)));
  if (edge == nullptr) {
    return;
  }
  edge->target = to;
  edge->weight = weight;
  edge->next = from->edges;
  from->edges = edge;
}

void spread(Vertex* graph, int n, double damping) {
  for (int v = 0; v < n; ++v) {
    double total = 0;
    for (const Edge* e = graph[v].edges; e != nullptr; e = e->next) {
      total += e->weight;
    }
    for (const Edge* e = graph[v].edges; e != nullptr; e = e->next) {
      graph[e->target].incoming += graph[v].rank * e->weight / total;
    }
  }
  for (int v = 0; v < n; ++v) {
    graph[v].rank = (1 - damping) / n + damping * graph[v].incoming;
    graph[v].incoming = 0;
  }
}

double adjacency_graph(const std::vector<double>& weights, double damping) {
  const int n = 4;
  auto* graph = static_cast<Vertex*>(std::malloc(n * sizeof(Vertex)));
  if (graph == nullptr) {
    return 0;
  }
  for (int v = 0; v < n; ++v) {
    graph[v] = Vertex{1.0 / n, 0, nullptr};
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const int from = static_cast<int>(i) % n;
    connect(&graph[from], (from + 1 + static_cast<int>(i) / n) % n, weights[i]);
  }
  for (int round = 0; round < 5; ++round) {
    spread(graph, n, damping);
  }
  double score = 0;
  for (int v = 0; v < n; ++v) {
    score += (v + 1) * graph[v].rank * graph[v].rank;
    for (Edge* e = graph[v].edges; e != nullptr;) {
      Edge* const next = e->next;
      std::free(e);
      e = next;
    }
  }
  std::free(graph);
  return score;
}

DDX_CHECK_GRADIENT(adjacency_graph, at(std::vector{1.0, 0.5, 2.0, 0.7, 0.4, 1.3}, 0.85),
                   at(std::vector{0.3, 0.9, 1.1, 0.6, 0.8, 0.2, 1.5, 0.4}, 0.6),
                   at(std::vector{1.0, 2.0, 0.5, 0.8}, 0.9))

}  // namespace
