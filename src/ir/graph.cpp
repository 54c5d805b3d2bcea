#include "ddx/ir/graph.h"

#include "ddx/core/error.h"
#include "ddx/core/hash.h"
#include "ddx/core/shape.h"
#include "ddx/ir/operation.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/op.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::ir {

Graph::Graph() = default;
Graph::Graph(const Graph& other) = default;
Graph::Graph(Graph&& other) noexcept = default;
Graph& Graph::operator=(const Graph& other) = default;
Graph& Graph::operator=(Graph&& other) noexcept = default;
Graph::~Graph() = default;

std::uint64_t Graph::TypeTraits::hash(const Type& type) noexcept {
  std::uint64_t hash = 1 + static_cast<std::uint64_t>(type.dtype);
  for (const Shape::Extent extent : type.shape.extents()) {
    hash = mixed(hash, static_cast<std::uint64_t>(extent));
  }
  return hash;
}

std::uint64_t Graph::RegionTraits::hash(const std::shared_ptr<const Graph>& region) noexcept {
  return region->hash();
}

bool Graph::RegionTraits::equal(const std::shared_ptr<const Graph>& a,
                                const std::shared_ptr<const Graph>& b) noexcept {
  return a == b || *a == *b;
}

ValueId Graph::add_value(const Type& type, std::uint32_t node) {
  values_.push_back({types_.add(type), node});
  return static_cast<ValueId>(values_.size() - 1);
}

std::span<const ValueId> Graph::parameters() const noexcept {
  return parameters_;
}

std::span<const ScalarKind> Graph::scalars() const noexcept {
  return scalars_;
}

std::span<const ValueId> Graph::results() const noexcept {
  return results_;
}

ValueId Graph::add_node(ops::Op op, std::initializer_list<ValueId> operands,
                        const ops::Attributes& attributes, const Type& result,
                        const ScalarFields& scalars, const std::source_location& where) {
  return add_node(op, std::span<const ValueId>(operands.begin(), operands.size()), attributes,
                  {&result, 1}, scalars, where);
}

ValueId Graph::add_parameter(const Type& type) {
  parameters_.push_back(add_value(type, no_node));
  return parameters_.back();
}

ScalarId Graph::add_scalar(ScalarKind kind) {
  scalars_.push_back(kind);
  return static_cast<ScalarId>(scalars_.size() - 1);
}

CheckId Graph::add_checks(std::uint32_t count) {
  return static_cast<CheckId>(std::exchange(check_count_, check_count_ + count));
}

void Graph::check_ids(Operation op, std::span<const ValueId> operands,
                      std::span<const ScalarId> scalars, std::span<const CheckId> checks) const {
  const auto expect = [&](const char* what, std::size_t number, std::size_t count) {
    if (number >= count) {
      throw InternalError(std::string("graph: ") + std::string(to_string(op)),
                          std::string(what) + " " + std::to_string(number) + " of " +
                              std::to_string(count) + " is not in the graph");
    }
  };
  for (const ValueId operand : operands) {
    expect("operand", index(operand), values_.size());
  }
  for (const ScalarId scalar : scalars) {
    expect("scalar", index(scalar), scalars_.size());
  }
  for (const CheckId check : checks) {
    expect("check", index(check), check_count_);
  }
}

ValueId Graph::append(Record record, std::span<const ValueId> operands,
                      std::span<const Type> results) {
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  record.first_operand = static_cast<std::uint32_t>(operands_.size());
  record.operand_count = static_cast<std::uint32_t>(operands.size());
  record.first_result = static_cast<ValueId>(values_.size());
  record.result_count = static_cast<std::uint32_t>(results.size());
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  for (const Type& result : results) {
    add_value(result, number);
  }
  nodes_.push_back(record);
  return record.first_result;
}

ValueId Graph::add_node(ops::Op op, std::span<const ValueId> operands,
                        const ops::Attributes& attributes, std::span<const Type> results,
                        const ScalarFields& scalars, const std::source_location& where,
                        CheckId check) {
  check_ids(op, operands, {}, {&check, check == unchecked ? 0U : 1U});
  for (const ScalarId& scalar : scalars) {
    check_ids(op, {}, {&scalar, scalar == baked ? 0U : 1U}, {});
  }
  return append({.op = op,
                 .first_operand = 0,
                 .operand_count = 0,
                 .attributes = attributes_.add(attributes),
                 .scalars = scalars,
                 .check = check,
                 .first_result = {},
                 .result_count = 0,
                 .where = where},
                operands, results);
}

