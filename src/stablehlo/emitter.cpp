#include "ddx/stablehlo/emitter.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/builder.h"
#include "stablehlo/detail/call.h"
#include "stablehlo/detail/collectives.h"
#include "stablehlo/detail/frame.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ddx::stablehlo {
namespace detail {

std::vector<ir::Type> field_types(ops::Op op, const ops::Attributes& attributes, DType result) {
  std::vector<ir::Type> types;
  const auto add = [&](const char*, const auto& field, ops::FieldRole role) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if (role == ops::FieldRole::Static) {
      return;
    }
    if constexpr (std::is_same_v<Field, RandomKey>) {
      types.push_back({Shape{4}, DType::u32});
    } else if constexpr (std::is_same_v<Field, ops::Literal>) {
      types.push_back({{}, result});
    } else {
      // Random numbers are computed in f64, as on every device.
      const bool random = ops::info(op).family == ops::Family::Random;
      types.push_back({{}, random ? DType::f64 : computed_in(result)});
    }
  };
  std::visit([&](const auto& one) { ops::visit_fields(one, add); }, attributes);
  return types;
}

const Value& Frame::scalar(const ScalarUse& use) const {
  const auto known =
      std::ranges::find_if(scalars, [&](const auto& one) { return one.first == use; });
  if (known == scalars.end()) {
    throw InternalError("emit", "scalar #" + std::to_string(use.scalar) + " has no value");
  }
  return known->second;
}

Values Frame::results() const {
  Values list;
  for (const ir::ValueId id : graph.results()) {
    list.push_back(at(id));
  }
  return list;
}

Values Frame::failures(Builder& builder) const {
  Values list;
  for (const auto& check : checks) {
    list.push_back(check ? *check : builder.number(0, DType::boolean));
  }
  return list;
}

namespace {

/// An attribute field, as a value.
Value baked_field(Builder& builder, const RandomKey& key, const ir::Type&) {
  Values words;
  for (const std::uint64_t half : key.state()) {
    for (const std::uint64_t word : {half & 0xFFFFFFFFU, half >> 32}) {
      words.push_back(reshape(
          builder.constant({.integer = static_cast<std::int64_t>(word)}, DType::u32), Shape{1}));
    }
  }
  return concatenate(words, 0);
}
Value baked_field(Builder& builder, const ops::Literal& literal, const ir::Type& type) {
  return builder.constant(literal, type.dtype);
}
Value baked_field(Builder& builder, double number, const ir::Type& type) {
  return builder.number(number, type.dtype);
}

Values fields_of(Builder& builder, const Frame& frame, const ir::Node& node, DType result) {
  const std::vector<ir::Type> types = field_types(node.op.row(), node.attributes, result);
  Values fields;
  const auto add = [&](const char*, const auto& field, ops::FieldRole role) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (std::is_same_v<Field, RandomKey> || std::is_same_v<Field, ops::Literal> ||
                  std::is_same_v<Field, double>) {
      if (role == ops::FieldRole::RunTime) {
        const std::size_t i = fields.size();
        const ir::ScalarId scalar = node.scalars[i];
        fields.push_back(scalar == ir::baked ? baked_field(builder, field, types[i])
                                             : frame.scalar({ir::Graph::index(scalar), types[i]}));
      }
    }
  };
  std::visit([&](const auto& one) { ops::visit_fields(one, add); }, node.attributes);
  return fields;
}

/// Emits a call in f32 if its floating elements have 16 bits.
Values emit_widened(const Cell& cell, Call call) {
  const std::vector<ir::Type> results = call.results;
  for (Value& operand : call.operands) {
    operand = convert(operand, computed_in(operand.dtype()));
  }
  for (ir::Type& type : call.results) {
    type.dtype = computed_in(type.dtype);
  }
  Values values = cell.emit(call);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = convert(values[i], results[i].dtype);
  }
  return values;
}

Values emit_call(const Call& call) {
  const auto is_empty = [](const ir::Type& type) { return type.shape.count() == 0; };
  if (std::ranges::all_of(call.results, is_empty)) {
    Values values;
    for (const ir::Type& type : call.results) {
      values.push_back(call.builder.zeros(type));
    }
    return values;
  }
  const Cell cell = cell_of(call.op);
  if (cell.emit == nullptr) {
    throw UsageError(std::string(ops::to_string(call.op)), std::string(cell.reason));
  }
  return cell.digits == Digits::Widened ? emit_widened(cell, call) : cell.emit(call);
}

