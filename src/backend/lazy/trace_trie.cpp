#include "backend/lazy/trace_trie.h"

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/core/hash.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/literal.h"
#include "ddx/ops/op.h"

#include "backend/lazy/attribute_guard.h"
#include "backend/lazy/counters.h"
#include "backend/lazy/executor.h"
#include "backend/lazy/flush_points.h"
#include "backend/lazy/make_room.h"
#include "backend/lazy/operation.h"
#include "backend/lazy/plan_cache.h"
#include "backend/lazy/trace_inputs.h"
#include "backend/lazy/trace_trie_match.h"
#include "backend/lazy_value.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ddx::backend::lazy {
namespace {

std::uint64_t hash_of(std::uint64_t hash, DType dtype, const Shape& shape) {
  hash = mixed(hash, static_cast<std::uint64_t>(dtype));
  for (const Shape::Extent extent : shape.extents()) {
    hash = mixed(hash, static_cast<std::uint64_t>(extent));
  }
  return hash;
}

std::uint64_t signature_of(const Operation& operation) {
  auto signature = std::uint64_t{operation.op.code()};
  for (const ops::View& output : operation.outputs) {
    signature = hash_of(signature, output.dtype(), output.shape());
  }
  return signature;
}

ir::Type type_of(const ops::View& view) {
  return {view.shape(), view.dtype()};
}

std::vector<ir::ScalarKind> kinds_of(const std::vector<ir::ScalarValue>& scalars) {
  std::vector<ir::ScalarKind> kinds;
  for (const ir::ScalarValue& scalar : scalars) {
    kinds.push_back(std::holds_alternative<RandomKey>(scalar) ? ir::ScalarKind::Key
                                                              : ir::ScalarKind::Number);
  }
  return kinds;
}

void add_results(ir::ValueId first, std::size_t count, TraceTrie::Recorded& recorded) {
  for (std::size_t i = 0; i < count; ++i) {
    recorded.results.push_back(static_cast<ir::ValueId>(ir::Graph::index(first) + i));
  }
}

/// Adds what a node takes at the run, and says for which of its run-time fields that is.
ir::ScalarFields add_scalars(ir::Graph& graph, const AttributeGuard& guard) {
  ir::ScalarFields scalars = ir::all_baked;
  std::size_t index = 0;
  std::visit(
      [&](const auto& one) {
        ops::visit_fields(one, [&](const char*, const auto& field, ops::FieldRole role) {
          if (role == ops::FieldRole::Static) {
            return;
          }
          constexpr bool is_key = std::is_same_v<std::remove_cvref_t<decltype(field)>, RandomKey>;
          if (((guard.scalars >> index) & 1U) != 0) {
            scalars[index] =
                graph.add_scalar(is_key ? ir::ScalarKind::Key : ir::ScalarKind::Number);
          }
          ++index;
        });
      },
      guard.attributes);
  return scalars;
}

}  // namespace

std::uint64_t TraceTrie::TypeTraits::hash(const ir::Type& type) noexcept {
  return hash_of(0, type.dtype, type.shape);
}

std::uint64_t TraceTrie::GuardTraits::hash(const AttributeGuard& guard) noexcept {
  return mixed(ops::hash_of(guard.attributes), guard.scalars);
}

bool TraceTrie::GuardTraits::equal(const AttributeGuard& a, const AttributeGuard& b) noexcept {
  return a.scalars == b.scalars && ops::identical(a.attributes, b.attributes);
}

void InputRollback::take_away() noexcept {
  given_->arrays.resize(arrays_);
  given_->scalars.resize(scalars_);
}

bool TraceTrie::matches_new_array(const ops::View& view, TraceInputs& given) const {
  Block* const block = block_of(view);
  if (block == nullptr || !is_ready(view) ||
      (is_lazy(*block) && !lazy_value_of(*block)->is_array())) {
    return false;
  }
  given.arrays.push_back({Buffer(*block), view.dtype()});
  return true;
}

TraceTrie::Node TraceTrie::known_behind(Node before, Node at, const Operation& operation,
                                        TraceInputs& given) {
  Node child = steps_[before].next_sibling;
  for (int looks = 1; looks < most_looks && child != root; ++looks) {
    if (matches(steps_[child], operation, given)) {
      // To the front, where a loop finds it at once.
      steps_[before].next_sibling = steps_[child].next_sibling;
      steps_[child].next_sibling = std::exchange(steps_[at].first_child, child);
      return child;
    }
    before = std::exchange(child, steps_[child].next_sibling);
  }
  return root;
}

