#include "ddx/ir/graph.h"

#include "ddx/core/error.h"
#include "ddx/core/hash.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/op.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::ir {

std::uint64_t Graph::TypeTraits::hash(const Type& type) noexcept {
  std::uint64_t hash = 1 + static_cast<std::uint64_t>(type.dtype);
  for (const Shape::Extent extent : type.shape.extents()) {
    hash = mixed(hash, static_cast<std::uint64_t>(extent));
  }
  return hash;
}

ValueId Graph::add_value(const Type& type, std::uint32_t node) {
  values_.push_back({types_.add(type), node});
  return static_cast<ValueId>(values_.size() - 1);
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

ValueId Graph::add_node(ops::Op op, std::span<const ValueId> operands,
                        const ops::Attributes& attributes, std::span<const Type> results,
                        const ScalarFields& scalars, const std::source_location& where,
                        CheckId check) {
  const auto fail = [&](const char* what, std::size_t number, std::size_t count) {
    throw InternalError(std::string("graph: ") + std::string(to_string(op)),
                        std::string(what) + " " + std::to_string(number) + " of " +
                            std::to_string(count) + " is not in the graph");
  };
  for (const ValueId operand : operands) {
    if (index(operand) >= values_.size()) {
      fail("operand", index(operand), values_.size());
    }
  }
  for (const ScalarId scalar : scalars) {
    if (scalar != baked && index(scalar) >= scalars_.size()) {
      fail("scalar", index(scalar), scalars_.size());
    }
  }
  if (check != unchecked && index(check) >= check_count_) {
    fail("check", index(check), check_count_);
  }
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  const auto first_operand = static_cast<std::uint32_t>(operands_.size());
  const auto first_result = static_cast<ValueId>(values_.size());
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  for (const Type& result : results) {
    add_value(result, number);
  }
  nodes_.push_back({op, first_operand, static_cast<std::uint32_t>(operands.size()),
                    attributes_.add(attributes), scalars, check, first_result,
                    static_cast<std::uint32_t>(results.size()), where});
  return first_result;
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
  const Record& record = nodes_[i];
  return {record.op,
          std::span(operands_).subspan(record.first_operand, record.operand_count),
          attributes_[record.attributes],
          record.scalars,
          record.check,
          record.first_result,
          record.result_count,
          record.where};
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
         a.types_ == b.types_ && a.attributes_ == b.attributes_;
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
    mix(static_cast<std::uint64_t>(record.op) << 32 | record.attributes);
    for (const ScalarId scalar : record.scalars) {
      mix(index(scalar));
    }
    mix(index(record.check));
  }
  for (const ScalarKind scalar : scalars_) {
    mix(static_cast<std::uint64_t>(scalar));
  }
  for (const ValueId result : results_) {
    mix(index(result));
  }
  for (const auto* hashes : {&types_.hashes(), &attributes_.hashes()}) {
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