void emit_row(Builder& builder, Frame& frame, const ir::Node& node, bool fast_products) {
  std::vector<ir::Type> results;
  for (std::size_t i = 0; i < node.result_count; ++i) {
    results.push_back(frame.graph.type(node.result(i)));
  }
  Values operands;
  for (const ir::ValueId operand : node.operands) {
    operands.push_back(frame.at(operand));
  }
  const Call call{builder,      node.op.row(), node.attributes,
                  operands,     results,       fields_of(builder, frame, node, results[0].dtype),
                  fast_products};
  const Values values = emit_call(call);
  for (std::size_t i = 0; i < values.size(); ++i) {
    frame.values[ir::Graph::index(node.result(i))] = values[i];
  }
  if (node.check != ir::unchecked) {
    frame.checks[ir::Graph::index(node.check)] = failure_of(call, values);
  }
}

}  // namespace

void emit_nodes(Builder& builder, Frame& frame, bool fast_products) {
  for (std::size_t i = 0; i < frame.graph.node_count(); ++i) {
    const ir::Node node = frame.graph.node(i);
    if (node.op.is_control()) {
      emit_control(builder, frame, node, fast_products);
    } else {
      emit_row(builder, frame, node, fast_products);
    }
  }
}

}  // namespace detail

namespace {

void require(bool holds, const std::string& facts) {
  if (!holds) {
    throw UsageError("emit", facts);
  }
}

void require_count(std::size_t given, std::size_t wanted, const char* what) {
  require(given == 0 || given == wanted,
          std::to_string(given) + " " + what + " for " + std::to_string(wanted) + " of the graph");
}

void check_options(const ir::Graph& graph, const EmitOptions& options) {
  require_count(options.memory.size(), graph.parameters().size(), "donations of parameters");
  require_count(options.parameter_shardings.size(), graph.parameters().size(),
                "shardings of parameters");
  require_count(options.result_shardings.size(), graph.results().size(), "shardings of results");
  require_count(options.equal_scalars.size(), graph.scalars().size(), "equal scalars");
  for (std::size_t i = 0; i < options.equal_scalars.size(); ++i) {
    const std::size_t first = ir::Graph::index(options.equal_scalars[i]);
    require(first == i ||
                (first < i && options.equal_scalars[first] == static_cast<ir::ScalarId>(first) &&
                 graph.scalars()[first] == ir::ScalarKind::Number &&
                 graph.scalars()[i] == ir::ScalarKind::Number),
            "scalar #" + std::to_string(first) + " cannot be passed for #" + std::to_string(i));
  }
  require(options.replicas > 0 && options.partitions > 0,
          std::to_string(options.replicas) + " replicas of " + std::to_string(options.partitions) +
              " partitions are none");
  for (const Collective& one : options.collectives) {
    require(one.result < graph.results().size(),
            "there is no result " + std::to_string(one.result) + " for a collective operation");
  }
}

/// Requires of each donated parameter that the result which overwrites it has its type, and no
/// other one to overwrite.
void check_memory(const ir::Graph& graph, const EmitOptions& options) {
  std::vector<bool> taken(graph.results().size());
  for (std::size_t i = 0; i < options.memory.size(); ++i) {
    if (options.memory[i].donation != Donation::Result) {
      continue;
    }
    const std::size_t k = options.memory[i].aliased;
    const std::string pair = "result " + std::to_string(k) + " for parameter " + std::to_string(i);
    require(k < taken.size(), "there is no " + pair);
    require(!taken[k], "another parameter has " + pair);
    require(graph.type(graph.results()[k]) == graph.type(graph.parameters()[i]),
            "another type has " + pair);
    taken[k] = true;
  }
}

void donate(Module& module, const EmitOptions& options) {
  for (std::size_t i = 0; i < options.memory.size(); ++i) {
    module.parameters[i].donation = options.memory[i].donation;
    module.parameters[i].aliased = options.memory[i].aliased;
  }
}

/// The use whose value is passed for one.
detail::ScalarUse passed(const detail::ScalarUse& use, const EmitOptions& options) {
  return options.equal_scalars.empty()
             ? use
             : detail::ScalarUse{ir::Graph::index(options.equal_scalars[use.scalar]), use.type};
}

/// What is passed, in one array for each dtype, in the order of first use.
std::vector<ScalarArray> scalar_arrays(const std::vector<detail::ScalarUse>& uses,
                                       std::size_t scalars, const EmitOptions& options) {
  std::vector<ScalarArray> arrays;
  std::vector<std::vector<ir::Type>> known(scalars);
  for (const detail::ScalarUse& one : uses) {
    const detail::ScalarUse use = passed(one, options);
    std::vector<ir::Type>& types = known[use.scalar];
    if (std::ranges::find(types, use.type) != types.end()) {
      continue;
    }
    types.push_back(use.type);
    auto array = std::ranges::find(arrays, use.type.dtype,
                                   [](const ScalarArray& one) { return one.type.dtype; });
    if (array == arrays.end()) {
      arrays.push_back({{Shape{0}, use.type.dtype}, {}});
      array = arrays.end() - 1;
    }
    const std::int64_t first = array->type.shape[0];
    array->scalars.push_back({static_cast<ir::ScalarId>(use.scalar), use.type, first});
    array->type.shape = Shape{first + use.type.shape.count()};
  }
  return arrays;
}

void place(std::vector<Placement>& placements,
           const std::vector<std::optional<Sharding>>& shardings) {
  for (std::size_t i = 0; i < shardings.size(); ++i) {
    if (shardings[i]) {
      placements[i].is_sharded = true;
      placements[i].sharding = *shardings[i];
    }
  }
}

}  // namespace