bool TraceTrie::passes(const Step& step, const void* attributes, TraceInputs& given) const {
  return step.op.is_control()
             ? controls_[step.guard].passes(*static_cast<const Regions*>(attributes), given.scalars)
             : lazy::passes(guards_[step.guard], attributes, given.scalars);
}

TraceTrie::Node TraceTrie::add(Node at, const Operation& operation, TraceInputs& given) {
  InputRollback growth(given);
  Step step{.op = operation.op,
            .has_check = has_check(operation),
            .is_checked = has_demands(operation),
            .operand_count = static_cast<std::uint32_t>(operation.inputs.size()),
            .result_count = static_cast<std::uint32_t>(operation.outputs.size()),
            .first_operand = static_cast<std::uint32_t>(operands_.size()),
            .first_type = static_cast<std::uint32_t>(result_types_.size()),
            .guard = 0,
            .first_result = result_count(at),
            .parent = at,
            .signature = signature_of(operation)};
  step.hash = FlushPoints::extended(steps_[at].hash, step.signature);
  for (const ops::View& input : operation.inputs) {
    operands_.push_back(operand_of(input, given));
  }
  for (const ops::View& output : operation.outputs) {
    result_types_.push_back(types_.add(type_of(output)));
  }
  if (operation.op.is_control()) {
    const Regions& regions = *static_cast<const Regions*>(operation.attributes);
    step.guard = static_cast<std::uint32_t>(controls_.size());
    controls_.push_back({regions.graphs, regions.scan, kinds_of(regions.scalars),
                         static_cast<std::uint32_t>(regions.checks.size())});
    given.scalars.insert(given.scalars.end(), regions.scalars.begin(), regions.scalars.end());
    step.has_attributes = true;
  } else {
    step.guard = guards_.add(
        guard_of(ops::attributes_from(operation.op.row(), operation.attributes), given.scalars));
    step.has_attributes =
        !std::holds_alternative<ops::NoAttributes>(guards_[step.guard].attributes);
  }
  step.gives = growth.is_any();
  const auto node = static_cast<Node>(steps_.size());
  make_room(steps_, 1);
  wheres_.push_back(operation.check.site.where);
  steps_.push_back(step);
  growth.keep();
  steps_[node].next_sibling = std::exchange(steps_[at].first_child, node);
  return node;
}

TraceTrie::Operand TraceTrie::operand_of(const ops::View& view, TraceInputs& given) {
  const std::uint32_t type = types_.add(type_of(view));
  Block* const block = block_of(view);
  if (block == nullptr) {
    const ops::Literal number = literal_of(view);
    if (const auto scalar = scalar_of(number)) {
      given.scalars.push_back(*scalar);
      return {Operand::Kind::Scalar, 0, type};
    }
    numbers_.push_back(number);
    return {Operand::Kind::Number, static_cast<std::uint32_t>(numbers_.size() - 1), type};
  }
  if (is_lazy(*block) && !lazy_value_of(*block)->is_array()) {
    return {Operand::Kind::Result, lazy_value_of(*block)->result, type};
  }
  const auto found = std::ranges::find_if(given.arrays, [&](const TraceInputs::Array& array) {
    return array.buffer.block() == block && array.dtype == view.dtype();
  });
  const auto index = static_cast<std::uint32_t>(found - given.arrays.begin());
  if (found == given.arrays.end()) {
    given.arrays.push_back({Buffer(*block), view.dtype()});
  }
  return {Operand::Kind::Array, index, type};
}

TraceTrie::Maker TraceTrie::maker_of(Node node, std::uint32_t result) const {
  while (steps_[node].first_result > result) {
    node = steps_[node].parent;
  }
  return {steps_[node].op, wheres_[node]};
}

TraceTrie::Recorded TraceTrie::graph_of(Node node, std::span<const ir::Type> placeholders) const {
  std::vector<Node> path;
  for (; node != root; node = steps_[node].parent) {
    path.push_back(node);
  }
  Recorded recorded;
  for (const ir::Type& type : placeholders) {
    recorded.parameters.push_back(recorded.graph.add_parameter(type));
  }
  for (auto step = path.rbegin(); step != path.rend(); ++step) {
    append(steps_[*step], wheres_[*step], recorded);
  }
  return recorded;
}

