#include "ddx/tensor/indexing.h"

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/indexing.h"
#include "ddx/ops/op.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"

#include "tensor/detail/dispatch.h"
#include "tensor/detail/indices_of.h"

#include <array>
#include <cstdint>

namespace ddx::detail {

Array gather(const Array& x, const Array& indices, std::int64_t axis, const Location& where) {
  const ops::Site site = site_of(ops::Op::gather, where);
  const auto [shape, attributes] = ops::gather_shape(site, x.shape(), indices.shape(), axis);
  const Device device = common_device(site, {&x, &indices});
  ops::check_indices(site, "index", indices_of(indices), x.shape()[attributes.axis]);
  return compute(ops::Op::gather, x.dtype(), device, shape, x.dtype(),
                 std::array{x.view(), indices.view()}, attributes);
}

Array gather_gradient(const Array& dy, const Array& indices, const Shape& shape,
                      std::int64_t axis) {
  const ops::AxisAttributes attributes{resolve_axis(axis, shape, "gather")};
  return compute(ops::Op::gather_gradient, dy.dtype(), dy.device(), shape, dy.dtype(),
                 std::array{dy.view(), indices.view()}, attributes);
}

Array one_hot(const Array& indices, std::int64_t depth, DType dtype, const Location& where) {
  const Shape shape = ops::one_hot_shape(site_of(ops::Op::one_hot, where), indices.shape(), depth);
  return compute(ops::Op::one_hot, dtype, indices.device(), shape, dtype,
                 std::array{indices.view()}, ops::NoAttributes{});
}

}  // namespace ddx::detail
