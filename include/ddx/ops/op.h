/// \file
/// The operation table as data: one enumerator and one OpInfo per row of ddx/ops/ops.def.

#pragma once

#include "ddx/core/dtype.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ddx::ops {

/// An operation. The rows are in ddx/ops/ops.def.
enum class Op : std::uint8_t {
#define DDX_OP(name, family, inputs, outputs, attributes, saves, domain, dtypes, stablehlo) name,
#include "ddx/ops/ops.def"
};

/// Operations of one family share their shape rule, their kernel's form and their test generator.
/// The key operand, whose dtype selects the kernel, is the first output for Creation, Random and
/// one_hot, the second input for Select, and the first input for all others.
enum class Family : std::uint8_t {
  Creation,
  Random,
  Cast,
  Unary,
  Binary,
  ScaledSum,
  Comparison,
  Predicate,
  Select,
  Movement,
  Update,
  Concatenation,
  Indexing,
  Reduction,
  ArgReduction,
  Sorting,
  Cumulative,
  Fourier,
  Matmul,
  QuantizedProduct,
  Convolution,
  Resampling,
  Pooling,
  Morphology,
  Normalization,
  Softmax,
  CrossEntropy,
  LinearAlgebra,
  Attention,
};

/// What the derivative of an operation keeps from the forward computation. Shapes are always kept.
enum class Saves : std::uint8_t { Nothing, Inputs, Output, InputsAndOutput, Condition, Indices };

/// From where the tests draw an operation's operands.
enum class Domain : std::uint8_t {
  NoOperand,         ///< It has none.
  Any,               ///< [-2, 2], or the dtype's own small values.
  Positive,          ///< [0.25, 2].
  AwayFromZero,      ///< [-2, -0.25] and [0.25, 2].
  AwayFromIntegers,  ///< At least 0.1 from the next half of an integer.
  InsideUnit,        ///< [-0.9, 0.9].
  AboveOne,          ///< [1.25, 3].
  WithSpecials,      ///< As Any, and infinities of both signs and NaN among them.
  SmallIntegers,     ///< -2 ... 2, so that ties occur.
  Counts,            ///< 0 ... 3.
  CountFirst,        ///< Counts for the first operand, Positive for the second.
  CountSecond,       ///< Any for the first operand, Counts for the second.
};

/// The element types an operation is defined for.
enum class DTypeClass : std::uint8_t {
  All,
  Ordered,     ///< All but the complex ones.
  Numeric,     ///< Numbers that have an order.
  Arithmetic,  ///< Numeric and complex numbers.
  Floating,
  Analytic,       ///< Floating and complex numbers.
  Complex,        ///< c64 and c128.
  FullPrecision,  ///< f32 and f64.
  Integer,
  Boolean
};

/// The number of operands of an operation that takes one or more.
inline constexpr int variadic = -1;

/// One row of the operation table.
struct OpInfo {
  Op op;
  std::string_view name;
  Family family;
  int inputs;
  int outputs;
  Saves saves;
  Domain domain;
  DTypeClass dtypes;
  std::string_view stablehlo;
};

/// Every operation, in the order of the enumerators.
inline constexpr auto op_table = std::to_array<OpInfo>({
#define DDX_OP(name, family, inputs, outputs, attributes, saves, domain, dtypes, stablehlo) \
  {Op::name,     #name,          Family::family,     inputs,   outputs,                     \
   Saves::saves, Domain::domain, DTypeClass::dtypes, stablehlo},
#include "ddx/ops/ops.def"
});

/// The number of operations.
inline constexpr std::size_t op_count = op_table.size();

/// The row of an operation.
[[nodiscard]] constexpr const OpInfo& info(Op op) noexcept {
  return op_table[static_cast<std::size_t>(op)];
}

/// The name of an operation, e.g. "matmul".
[[nodiscard]] constexpr std::string_view to_string(Op op) noexcept {
  return info(op).name;
}

/// Whether the class contains the element type.
[[nodiscard]] constexpr bool contains(DTypeClass dtypes, DType dtype) noexcept {
  const DTypeKind kind = info(dtype).kind;
  switch (dtypes) {
    case DTypeClass::All:
      return true;
    case DTypeClass::Ordered:
      return kind != DTypeKind::Complex;
    case DTypeClass::Numeric:
      return kind != DTypeKind::Boolean && kind != DTypeKind::Complex;
    case DTypeClass::Arithmetic:
      return kind != DTypeKind::Boolean;
    case DTypeClass::Floating:
      return kind == DTypeKind::Float;
    case DTypeClass::Analytic:
      return kind == DTypeKind::Float || kind == DTypeKind::Complex;
    case DTypeClass::Complex:
      return kind == DTypeKind::Complex;
    case DTypeClass::FullPrecision:
      return dtype == DType::f32 || dtype == DType::f64;
    case DTypeClass::Integer:
      return kind == DTypeKind::Signed || kind == DTypeKind::Unsigned;
    case DTypeClass::Boolean:
      return kind == DTypeKind::Boolean;
  }
  __builtin_unreachable();
}

/// Where the key operand of an operation stands (see Family).
struct KeyPlace {
  bool among_results;
  std::size_t index;
};
[[nodiscard]] constexpr KeyPlace key_place(Op op) noexcept {
  const Family family = info(op).family;
  const bool made = family == Family::Creation || family == Family::Random || op == Op::one_hot;
  return {.among_results = made, .index = family == Family::Select ? 1U : 0U};
}

/// The element type of an operation's first result, given that of its key operand.
[[nodiscard]] constexpr DType result_dtype(Op op, DType key) noexcept {
  switch (info(op).family) {
    case Family::Comparison:
    case Family::Predicate:
      return DType::boolean;
    case Family::ArgReduction:
    case Family::Sorting:
      return DType::i32;
    case Family::Creation:
    case Family::Random:
    case Family::Cast:
    case Family::Unary:
    case Family::Binary:
    case Family::ScaledSum:
    case Family::Select:
    case Family::Movement:
    case Family::Update:
    case Family::Concatenation:
    case Family::Indexing:
    case Family::Reduction:
    case Family::Cumulative:
    case Family::Matmul:
    case Family::QuantizedProduct:
    case Family::Convolution:
    case Family::Resampling:
    case Family::Pooling:
    case Family::Morphology:
    case Family::Normalization:
    case Family::Softmax:
    case Family::CrossEntropy:
    case Family::LinearAlgebra:
    case Family::Attention:
      return key;
    case Family::Fourier:
      return op == Op::irfft ? part_dtype(key) : op == Op::rfft ? complex_dtype(key) : key;
  }
  __builtin_unreachable();
}

}  // namespace ddx::ops
