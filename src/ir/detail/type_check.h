/// \file
/// Checks one operation with the types of its operands and results.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

#include <cstddef>
#include <span>
#include <string>
#include <variant>

namespace ddx::ir::detail {

/// Fails with the difference and all operands.
struct TypeCheck {
  ops::Site site;
  ops::Op op;
  std::span<const Type> operands;
  const ops::Attributes& attributes;
  std::span<const Type> results;

  [[nodiscard]] const Shape& shape(std::size_t operand) const { return operands[operand].shape; }

  template <class A>
  [[nodiscard]] const A& as() const {
    return std::get<A>(attributes);
  }

  [[noreturn]] void fail(const std::string& facts) const;
  void require(bool holds, const char* facts) const {
    if (!holds) {
      fail(facts);
    }
  }
  void require_operand(std::size_t operand, const Type& type) const;
  void require_result(std::size_t result, const Type& type) const;
  /// Checks that the first result has this shape, and the dtype that follows from the key operand.
  void require_shape(const Shape& shape) const;
  /// Checks that the operands from number `first` on have the dtype of the first one.
  void require_one_dtype(std::size_t first = 1) const;
};

/// The families Convolution, Pooling and Morphology.
void check_convolution(const TypeCheck& check);
void check_pooling(const TypeCheck& check);
void check_morphology(const TypeCheck& check);
/// The families Movement, Update, Concatenation and Indexing.
void check_movement(const TypeCheck& check);
void check_update(const TypeCheck& check);
void check_concatenation(const TypeCheck& check);
void check_indexing(const TypeCheck& check);
/// The families Normalization, LinearAlgebra and Attention.
void check_normalization(const TypeCheck& check);
void check_linear_algebra(const TypeCheck& check);
void check_attention(const TypeCheck& check);

}  // namespace ddx::ir::detail
