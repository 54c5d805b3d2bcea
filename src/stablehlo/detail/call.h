/// \file
/// One operation of a graph during emission, and the table of emitters.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/op.h"

#include "stablehlo/detail/builder.h"

#include <cstddef>
#include <string_view>
#include <variant>
#include <vector>

namespace ddx::stablehlo::detail {

/// A row of ops.def with its operands, as values of the program.
struct Call {
  Builder& builder;
  ops::Op op;
  const ops::Attributes& attributes;
  Values operands;
  std::vector<ir::Type> results;
  Values fields;       ///< The run-time fields, in their order.
  bool fast_products;  ///< See EmitOptions.

  [[nodiscard]] const Value& in(std::size_t i) const { return operands[i]; }
  [[nodiscard]] const Shape& shape(std::size_t result = 0) const { return results[result].shape; }
  [[nodiscard]] DType dtype(std::size_t result = 0) const { return results[result].dtype; }

  template <class A>
  [[nodiscard]] const A& as() const {
    return std::get<A>(attributes);
  }
};

/// Emits one operation; returns a value for each of its results.
using Emit = Values (*)(const Call& call);

/// How 16-bit floating elements are computed.
enum class Digits : std::uint8_t {
  AsTheyAre,  ///< By the emitter of the operation.
  Widened,    ///< In f32: operands are converted before, and results after.
};

/// The emitter of an operation; null if it cannot be emitted, with the reason.
struct Cell {
  Emit emit;
  Digits digits;
  std::string_view reason;
};

/// The cell of a row.
[[nodiscard]] Cell cell_of(ops::Op op) noexcept;

/// The types of an operation's run-time fields as values: a key as its words (u32[4]), a number in
/// the dtype in which the operation reads it.
[[nodiscard]] std::vector<ir::Type> field_types(ops::Op op, const ops::Attributes& attributes,
                                                DType result);

/// Whether some element is invalid for the operation: what its ops::Check rejects (see
/// docs/design/009-pjrt.md). A bool[].
[[nodiscard]] Value failure_of(const Call& call, const Values& results);

// Families. Each is an Emit, in the file named.

// creation.cpp
Values emit_full(const Call& call);
Values emit_iota(const Call& call);
Values emit_cast(const Call& call);
// random.cpp
Values emit_random_uniform(const Call& call);
Values emit_random_normal(const Call& call);
Values emit_random_bernoulli(const Call& call);
// elementwise.cpp
Values emit_named_unary(const Call& call);
Values emit_named_binary(const Call& call);
Values emit_comparison(const Call& call);
Values emit_predicate(const Call& call);
Values emit_unary(const Call& call);
Values emit_binary(const Call& call);
Values emit_select(const Call& call);
// transcendental.cpp, special.cpp
Values emit_transcendental(const Call& call);
Values emit_special(const Call& call);
Values emit_polygamma(const Call& call);
// movement.cpp
Values emit_movement(const Call& call);
// indexing.cpp
Values emit_gather(const Call& call);
Values emit_gather_gradient(const Call& call);
Values emit_take_along_axis(const Call& call);
Values emit_take_along_axis_gradient(const Call& call);
Values emit_one_hot(const Call& call);
Values emit_resample(const Call& call);
Values emit_resample_gradient(const Call& call);
// reduction.cpp
Values emit_reduction(const Call& call);
Values emit_arg_reduction(const Call& call);
Values emit_argsort(const Call& call);
// cumulative.cpp
Values emit_cumulative(const Call& call);
// fourier.cpp
Values emit_fourier(const Call& call);
// products.cpp
Values emit_matmul(const Call& call);
Values emit_quantized_matmul(const Call& call);
Values emit_convolution(const Call& call);
Values emit_convolution_input_gradient(const Call& call);
Values emit_convolution_filter_gradient(const Call& call);
// pooling.cpp
Values emit_avg_pool(const Call& call);
Values emit_avg_pool_gradient(const Call& call);
Values emit_max_pool(const Call& call);
Values emit_max_pool_gradient(const Call& call);
// morphology.cpp
Values emit_grey_dilation(const Call& call);
Values emit_dilated_max_pool_gradient(const Call& call);
// normalization.cpp
Values emit_batch_norm_training(const Call& call);
Values emit_batch_norm_training_gradient(const Call& call);
Values emit_batch_norm_inference(const Call& call);
Values emit_layer_norm(const Call& call);
Values emit_layer_norm_gradient(const Call& call);
// softmax.cpp
Values emit_softmax(const Call& call);
Values emit_softmax_gradient(const Call& call);
Values emit_cross_entropy(const Call& call);
Values emit_cross_entropy_gradient(const Call& call);
// attention.cpp
Values emit_attention(const Call& call);
Values emit_attention_over_range(const Call& call);
Values emit_attention_gradient(const Call& call);
Values emit_attention_with_tangent(const Call& call);
Values emit_attention_with_tangent_gradient(const Call& call);
// elimination.cpp, orthogonal.cpp, jacobi.cpp
Values emit_cholesky(const Call& call);
Values emit_lu(const Call& call);
Values emit_triangular_solve(const Call& call);
Values emit_qr(const Call& call);
Values emit_svd(const Call& call);
Values emit_eigh(const Call& call);

}  // namespace ddx::stablehlo::detail
