#include "ir/detail/rebuild.h"

#include "ddx/ir/graph.h"
#include "ddx/ir/operation.h"

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace ddx::ir::detail {

Rebuild::Rebuild(const Graph& from) : Rebuild(from, from.parameters()) {
  for (std::size_t i = 0; i < scalars_.size(); ++i) {
    scalars_[i] = to_.add_scalar(from.scalars()[i]);
  }
  for (CheckId& check : checks_) {
    check = to_.add_checks();
  }
}

Rebuild::Rebuild(const Graph& from, std::span<const ValueId> parameters)
    : from_(from),
      map_(from.value_count()),
      scalars_(from.scalars().size(), baked),
      checks_(from.check_count(), unchecked),
      regions_(from.region_count()) {
  for (const ValueId parameter : parameters) {
    replace(parameter, to_.add_parameter(from.type(parameter)));
  }
}

std::span<const ValueId> Rebuild::operands_of(const Node& node) {
  operands_.clear();
  for (const ValueId operand : node.operands) {
    operands_.push_back((*this)[operand]);
  }
  return operands_;
}

std::span<const Type> Rebuild::results_of(const Node& node) {
  results_.clear();
  for (std::size_t i = 0; i < node.result_count; ++i) {
    results_.push_back(from_.type(node.result(i)));
  }
  return results_;
}

ControlFlow Rebuild::control_of(const Node& node, Graph (*pass)(const Graph&)) {
  ControlFlow flow{node.op.control(), {}, {}, node.scan};
  for (const ValueId operand : node.operands) {
    flow.operands.push_back((*this)[operand]);
  }
  for (const RegionId id : node.regions) {
    std::shared_ptr<const Graph>& region = regions_[static_cast<std::size_t>(id)];
    if (region == nullptr) {
      region = pass == nullptr ? from_.shared_region(id)
                               : std::make_shared<const Graph>(pass(from_.region(id)));
    }
    flow.regions.push_back(region);
  }
  for (const ScalarId scalar : node.region_scalars) {
    flow.scalars.push_back(own(scalar));
  }
  for (const CheckId check : node.region_checks) {
    flow.checks.push_back(own(check));
  }
  return flow;
}

void Rebuild::copy(const Node& node, Graph (*pass)(const Graph&)) {
  const ValueId first =
      node.op.is_control()
          ? to_.add_control(control_of(node, pass), results_of(node), node.where)
          : to_.add_node(node.op.row(), operands_of(node), node.attributes, results_of(node),
                         scalars_of(node), node.where, own(node.check));
  for (std::size_t i = 0; i < node.result_count; ++i) {
    replace(node.result(i), static_cast<ValueId>(Graph::index(first) + i));
  }
}

ScalarFields Rebuild::scalars_of(const Node& node) {
  ScalarFields scalars = node.scalars;
  for (ScalarId& scalar : scalars) {
    scalar = own(scalar);
  }
  return scalars;
}

ScalarId Rebuild::own(ScalarId scalar) {
  if (scalar == baked) {
    return baked;
  }
  ScalarId& number = scalars_[Graph::index(scalar)];
  if (number == baked) {
    number = to_.add_scalar(from_.scalars()[Graph::index(scalar)]);
  }
  return number;
}

CheckId Rebuild::own(CheckId check) {
  if (check == unchecked) {
    return unchecked;
  }
  CheckId& number = checks_[Graph::index(check)];
  if (number == unchecked) {
    number = to_.add_checks();
  }
  return number;
}

Graph Rebuild::finish() && {
  return std::move(*this).finish(from_.results());
}

Graph Rebuild::finish(std::span<const ValueId> results) && {
  std::vector<ValueId> own;
  for (const ValueId result : results) {
    own.push_back((*this)[result]);
  }
  to_.set_results(std::move(own));
  return std::move(to_);
}

}  // namespace ddx::ir::detail