Emitted emit(const ir::Graph& graph, const EmitOptions& options) {
  check_options(graph, options);
  check_memory(graph, options);
  Emitted emitted;
  Module& module = emitted.module;
  module.replicas = options.replicas;
  module.partitions = options.partitions;
  module.mesh = options.mesh;
  detail::Builder builder(module);
  detail::Frame frame(graph);
  for (const ir::ValueId parameter : graph.parameters()) {
    frame.values[ir::Graph::index(parameter)] = builder.parameter(graph.type(parameter));
  }
  const std::vector<detail::ScalarUse> uses = detail::scalar_uses(graph);
  emitted.scalars = scalar_arrays(uses, graph.scalars().size(), options);
  detail::Values arrays;  // All parameters come before what is computed from them.
  for (const ScalarArray& array : emitted.scalars) {
    arrays.push_back(builder.parameter(array.type));
  }
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    for (const ScalarPlace& place : emitted.scalars[i].scalars) {
      const detail::Value words =
          detail::slice_axis(arrays[i], 0, place.first, place.first + place.type.shape.count());
      frame.scalars.emplace_back(detail::ScalarUse{ir::Graph::index(place.scalar), place.type},
                                 detail::reshape(words, place.type.shape));
    }
  }
  for (const detail::ScalarUse& use : uses) {
    if (const detail::ScalarUse equal = passed(use, options); equal != use) {
      frame.scalars.emplace_back(use, frame.scalar(equal));
    }
  }
  detail::emit_nodes(builder, frame, options.fast_products);
  detail::Values results = frame.results();
  for (const Collective& collective : options.collectives) {
    detail::Value& result = results[collective.result];
    result = detail::communicated(result, collective, options.partitions > 1);
  }
  if (detail::Values failures = frame.failures(builder); !failures.empty()) {
    for (detail::Value& failure : failures) {
      failure = detail::reshape(failure, Shape{1});
    }
    results.push_back(detail::concatenate(failures, 0));
  }
  builder.finish(results);
  place(module.parameters, options.parameter_shardings);
  if (!options.mesh.axes.empty()) {
    for (std::size_t i = 0; i < emitted.scalars.size(); ++i) {
      Placement& array = module.parameters[graph.parameters().size() + i];
      array.is_sharded = true;
      array.sharding = {{}};  // Else the compiler might divide it.
    }
  }
  place(module.results, options.result_shardings);
  donate(module, options);
  return emitted;
}

std::string_view unsupported_reason(ops::Op op, DType key) noexcept {
  if (!ops::contains(ops::info(op).dtypes, key)) {
    return "the operation is not defined for this dtype";
  }
  const detail::Cell cell = detail::cell_of(op);
  return cell.emit == nullptr ? cell.reason : std::string_view();
}

}  // namespace ddx::stablehlo
