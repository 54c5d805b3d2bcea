#include "ddx/tensor/softmax.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/indexing.h"
#include "ddx/ops/op.h"
#include "ddx/ops/softmax.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"

#include "tensor/detail/dispatch.h"
#include "tensor/detail/indices_of.h"

#include <array>
#include <cstdint>
#include <new>
#include <optional>
#include <string>

namespace ddx::detail {

Array softmax(ops::Op op, const Array& x, std::int64_t axis, const Location& where) try {
  const ops::AxisAttributes attributes{
      resolve_axis(axis, x.shape(), ops::info(op).name.data(), where)};
  return compute(op, x.dtype(), x.device(), x.shape(), x.dtype(), std::array{x.view()}, attributes,
                 {.site = site_of(op, where)});
} catch (const std::bad_alloc&) {
  throw_out_of_memory(to_string(op));
}

Array softmax_gradient(ops::Op op, const Array& y, const Array& dy, std::int64_t axis) {
  const ops::AxisAttributes attributes{resolve_axis(axis, y.shape(), ops::info(op).name.data())};
  return compute(op, y.dtype(), y.device(), y.shape(), y.dtype(), std::array{y.view(), dy.view()},
                 attributes);
}

namespace {

std::optional<std::string> wrong_label(const ops::Call& call) {
  return ops::wrong_index("label", indices_of(call.input(1)), call.input(0).shape()[1]);
}

}  // namespace

Array softmax_cross_entropy(const Array& logits, const Array& labels, const Location& where) try {
  if (labels.dtype() == DType::i64) {
    return softmax_cross_entropy(logits, narrowed_indices("softmax_cross_entropy", labels, where),
                                 where);
  }
  const ops::Site site = site_of(ops::Op::softmax_cross_entropy, where);
  const Shape shape = ops::cross_entropy_shape(site, logits.shape(), labels.shape());
  const Device device = common_device(site, {&logits, &labels});
  return compute(ops::Op::softmax_cross_entropy, logits.dtype(), device, shape, logits.dtype(),
                 std::array{logits.view(), labels.view()}, ops::NoAttributes{},
                 {.before = wrong_label, .site = site});
} catch (const std::bad_alloc&) {
  throw_out_of_memory("softmax_cross_entropy");
}

Array softmax_cross_entropy_gradient(const Array& logits, const Array& labels, const Array& dy,
                                     const Location& where) try {
  if (labels.dtype() == DType::i64) {
    return softmax_cross_entropy_gradient(
        logits, narrowed_indices("softmax_cross_entropy", labels, where), dy, where);
  }
  return compute(ops::Op::softmax_cross_entropy_gradient, logits.dtype(), logits.device(),
                 logits.shape(), logits.dtype(),
                 std::array{logits.view(), labels.view(), dy.view()}, ops::NoAttributes{},
                 {.before = wrong_label, .site = site_of(ops::Op::softmax_cross_entropy, where)});
} catch (const std::bad_alloc&) {
  throw_out_of_memory("softmax_cross_entropy_gradient");
}

}  // namespace ddx::detail
