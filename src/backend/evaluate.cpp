#include "ddx/backend/evaluate.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/core/error.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"
#include "ddx/ir/text.h"
#include "ddx/ops/kernel.h"

#include "backend/graph_run.h"

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::backend {
namespace {

using ir::Graph;

void check_arguments(const Graph& graph, const Arguments& arguments) {
  const auto& [parameters, scalars, checks] = arguments;
  const auto counts = [](std::size_t a, std::size_t b, std::size_t c) {
    return std::to_string(a) + " parameters, " + std::to_string(b) + " scalars and " +
           std::to_string(c) + " checks";
  };
  if (parameters.size() != graph.parameters().size() || scalars.size() != graph.scalars().size() ||
      checks.size() != graph.check_count()) {
    throw UsageError(
        "evaluate",
        "the graph has " +
            counts(graph.parameters().size(), graph.scalars().size(), graph.check_count()) +
            ", given are " + counts(parameters.size(), scalars.size(), checks.size()));
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const ir::Type given{parameters[i].shape(), parameters[i].dtype()};
    if (const ir::Type& wanted = graph.type(graph.parameters()[i]); given != wanted) {
      throw UsageError("evaluate", "parameter " + std::to_string(i) + " is " +
                                       ir::to_string(given) + ", not " + ir::to_string(wanted));
    }
  }
}

}  // namespace

std::vector<Outcome> outcomes_of(const Graph& graph, const Arguments& arguments,
                                 const Backend& backend) {
  check_arguments(graph, arguments);
  return run_in_order(graph, arguments, backend);
}

std::vector<Buffer> evaluate(const Graph& graph, std::span<const ops::View> parameters,
                             std::span<const ir::ScalarValue> scalars, const Backend& backend) {
  std::vector<Buffer> results;
  for (Outcome& outcome : outcomes_of(graph, {parameters, scalars, {}}, backend)) {
    results.push_back(std::move(outcome.elements));
  }
  return results;
}

}  // namespace ddx::backend
