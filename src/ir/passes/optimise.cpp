#include "ddx/ir/passes/optimise.h"

#include "ddx/ir/graph.h"
#include "ddx/ir/passes/merge_equal_nodes.h"
#include "ddx/ir/passes/remove_dead_code.h"
#include "ddx/ir/passes/simplify.h"

#include <string_view>
#include <utility>

namespace ddx::ir {
namespace {

struct Pass {
  std::string_view name;
  Graph (*run)(const Graph& graph);
};

// Rewrites make nodes equal, and leave unused nodes behind.
constexpr Pass passes[] = {{"simplify", simplify},
                           {"merge_equal_nodes", merge_equal_nodes},
                           {"remove_dead_code", remove_dead_code}};

}  // namespace

Graph optimised(const Graph& graph, const PassObserver& observe) {
  Graph result = graph;
  for (const Pass& pass : passes) {
    result = pass.run(result);
    if (observe) {
      observe(pass.name, result);
    }
  }
  return result;
}

}  // namespace ddx::ir
