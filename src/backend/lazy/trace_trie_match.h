/// \file
/// Whether an operation is one that has been recorded before: what a step of a training loop costs
/// over and over. Inline, so that recording an operation is one function.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/literal.h"

#include "backend/lazy/attribute_guard.h"
#include "backend/lazy/operation.h"
#include "backend/lazy/trace_inputs.h"
#include "backend/lazy/trace_trie.h"
#include "backend/lazy_value.h"

#include <cstdint>
#include <utility>
#include <variant>

namespace ddx::backend::lazy {

[[nodiscard]] inline bool is_of_type(const ops::View& view, const ir::Type& type) {
  return view.dtype() == type.dtype && view.shape() == type.shape;
}

/// The element of a view without a block. Inline, as is what is done with it: copied by vectors it
/// would wait for the stores of its fields.
[[nodiscard, gnu::always_inline]] inline ops::Literal literal_of(const ops::View& view) {
  if (view.dtype() == DType::f32) [[likely]] {
    return ops::literal(*view.data<float>());
  }
  return visit(view.dtype(), [&](auto zero) { return ops::literal(*view.data<decltype(zero)>()); });
}

/// Gives a number unless it is a baked one.
[[nodiscard, gnu::always_inline]] inline bool takes_scalar(const ops::Literal& number,
                                                           TraceInputs& given) {
  if (is_baked(number)) {
    return false;
  }
  // Field by field, for the same reason.
  given.scalars.emplace_back(std::in_place_type<ops::Literal>, number.real, number.integer,
                             number.imaginary);
  return true;
}

[[gnu::always_inline]] inline bool TraceTrie::matches(const Operand& operand, const ops::View& view,
                                                      TraceInputs& given) const {
  if (!is_of_type(view, types_[operand.type])) {
    return false;
  }
  Block* const block = block_of(view);
  // No switch: a jump through a table is one more that has to be foreseen.
  if (operand.kind == Operand::Kind::Result) {
    return block != nullptr && is_lazy(*block) && lazy_value_in(*block).result == operand.index &&
           is_own(lazy_value_in(*block), *block, view);
  }
  if (operand.kind == Operand::Kind::Array) {
    return operand.index < given.arrays.size() ? given.arrays[operand.index].buffer.block() == block
                                               : matches_new_array(view, given);
  }
  if (block != nullptr) {
    return false;
  }
  const ops::Literal number = literal_of(view);
  return operand.kind == Operand::Kind::Number ? is_same(number, numbers_[operand.index])
                                               : takes_scalar(number, given);
}

[[gnu::always_inline]] inline bool TraceTrie::matches_given(const Step& step,
                                                            const Operation& operation,
                                                            TraceInputs& given) const {
  const Operand* operand = operands_.data() + step.first_operand;
  for (const ops::View& input : operation.inputs) {
    if (!matches(*operand++, input, given)) {
      return false;
    }
  }
  return !step.has_attributes || passes(step, operation.attributes, given);
}

[[gnu::always_inline]] inline bool TraceTrie::matches(const Step& step, const Operation& operation,
                                                      TraceInputs& given) const {
  if (step.op != operation.op || step.operand_count != operation.inputs.size() ||
      step.result_count != operation.outputs.size() || step.has_check != has_check(operation)) {
    return false;
  }
  const std::uint32_t* type = result_types_.data() + step.first_type;
  for (const ops::View& output : operation.outputs) {
    if (!is_of_type(output, types_[*type++])) {
      return false;
    }
  }
  if (!step.gives) {
    return matches_given(step, operation, given);
  }
  InputRollback growth(given);
  if (!matches_given(step, operation, given)) {
    return false;
  }
  growth.keep();
  return true;
}

[[gnu::always_inline]] inline TraceTrie::Node TraceTrie::known(Node at, const Operation& operation,
                                                               TraceInputs& given) {
  const Node child = steps_[at].first_child;
  if (child == root || matches(steps_[child], operation, given)) [[likely]] {
    return child;
  }
  return known_behind(child, at, operation, given);
}

}  // namespace ddx::backend::lazy
