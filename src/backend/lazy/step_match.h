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
#include "backend/lazy/given.h"
#include "backend/lazy/operation.h"
#include "backend/lazy/step_tree.h"
#include "backend/promise.h"

#include <cstdint>
#include <utility>
#include <variant>

namespace ddx::backend::lazy {

[[nodiscard]] inline bool is_of_type(const ops::View& view, const ir::Type& type) {
  return view.dtype() == type.dtype && view.shape() == type.shape;
}

/// The element of a view without a block.
[[nodiscard]] inline ops::Literal literal_of(const ops::View& view) {
  if (view.dtype() == DType::f32) [[likely]] {
    return ops::literal(*view.data<float>());
  }
  return visit(view.dtype(), [&](auto zero) { return ops::literal(*view.data<decltype(zero)>()); });
}

/// Gives a number unless it is a baked one.
[[nodiscard]] inline bool takes_scalar(const ops::Literal& number, Given& given) {
  if (is_baked(number)) {
    return false;
  }
  given.scalars.emplace_back(number);
  return true;
}

[[gnu::always_inline]] inline bool StepTree::matches(const Operand& operand, const ops::View& view,
                                                     Given& given) const {
  if (!is_of_type(view, types_[operand.type])) {
    return false;
  }
  Block* const block = block_of(view);
  switch (operand.kind) {
    case Operand::Kind::Result:
      return block != nullptr && is_promised(*block) &&
             promise_in(*block).result == operand.place && is_own(promise_in(*block), *block, view);
    case Operand::Kind::Array:
      if (operand.place < given.arrays.size()) {
        return given.arrays[operand.place].buffer.block() == block;
      }
      return matches_new_array(view, given);
    case Operand::Kind::Number:
      return block == nullptr && is_same(literal_of(view), numbers_[operand.place]);
    case Operand::Kind::Scalar:
      return block == nullptr && takes_scalar(literal_of(view), given);
  }
  __builtin_unreachable();
}

[[gnu::always_inline]] inline bool StepTree::matches(const Step& step, const Operation& operation,
                                                     Given& given) const {
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
  Growth growth(given);
  const Operand* operand = operands_.data() + step.first_operand;
  for (const ops::View& input : operation.inputs) {
    if (!matches(*operand++, input, given)) {
      return false;
    }
  }
  if (step.has_attributes && !passes(step, operation.attributes, given)) {
    return false;
  }
  growth.keep();
  return true;
}

[[gnu::always_inline]] inline StepTree::Place StepTree::known(Place at, const Operation& operation,
                                                              Given& given) {
  const Place child = steps_[at].first_child;
  if (child == root || matches(steps_[child], operation, given)) [[likely]] {
    return child;
  }
  return known_behind(child, at, operation, given);
}

}  // namespace ddx::backend::lazy
