#include "ddx/tensor/reduction.h"

#include "ddx/core/shape.h"
#include "ddx/ops/op.h"
#include "ddx/ops/reduction.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"

#include "tensor/detail/dispatch.h"

#include <array>
#include <cstdint>

namespace ddx::detail {

Array reduce(ops::Op op, const Array& x, const ReductionOptions& options, const Location& where) {
  const auto [shape, attributes] =
      ops::reduction_shape(site_of(op, where), op, x.shape(), options.axes, options.keep_dims);
  return compute(op, x.dtype(), x.device(), shape, x.dtype(), std::array{x.view()}, attributes);
}

Array restore_axes(const Array& reduced, const Shape& shape, const ReductionOptions& options) {
  const auto kept =
      ops::reduction_shape(site_of(ops::Op::sum, {}), ops::Op::sum, shape, options.axes, true);
  return reshape(reduced, kept.shape, {});
}

Array argmax(const Array& x, std::int64_t axis, const Location& where) {
  const auto [shape, attributes] =
      ops::argmax_shape(site_of(ops::Op::argmax, where), x.shape(), axis);
  return compute(ops::Op::argmax, x.dtype(), x.device(), shape, DType::i32, std::array{x.view()},
                 attributes);
}

}  // namespace ddx::detail
