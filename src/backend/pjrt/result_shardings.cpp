#include "backend/pjrt/result_shardings.h"

#include "ddx/ir/graph.h"
#include "ddx/ir/operation.h"
#include "ddx/stablehlo/module.h"

#include "backend/pjrt/mesh_parts.h"
#include "ir/detail/carried.h"
#include "ir/detail/is_elementwise.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {
namespace {

using ir::Graph;

/// Values in classes, by their numbers.
class Classes {
 public:
  explicit Classes(std::size_t count) : parents_(count) {
    std::iota(parents_.begin(), parents_.end(), std::size_t{0});
  }
  std::size_t of(std::size_t value) {
    while (parents_[value] != value) {
      parents_[value] = parents_[parents_[value]];
      value = parents_[value];
    }
    return value;
  }
  void join(std::size_t a, std::size_t b) { parents_[of(a)] = of(b); }

 private:
  std::vector<std::size_t> parents_;
};

void join_around(const Graph& graph, const ir::Node& node, Classes& classes) {
  const auto join = [&](ir::ValueId a, ir::ValueId b) {
    if (graph.type(a).shape == graph.type(b).shape) {
      classes.join(Graph::index(a), Graph::index(b));
    }
  };
  if (node.op.is_control()) {
    for (std::size_t i = 0; i < ir::detail::carried(node); ++i) {
      join(node.operands[i], node.result(i));
    }
  } else if (ir::detail::is_elementwise(node.op)) {
    for (const ir::ValueId operand : node.operands) {
      join(operand, node.result());
    }
  }
}

}  // namespace

ResultShardings::ResultShardings(const Graph& graph) {
  Classes classes(graph.value_count());
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    join_around(graph, graph.node(i), classes);
  }
  for (const ir::ValueId result : graph.results()) {
    Result one{.rank = graph.type(result).shape.rank(), .parameters = {}, .alike = {}};
    const std::size_t own = classes.of(Graph::index(result));
    for (std::size_t i = 0; i < graph.parameters().size(); ++i) {
      if (classes.of(Graph::index(graph.parameters()[i])) == own) {
        one.parameters.push_back(i);
      }
      if (graph.type(graph.parameters()[i]) == graph.type(result)) {
        one.alike.push_back(i);
      }
    }
    if (!one.parameters.empty()) {
      one.alike.clear();
    }
    results_.push_back(std::move(one));
  }
}

std::vector<stablehlo::Sharding> ResultShardings::of(
    std::span<const stablehlo::Sharding> parameters) const {
  std::vector<stablehlo::Sharding> shardings;
  for (const Result& result : results_) {
    const auto divided = std::ranges::find_if(
        result.parameters, [&](std::size_t i) { return !is_replicated(parameters[i]); });
    const bool all_alike = std::ranges::all_of(result.alike, [&](std::size_t i) {
      return parameters[i] == parameters[result.alike.front()];
    });
    if (divided != result.parameters.end()) {
      shardings.push_back(parameters[*divided]);
    } else if (!result.alike.empty() && all_alike) {
      shardings.push_back(parameters[result.alike.front()]);
    } else {
      shardings.emplace_back(result.rank);
    }
  }
  return shardings;
}

}  // namespace ddx::backend::pjrt
