#include "ddx/ops/op.h"

#include "stablehlo/detail/call.h"

namespace ddx::stablehlo::detail {
namespace {

using ops::Op;

constexpr Cell exactly(Emit emit) {
  return {emit, Digits::AsTheyAre, {}};
}

constexpr Cell widened(Emit emit) {
  return {emit, Digits::Widened, {}};
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): a table.
Cell cell_of(Op op) noexcept {
  switch (op) {
    case Op::full:
      return exactly(emit_full);
    case Op::iota:
      return exactly(emit_iota);
    case Op::random_uniform:
      return exactly(emit_random_uniform);
    case Op::random_normal:
      return exactly(emit_random_normal);
    case Op::random_bernoulli:
      return exactly(emit_random_bernoulli);
    case Op::cast:
      return exactly(emit_cast);
    case Op::neg:
    case Op::floor:
    case Op::ceil:
    case Op::round:
    case Op::logical_not:
    case Op::bitwise_not:
      return exactly(emit_named_unary);
    case Op::exp:
    case Op::expm1:
    case Op::log:
    case Op::log1p:
    case Op::sqrt:
    case Op::rsqrt:
    case Op::sin:
    case Op::cos:
    case Op::tanh:
    case Op::sigmoid:
    case Op::tan:
      return widened(emit_named_unary);
    case Op::abs:
    case Op::sign:
    case Op::relu:
      return exactly(emit_unary);
    case Op::square:
    case Op::reciprocal:
      return widened(emit_unary);
    case Op::exp2:
    case Op::log2:
    case Op::log10:
    case Op::asin:
    case Op::acos:
    case Op::atan:
    case Op::sinh:
    case Op::cosh:
    case Op::asinh:
    case Op::acosh:
    case Op::atanh:
    case Op::silu:
    case Op::silu_gradient:
      return widened(emit_transcendental);
    case Op::erf:
    case Op::erfc:
    case Op::lgamma:
    case Op::digamma:
    case Op::gelu:
    case Op::gelu_gradient:
      return widened(emit_special);
    case Op::polygamma:
      return exactly(emit_polygamma);
    case Op::is_finite:
    case Op::is_inf:
    case Op::is_nan:
      return exactly(emit_predicate);
    case Op::maximum:
    case Op::minimum:
    case Op::logical_and:
    case Op::logical_or:
    case Op::bitwise_and:
    case Op::bitwise_or:
    case Op::bitwise_xor:
      return exactly(emit_named_binary);
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::pow:
    case Op::atan2:
      return widened(emit_named_binary);
    case Op::relu_gradient:
    case Op::left_shift:
    case Op::right_shift:
      return exactly(emit_binary);
    case Op::div:
    case Op::cotangent_product:
    case Op::cotangent_quotient:
    case Op::squared_difference:
    case Op::remainder:
    case Op::floor_divide:
    case Op::fmod:
    case Op::hypot:
    case Op::tanh_gradient:
    case Op::sigmoid_gradient:
    case Op::add_scaled:
      return widened(emit_binary);
    case Op::equal:
    case Op::not_equal:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
      return exactly(emit_comparison);
    case Op::select:
      return exactly(emit_select);
    case Op::reshape:
    case Op::broadcast_to:
    case Op::transpose:
    case Op::slice:
    case Op::reverse:
    case Op::pad:
    case Op::update_slice:
    case Op::concatenate:
      return exactly(emit_movement);
    case Op::gather:
      return exactly(emit_gather);
    case Op::gather_gradient:
      return widened(emit_gather_gradient);
    case Op::take_along_axis:
      return exactly(emit_take_along_axis);
    case Op::take_along_axis_gradient:
      return widened(emit_take_along_axis_gradient);
    case Op::one_hot:
      return exactly(emit_one_hot);
    case Op::max:
    case Op::min:
    case Op::all:
    case Op::any:
      return exactly(emit_reduction);
    case Op::sum:
    case Op::mean:
    case Op::product:
    case Op::log_sum_exp:
      return widened(emit_reduction);
    case Op::argmax:
    case Op::argmin:
      return exactly(emit_arg_reduction);
    case Op::argsort:
      return exactly(emit_argsort);
    case Op::cumulative_max:
      return exactly(emit_cumulative);
    case Op::cumulative_sum:
    case Op::cumulative_product:
    case Op::cumulative_log_sum_exp:
    case Op::linear_recurrence:
      return widened(emit_cumulative);
    case Op::fft:
    case Op::rfft:
    case Op::irfft:
      return exactly(emit_fourier);
    case Op::matmul:
      return exactly(emit_matmul);
    case Op::cholesky:
      return exactly(emit_cholesky);
    case Op::lu:
      return exactly(emit_lu);
    case Op::triangular_solve:
      return exactly(emit_triangular_solve);
    case Op::qr:
      return exactly(emit_qr);
    case Op::svd:
    case Op::svdvals:
      return exactly(emit_svd);
    case Op::eigh:
    case Op::eigvalsh:
      return exactly(emit_eigh);
    case Op::convolution:
      return exactly(emit_convolution);
    case Op::convolution_input_gradient:
      return exactly(emit_convolution_input_gradient);
    case Op::convolution_filter_gradient:
      return exactly(emit_convolution_filter_gradient);
    case Op::resample:
      return widened(emit_resample);
    case Op::resample_gradient:
      return widened(emit_resample_gradient);
    case Op::avg_pool:
      return widened(emit_avg_pool);
    case Op::avg_pool_gradient:
      return widened(emit_avg_pool_gradient);
    case Op::max_pool:
      return exactly(emit_max_pool);
    case Op::max_pool_gradient:
      return widened(emit_max_pool_gradient);
    case Op::grey_dilation:
    case Op::grey_dilation_input_gradient:
    case Op::grey_dilation_filter_gradient:
      return widened(emit_grey_dilation);
    case Op::batch_norm_training:
      return widened(emit_batch_norm_training);
    case Op::batch_norm_training_gradient:
      return widened(emit_batch_norm_training_gradient);
    case Op::batch_norm_inference:
      return widened(emit_batch_norm_inference);
    case Op::layer_norm:
      return widened(emit_layer_norm);
    case Op::layer_norm_gradient:
      return widened(emit_layer_norm_gradient);
    case Op::softmax:
    case Op::log_softmax:
      return widened(emit_softmax);
    case Op::softmax_gradient:
    case Op::log_softmax_gradient:
      return widened(emit_softmax_gradient);
    case Op::softmax_cross_entropy:
      return widened(emit_cross_entropy);
    case Op::softmax_cross_entropy_gradient:
      return widened(emit_cross_entropy_gradient);
    case Op::attention:
      return exactly(emit_attention);
    case Op::attention_gradient:
      return exactly(emit_attention_gradient);
  }
  __builtin_unreachable();
}

}  // namespace ddx::stablehlo::detail