ValueId Graph::add_control(const ControlFlow& flow, std::span<const Type> results,
                           const std::source_location& where) {
  check_ids(flow.control, flow.operands, flow.scalars, flow.checks);
  const ControlInfo& row = info(flow.control);
  if (flow.regions.size() != row.region_count()) {
    throw InternalError("graph: " + std::string(row.name),
                        "it has " + std::to_string(flow.regions.size()) + " regions, not " +
                            std::to_string(row.region_count()));
  }
  ControlRecord control{{}, flow.scan, flow.scalars, flow.checks};
  for (const auto& region : flow.regions) {
    control.regions.push_back(static_cast<RegionId>(regions_.add(region)));
  }
  controls_.push_back(std::move(control));
  return append({.op = flow.control,
                 .first_operand = 0,
                 .operand_count = 0,
                 .attributes = static_cast<std::uint32_t>(controls_.size() - 1),
                 .scalars = all_baked,
                 .check = unchecked,
                 .first_result = {},
                 .result_count = 0,
                 .where = where},
                flow.operands, results);
}

void Graph::set_results(std::vector<ValueId> results) {
  for (const ValueId result : results) {
    if (index(result) >= values_.size()) {
      throw InternalError("graph", "result " + std::to_string(index(result)) + " of " +
                                       std::to_string(values_.size()) + " is not in the graph");
    }
  }
  results_ = std::move(results);
}

Node Graph::node(std::size_t i) const noexcept {
  static const ops::Attributes none;
  static const ControlRecord no_control{};
  const Record& record = nodes_[i];
  const bool is_control = record.op.is_control();
  const ControlRecord& control = is_control ? controls_[record.attributes] : no_control;
  return {record.op,
          std::span(operands_).subspan(record.first_operand, record.operand_count),
          is_control ? none : attributes_[record.attributes],
          record.scalars,
          record.check,
          record.first_result,
          record.result_count,
          record.where,
          control.regions,
          control.scan,
          control.scalars,
          control.checks};
}

std::optional<std::size_t> Graph::producer(ValueId value) const noexcept {
  const std::uint32_t node = values_[index(value)].node;
  return node == no_node ? std::nullopt : std::optional<std::size_t>(node);
}

bool operator==(const Graph& a, const Graph& b) noexcept {
  // Equal graphs number their types and attributes alike: in the order of appearance.
  return a.values_ == b.values_ && a.operands_ == b.operands_ && a.parameters_ == b.parameters_ &&
         a.scalars_ == b.scalars_ && a.check_count_ == b.check_count_ && a.results_ == b.results_ &&
         std::ranges::equal(a.nodes_, b.nodes_,
                            [](const Graph::Record& one, const Graph::Record& other) {
                              return one.op == other.op &&
                                     one.first_operand == other.first_operand &&
                                     one.attributes == other.attributes &&
                                     one.scalars == other.scalars && one.check == other.check &&
                                     one.first_result == other.first_result;
                            }) &&
         a.types_ == b.types_ && a.attributes_ == b.attributes_ && a.controls_ == b.controls_ &&
         a.regions_ == b.regions_;
}

std::uint64_t Graph::hash() const noexcept {
  std::uint64_t hash = values_.size();
  const auto mix = [&hash](std::uint64_t word) { hash = mixed(hash, word); };
  for (const Value& value : values_) {
    mix(std::uint64_t{value.node} << 32 | value.type);
  }
  for (const ValueId operand : operands_) {
    mix(index(operand));
  }
  for (const Record& record : nodes_) {
    mix(static_cast<std::uint64_t>(record.op.code()) << 32 | record.attributes);
    for (const ScalarId scalar : record.scalars) {
      mix(index(scalar));
    }
    mix(index(record.check));
  }
  for (const ControlRecord& control : controls_) {
    for (const RegionId region : control.regions) {
      mix(static_cast<std::uint64_t>(region));
    }
    mix(std::uint64_t{control.scan.carries} << 32 | control.scan.slices);
    mix(static_cast<std::uint64_t>(control.scan.trips));
    mix(control.scan.reverse ? 1 : 0);
    for (const ScalarId scalar : control.scalars) {
      mix(index(scalar));
    }
    for (const CheckId check : control.checks) {
      mix(index(check));
    }
  }
  for (const ScalarKind scalar : scalars_) {
    mix(static_cast<std::uint64_t>(scalar));
  }
  for (const ValueId result : results_) {
    mix(index(result));
  }
  for (const auto* hashes : {&types_.hashes(), &attributes_.hashes(), &regions_.hashes()}) {
    for (const std::uint64_t each : *hashes) {
      mix(each);
    }
  }
  return hash;
}

std::vector<std::uint32_t> use_counts(const Graph& graph) {
  std::vector<std::uint32_t> counts(graph.value_count());
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    for (const ValueId operand : graph.node(i).operands) {
      ++counts[Graph::index(operand)];
    }
  }
  for (const ValueId result : graph.results()) {
    ++counts[Graph::index(result)];
  }
  return counts;
}

}  // namespace ddx::ir
