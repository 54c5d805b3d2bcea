#include "ddx/ir/replacements.h"

#include "ddx/ir/graph.h"
#include "ddx/ir/operation.h"
#include "ddx/ops/op.h"

#include "ir/detail/carried.h"
#include "ir/detail/is_elementwise.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <queue>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ddx::ir {
namespace {

constexpr std::size_t cost_of_first_operand = 1;
constexpr std::size_t cost_of_others = 4;
constexpr std::size_t most_cost = 64;
constexpr std::size_t most_operations = 256;

/// A result that could replace a parameter.
struct Pair {
  std::size_t cost;
  std::size_t parameter;
  std::size_t result;

  [[nodiscard]] auto key() const { return std::tie(cost, parameter, result); }
};

/// Calls `visit` with the operands whose elements are those of a value at the same positions.
template <class Visit>
void visit_sources(const Graph& graph, ValueId value, Visit visit) {
  const Node node = graph.node(*graph.producer(value));
  if (node.op.is_control()) {
    const std::size_t place = Graph::index(value) - Graph::index(node.first_result);
    if (place < detail::carried(node)) {
      visit(node.operands[place], cost_of_first_operand);
    }
    return;
  }
  const bool is_update = ops::info(node.op.row()).family == ops::Family::Update;
  if (!is_update && !detail::is_elementwise(node.op)) {
    return;
  }
  for (std::size_t i = 0; i < (is_update ? 1 : node.operands.size()); ++i) {
    visit(node.operands[i], i == 0 ? cost_of_first_operand : cost_of_others);
  }
}

/// Appends the parameters that a result could replace, by the nearest way to each.
void append_pairs(const Graph& graph, const std::vector<std::optional<std::size_t>>& places,
                  std::size_t result, std::vector<Pair>& pairs) {
  const ValueId end = graph.results()[result];
  const Type& type = graph.type(end);
  using Reached = std::pair<std::size_t, ValueId>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
  std::unordered_set<std::size_t> seen;
  open.emplace(0, end);
  for (std::size_t operations = 0; !open.empty() && operations < most_operations;) {
    const auto [cost, value] = open.top();
    open.pop();
    if (!seen.insert(Graph::index(value)).second) {
      continue;
    }
    if (!graph.producer(value)) {
      if (graph.type(value) == type && value != end) {
        pairs.push_back({cost, *places[Graph::index(value)], result});
      }
      continue;
    }
    ++operations;
    visit_sources(graph, value, [&, from = cost](ValueId operand, std::size_t step) {
      if (graph.type(operand).shape == type.shape && from + step <= most_cost) {
        open.emplace(from + step, operand);
      }
    });
  }
}

}  // namespace

std::vector<std::optional<std::size_t>> replacements(const Graph& graph) {
  std::vector<std::optional<std::size_t>> places(graph.value_count());
  for (std::size_t i = 0; i < graph.parameters().size(); ++i) {
    places[Graph::index(graph.parameters()[i])] = i;
  }
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < graph.results().size(); ++i) {
    append_pairs(graph, places, i, pairs);
  }
  std::ranges::sort(pairs, {}, &Pair::key);
  std::vector<bool> is_result(graph.parameters().size());
  for (const ValueId result : graph.results()) {
    if (const auto place = places[Graph::index(result)]) {
      is_result[*place] = true;
    }
  }
  std::vector<std::optional<std::size_t>> replaced(graph.parameters().size());
  std::vector<bool> is_taken(graph.results().size());
  for (const Pair& pair : pairs) {
    if (!is_result[pair.parameter] && !replaced[pair.parameter] && !is_taken[pair.result]) {
      replaced[pair.parameter] = pair.result;
      is_taken[pair.result] = true;
    }
  }
  return replaced;
}

}  // namespace ddx::ir
