#include "ddx/ops/sorting.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "ops/detail/dispatch_dtype.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace ddx::ops {
namespace {

/// Whether a comes before b in ascending order; a NaN comes after every number.
template <class T>
bool precedes(T a, T b) noexcept {
  if constexpr (FloatingScalar<T>) {
    return a < b || (b != b && a == a);
  } else {
    return a < b;
  }
}

/// Equal elements stay in their order: it is part of what is compared, which needs no memory.
template <class T>
void argsort(const Call& call) noexcept {
  const auto* x = call.input(0).data<T>();
  auto* order = call.output().mutable_data<std::int32_t>();
  const bool descending = call.attributes<SortAttributes>().descending;
  const Shape& shape = call.output().shape();
  const std::int64_t extent = shape[shape.rank() - 1];
  for (const auto* const end = x + shape.count(); x != end; x += extent, order += extent) {
    std::iota(order, order + extent, 0);
    std::sort(order, order + extent, [x, descending](std::int32_t i, std::int32_t k) {
      const bool before = descending ? precedes(x[k], x[i]) : precedes(x[i], x[k]);
      const bool after = descending ? precedes(x[i], x[k]) : precedes(x[k], x[i]);
      return before || (!after && i < k);
    });
  }
}

}  // namespace

Kernel sorting_reference(Op op, DType dtype) noexcept {
  if (op == Op::argsort) {
    return detail::dispatch_ordered(dtype,
                                    [](auto element) { return &argsort<decltype(element)>; });
  }
  return nullptr;
}

}  // namespace ddx::ops
