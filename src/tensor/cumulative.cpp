#include "ddx/tensor/cumulative.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/cumulative.h"
#include "ddx/ops/op.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"

#include "tensor/detail/dispatch.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>

namespace ddx::detail {
namespace {

ops::CumulativeAttributes resolved(ops::Op op, const Shape& shape, const CumulativeOptions& options,
                                   const Location& where) {
  return {.axis = resolve_axis(options.axis, shape, ops::info(op).name.data(), where),
          .reverse = options.reverse};
}

}  // namespace

Array cumulative(ops::Op op, const Array& x, const CumulativeOptions& options,
                 const Location& where) try {
  return compute(op, x.dtype(), x.device(), x.shape(), x.dtype(), std::array{x.view()},
                 resolved(op, x.shape(), options, where), {.site = site_of(op, where)});
} catch (const std::bad_alloc&) {
  throw_out_of_memory(to_string(op));
}

Array linear_recurrence(const Array& a, const Array& b, const CumulativeOptions& options,
                        const Location& where) try {
  constexpr auto op = ops::Op::linear_recurrence;
  const ops::Site site = site_of(op, where);
  const Shape shape = ops::recurrence_shape(site, a.shape(), b.shape());
  if (options.exclusive) {
    site.fail("it is never exclusive; shape " + to_string(shape));
  }
  const Device device = common_device(site, {&a, &b});
  return compute(op, a.dtype(), device, shape, a.dtype(), std::array{a.view(), b.view()},
                 resolved(op, shape, options, where), {.site = site_of(op, where)});
} catch (const std::bad_alloc&) {
  throw_out_of_memory("linear_recurrence");
}

Array shifted(const Array& x, std::int64_t axis, bool backwards, ops::Literal value) {
  ops::PadAttributes attributes{.low = {}, .step = {}, .value = value};
  attributes.step.fill(1);
  attributes.low[resolve_axis(axis, x.shape(), "shifted")] = backwards ? -1 : 1;
  return compute(ops::Op::pad, x.dtype(), x.device(), x.shape(), x.dtype(), std::array{x.view()},
                 attributes);
}

}  // namespace ddx::detail