void TraceTrie::append(const Step& step, const std::source_location& where,
                       Recorded& recorded) const {
  ir::Graph& graph = recorded.graph;
  std::vector<ir::ValueId> operands;
  for (std::size_t i = 0; i < step.operand_count; ++i) {
    const Operand& operand = operands_[step.first_operand + i];
    const ir::Type& type = types_[operand.type];
    ir::ValueId value{};
    switch (operand.kind) {
      case Operand::Kind::Result:
        value = recorded.results[operand.index];
        break;
      case Operand::Kind::Array:
        if (operand.index == recorded.parameters.size()) {
          recorded.parameters.push_back(graph.add_parameter(type));
        }
        value = recorded.parameters[operand.index];
        break;
      case Operand::Kind::Number:
        value =
            graph.add_node(ops::Op::full, {}, ops::FullAttributes{numbers_[operand.index]}, type);
        break;
      case Operand::Kind::Scalar:
        value = graph.add_node(ops::Op::full, {}, ops::FullAttributes{}, type,
                               {graph.add_scalar(ir::ScalarKind::Number), ir::baked, ir::baked});
        break;
    }
    if (graph.type(value) != type) {
      value = graph.add_node(ops::Op::reshape, {value}, ops::NoAttributes{}, type);
    }
    operands.push_back(value);
  }
  std::vector<ir::Type> types;
  for (std::size_t i = 0; i < step.result_count; ++i) {
    types.push_back(types_[result_types_[step.first_type + i]]);
  }
  if (step.op.is_control()) {
    append_control(step, where, operands, types, recorded);
    return;
  }
  const AttributeGuard& guard = guards_[step.guard];
  const ir::CheckId check = step.has_check ? graph.add_checks() : ir::unchecked;
  const ir::ScalarFields scalars = add_scalars(graph, guard);
  const ir::ValueId first =
      graph.add_node(step.op.row(), operands, guard.attributes, types, scalars, where, check);
  add_results(first, types.size(), recorded);
}

void TraceTrie::append_control(const Step& step, const std::source_location& where,
                               const std::vector<ir::ValueId>& operands,
                               const std::vector<ir::Type>& types, Recorded& recorded) const {
  const Control& control = controls_[step.guard];
  ir::ControlFlow flow{.control = step.op.control(),
                       .operands = operands,
                       .regions = control.graphs,
                       .scan = control.scan};
  for (const ir::ScalarKind kind : control.scalars) {
    flow.scalars.push_back(recorded.graph.add_scalar(kind));
  }
  const ir::CheckId first_check = recorded.graph.add_checks(control.checks);
  for (std::uint32_t i = 0; i < control.checks; ++i) {
    flow.checks.push_back(static_cast<ir::CheckId>(ir::Graph::index(first_check) + i));
  }
  add_results(recorded.graph.add_control(flow, types, where), types.size(), recorded);
}

bool TraceTrie::Control::passes(const Regions& regions, std::vector<ir::ScalarValue>& given) const {
  const auto equal = [](const std::shared_ptr<const ir::Graph>& a,
                        const std::shared_ptr<const ir::Graph>& b) { return a == b || *a == *b; };
  if (scan != regions.scan || checks != regions.checks.size() ||
      scalars != kinds_of(regions.scalars) || !std::ranges::equal(graphs, regions.graphs, equal)) {
    return false;
  }
  given.insert(given.end(), regions.scalars.begin(), regions.scalars.end());
  return true;
}

std::shared_ptr<const PreparedGraph> TraceTrie::plan_of(Node node,
                                                        std::span<const std::uint32_t> results,
                                                        const Executor& executor) {
  std::vector<Planned>& plans = plans_[node];
  const auto found = std::ranges::find_if(
      plans, [&](const Planned& planned) { return std::ranges::equal(planned.results, results); });
  if (found != plans.end()) {
    Counters::instance().count_hit();
    return found->plan;
  }
  Recorded recorded = graph_of(node);
  std::vector<ir::ValueId> values;
  for (const std::uint32_t result : results) {
    values.push_back(recorded.results[result]);
  }
  recorded.graph.set_results(std::move(values));
  auto plan = PlanCache::instance().plan_of(recorded.graph, executor);
  plans.push_back({{results.begin(), results.end()}, plan});
  ++plan_count_;
  return plan;
}

void TraceTrie::clear() {
  steps_.assign(1, Step{});
  wheres_.assign(1, {});
  operands_.clear();
  result_types_.clear();
  guards_ = {};
  controls_.clear();
  numbers_.clear();
  types_ = {};
  plans_.clear();
  plan_count_ = 0;
}

}  // namespace ddx::backend::lazy
