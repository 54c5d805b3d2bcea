// Batch and layer normalisation. The specification's own operations take epsilon in f32 and have no
// row statistics.

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/builder.h"
#include "stablehlo/detail/call.h"

#include <cstddef>
#include <cstdint>

namespace ddx::stablehlo::detail {
namespace {

/// All axes but the last.
Ints rows_of(const Value& x) {
  return first_integers(x.rank() - 1);
}

Ints channels_of(const Value& x) {
  return {static_cast<std::int64_t>(x.rank() - 1)};
}

/// Sums divided by the number of their terms; 0 without terms.
Value mean(const Value& x, const Ints& axes) {
  double count = 1;
  for (const std::int64_t axis : axes) {
    count *= static_cast<double>(x.extent(static_cast<std::size_t>(axis)));
  }
  return sum(x, axes) / (count == 0 ? 1 : count);
}

Value square(const Value& x) {
  return x * x;
}

double epsilon_of(const Call& call) {
  return call.as<ops::EpsilonAttributes>().epsilon;
}

Value inverse_deviation(const Call& call, const Value& variance) {
  return unary(Code::rsqrt_, variance + epsilon_of(call));
}

}  // namespace

Values emit_batch_norm_inference(const Call& call) {
  const Value& x = call.in(0);
  const Value factor = call.in(1) * inverse_deviation(call, call.in(4));
  return {(x - along(call.in(3), x.shape(), rows_of(x))) * along(factor, x.shape(), rows_of(x)) +
          along(call.in(2), x.shape(), rows_of(x))};
}

Values emit_batch_norm_training(const Call& call) {
  const Value& x = call.in(0);
  const Ints rows = rows_of(x);
  const Value average = mean(x, rows);
  const Value centred = x - along(average, x.shape(), rows);
  const Value variance = mean(square(centred), rows);
  const Value factor = call.in(1) * inverse_deviation(call, variance);
  return {centred * along(factor, x.shape(), rows) + along(call.in(2), x.shape(), rows), average,
          variance};
}

// Operands x, scale, mean, variance, dy; results dx, dscale, doffset.
Values emit_batch_norm_training_gradient(const Call& call) {
  const Value& x = call.in(0);
  const Value& dy = call.in(4);
  const Ints rows = rows_of(x);
  const Value inverse = inverse_deviation(call, call.in(3));
  const Value z = (x - along(call.in(2), x.shape(), rows)) * along(inverse, x.shape(), rows);
  const Value through =
      along(mean(dy, rows), x.shape(), rows) + z * along(mean(dy * z, rows), x.shape(), rows);
  return {along(call.in(1) * inverse, x.shape(), rows) * (dy - through), sum(dy * z, rows),
          sum(dy, rows)};
}

Values emit_layer_norm(const Call& call) {
  const Value& x = call.in(0);
  const Ints channels = channels_of(x);
  const Value average = mean(x, channels);
  const Value centred = x - along(average, x.shape(), channels);
  const Value variance = mean(square(centred), channels);
  const Value z = centred * along(inverse_deviation(call, variance), x.shape(), channels);
  return {z * along(call.in(1), x.shape(), rows_of(x)) + along(call.in(2), x.shape(), rows_of(x)),
          average, variance};
}

// Operands x, scale, mean, variance, dy; results dx, dscale, doffset.
Values emit_layer_norm_gradient(const Call& call) {
  const Value& x = call.in(0);
  const Value& dy = call.in(4);
  const Ints channels = channels_of(x);
  const Ints rows = rows_of(x);
  const Value inverse = along(inverse_deviation(call, call.in(3)), x.shape(), channels);
  const Value z = (x - along(call.in(2), x.shape(), channels)) * inverse;
  const Value dz = dy * along(call.in(1), x.shape(), rows);
  const Value through_mean = along(mean(dz, channels), x.shape(), channels);
  const Value through_variance = along(mean(dz * z, channels), x.shape(), channels);
  return {inverse * (dz - through_mean - z * through_variance), sum(dy * z, rows), sum(dy, rows)};
}

}  // namespace ddx::stablehlo::detail
