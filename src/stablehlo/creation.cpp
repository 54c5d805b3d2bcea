// Full arrays, sequences, casts.

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/op.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/builder.h"
#include "stablehlo/detail/call.h"

#include <limits>
#include <type_traits>

namespace ddx::stablehlo::detail {

Values emit_full(const Call& call) {
  return {broadcast_in_dim(call.fields[0], call.shape(), {})};
}

Values emit_iota(const Call& call) {
  // The specification does not define positions that the dtype cannot represent.
  const DType places = info(call.dtype()).bytes < 4 ? DType::i32 : call.dtype();
  return {convert(call.builder.iota(call.shape(), 0, places), call.dtype())};
}

namespace {

/// Integers of floating numbers: NaN gives 0, and numbers that are too large are clamped. The
/// specification leaves both undefined.
Value saturated(const Value& x, DType dtype) {
  return visit(dtype, [&](auto zero) {
    using T = decltype(zero);
    Value result = convert(x, dtype);
    if constexpr (std::numeric_limits<T>::is_integer) {
      // As in the kernels: the upper bound may round up to the first number that does not fit.
      const auto low = static_cast<double>(std::numeric_limits<T>::min());
      const auto high = static_cast<double>(std::numeric_limits<T>::max());
      result = select(compare("LE", x, low), lowest(x.builder(), dtype), result);
      result = select(compare("GE", x, high), highest(x.builder(), dtype), result);
      result = select(is_nan(x), 0, result);
    }
    return result;
  });
}

}  // namespace

Values emit_cast(const Call& call) {
  const Value& x = call.in(0);
  const DType to = call.dtype();
  if (to == DType::boolean) {
    return {compare("NE", x, 0)};
  }
  if (is_complex(x.dtype()) && !is_complex(to)) {
    const Value real = x.builder().append_one(Code::real_, {x}, {x.shape(), part_dtype(x.dtype())});
    return {info(to).kind == DTypeKind::Float ? convert(real, to) : saturated(real, to)};
  }
  if (info(x.dtype()).kind != DTypeKind::Float || info(to).kind == DTypeKind::Float ||
      is_complex(to)) {
    return {convert(x, to)};
  }
  return {saturated(convert(x, computed_in(x.dtype())), to)};
}

}  // namespace ddx::stablehlo::detail
