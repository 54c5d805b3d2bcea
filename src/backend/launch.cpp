#include "backend/launch.h"

#include "ddx/core/dtype.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/op.h"

#include "ir/detail/operands_to_overwrite.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace ddx::backend {

using ir::Graph;

std::vector<Overwriting> overwritings_of(const Graph& graph, const ir::Node& node) {
  std::vector<Overwriting> overwritings;
  const std::size_t count =
      std::min(ir::detail::operands_to_overwrite(node.op), node.operands.size());
  const bool is_update = ops::info(node.op.row()).family == ops::Family::Update;
  for (const ir::ValueId operand : node.operands.first(count)) {
    const auto uses = static_cast<std::size_t>(std::ranges::count(node.operands, operand));
    if (graph.type(operand) == graph.type(node.result()) && !(is_update && uses > 1)) {
      overwritings.push_back({Graph::index(operand), uses});
    }
  }
  return overwritings;
}

std::optional<Launch> Launch::of(const Graph& graph, std::size_t number) {
  const ir::Node node = graph.node(number);
  if (node.op.is_control() || node.check != ir::unchecked) {
    return std::nullopt;
  }
  const auto array = [&](ir::ValueId value) {
    return Array{Graph::index(value), &graph.type(value), bytes_of(graph.type(value))};
  };
  const bool is_baked =
      std::ranges::all_of(node.scalars, [](ir::ScalarId scalar) { return scalar == ir::baked; });
  Launch launch{
      number, node.op.row(), {}, is_baked ? ops::struct_of(node.attributes) : nullptr, {}, {}, {}};
  for (const ir::ValueId operand : node.operands) {
    launch.operands.push_back(array(operand));
  }
  for (std::size_t i = 0; i < node.result_count; ++i) {
    launch.results.push_back(array(node.result(i)));
  }
  const ops::KeyPlace place = ops::key_place(launch.op);
  launch.key = (place.among_results ? launch.results : launch.operands)[place.index].type->dtype;
  launch.overwritings = overwritings_of(graph, node);
  return launch;
}

}  // namespace ddx::backend
