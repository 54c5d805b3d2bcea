#include "backend/cpu/indexing.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/cpu/elements.h"
#include "backend/cpu/pool.h"
#include "ops/detail/around_axis.h"
#include "ops/detail/numbers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ddx::backend::cpu {
namespace {

/// At least how many of `count` units of `work` elements each a thread is given.
std::int64_t grain_of(std::int64_t work) noexcept {
  return std::max<std::int64_t>(movement_grain / std::max<std::int64_t>(work, 1), 1);
}

/// Calls f with the operand's data and the result's as words of an element's size.
template <class F>
void on_words(const ops::Call& call, F f) noexcept {
  visit_word(info(call.output().dtype()).bytes, [&](auto word) {
    using T = decltype(word);
    f(call.input(0).data<T>(), call.output().mutable_data<T>());
  });
}

/// y[i] = x[index[i]], four at a time: the reads need not wait for each other.
template <class T>
void pick(const T* x, const std::int32_t* index, T* y, std::int64_t count) noexcept {
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const T four[] = {x[index[i]], x[index[i + 1]], x[index[i + 2]], x[index[i + 3]]};
    std::copy_n(four, 4, y + i);
  }
  for (; i < count; ++i) {
    y[i] = x[index[i]];
  }
}

void gather(const ops::Call& call) noexcept {
  const ops::detail::AroundAxis around(call.input(0).shape(),
                                       call.attributes<ops::AxisAttributes>().axis);
  const auto* index = call.input(1).data<std::int32_t>();
  const std::int64_t count = call.input(1).shape().count();
  const std::int64_t inner = around.inner;
  on_words(call, [&](const auto* x, auto* y) {
    if (inner == 1) {
      for_each_range(around.outer, grain_of(count), [=](std::int64_t begin, std::int64_t end) {
        for (std::int64_t outer = begin; outer < end; ++outer) {
          pick(x + outer * around.extent, index, y + outer * count, count);
        }
      });
      return;
    }
    for_each_range(around.outer * count, grain_of(inner),
                   [=](std::int64_t begin, std::int64_t end) {
                     for (std::int64_t at = begin; at < end; ++at) {
                       const std::int64_t slice = at / count * around.extent + index[at % count];
                       std::copy_n(x + slice * inner, inner, y + at * inner);
                     }
                   });
  });
}

void take_along_axis(const ops::Call& call) noexcept {
  const std::size_t axis = call.attributes<ops::AxisAttributes>().axis;
  const ops::detail::AroundAxis from(call.input(0).shape(), axis);
  const ops::detail::AroundAxis to(call.output().shape(), axis);
  const auto* index = call.input(1).data<std::int32_t>();
  const std::int64_t size = to.extent * to.inner;
  on_words(call, [&](const auto* all_x, auto* y) {
    for_each_range(to.outer, grain_of(size), [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t outer = begin; outer < end; ++outer) {
        const auto* x = all_x + outer * from.extent * from.inner;
        std::int64_t at = outer * size;
        if (from.inner == 1) {
          pick(x, index + at, y + at, size);
          continue;
        }
        for (std::int64_t i = 0; i < to.extent; ++i) {
          for (std::int64_t inner = 0; inner < to.inner; ++inner, ++at) {
            y[at] = x[index[at] * from.inner + inner];
          }
        }
      }
    });
  });
}

/// The cotangents of each chosen slice are added in order, whatever the number of threads: a thread
/// takes all that go to some slices of x.
template <class T>
void gather_gradient(const ops::Call& call) noexcept {
  const ops::detail::AroundAxis around(call.output().shape(),
                                       call.attributes<ops::AxisAttributes>().axis);
  const auto* dy = call.input(0).data<T>();
  const auto* index = call.input(1).data<std::int32_t>();
  auto* dx = call.output().mutable_data<T>();
  const std::int64_t count = call.input(1).shape().count();
  const std::int64_t inner = around.inner;
  // Each part reads all indices, so there are few.
  const std::int64_t slices = around.outer * around.extent;
  for_each_range(
      slices, std::max(grain_of(inner), slices / 16), [=](std::int64_t begin, std::int64_t end) {
        std::fill(dx + begin * inner, dx + end * inner, T{});
        for (std::int64_t outer = begin / around.extent; outer * around.extent < end; ++outer) {
          const std::int64_t first = outer * around.extent;
          for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t slice = first + index[i];
            if (slice >= begin && slice < end) {
              const T* from = dy + (outer * count + i) * inner;
              T* to = dx + slice * inner;
              for (std::int64_t k = 0; k < inner; ++k) {
                to[k] += from[k];
              }
            }
          }
        }
      });
}

template <class T>
void take_along_axis_gradient(const ops::Call& call) noexcept {
  const std::size_t axis = call.attributes<ops::AxisAttributes>().axis;
  const ops::detail::AroundAxis to(call.output().shape(), axis);
  const ops::detail::AroundAxis from(call.input(0).shape(), axis);
  const auto* dy = call.input(0).data<T>();
  const auto* index = call.input(1).data<std::int32_t>();
  auto* all_dx = call.output().mutable_data<T>();
  const std::int64_t size = to.extent * to.inner;
  for_each_range(to.outer, grain_of(size), [=](std::int64_t begin, std::int64_t end) {
    std::fill(all_dx + begin * size, all_dx + end * size, T{});
    std::int64_t at = begin * from.extent * from.inner;
    for (std::int64_t outer = begin; outer < end; ++outer) {
      T* dx = all_dx + outer * size;
      for (std::int64_t i = 0; i < from.extent; ++i) {
        for (std::int64_t inner = 0; inner < from.inner; ++inner, ++at) {
          dx[index[at] * to.inner + inner] += dy[at];
        }
      }
    }
  });
}

template <class T>
void one_hot(const ops::Call& call) noexcept {
  const auto* index = call.input(0).data<std::int32_t>();
  auto* y = call.output().mutable_data<T>();
  const Shape& shape = call.output().shape();
  const std::int64_t depth = shape[shape.rank() - 1];
  const T one = ops::detail::element<T>({.real = 1, .integer = 1});
  for_each_range(call.input(0).shape().count(), grain_of(depth),
                 [=](std::int64_t begin, std::int64_t end) {
                   std::fill(y + begin * depth, y + end * depth, T{});
                   for (std::int64_t i = begin; i < end; ++i) {
                     if (index[i] >= 0 && index[i] < depth) {
                       y[i * depth + index[i]] = one;
                     }
                   }
                 });
}

}  // namespace

ops::Kernel indexing_kernel(ops::Op op, DType dtype) noexcept {
  using ops::Op;
  if (op == Op::gather) {
    return &gather;
  }
  if (op == Op::take_along_axis) {
    return &take_along_axis;
  }
  if (op == Op::one_hot) {
    return visit(dtype, [](auto element) -> ops::Kernel { return &one_hot<decltype(element)>; });
  }
  const bool slices = op == Op::gather_gradient;
  if (slices || op == Op::take_along_axis_gradient) {
    if (dtype == DType::f32) {
      return slices ? &gather_gradient<float> : &take_along_axis_gradient<float>;
    }
    if (dtype == DType::f64) {
      return slices ? &gather_gradient<double> : &take_along_axis_gradient<double>;
    }
  }
  return nullptr;
}

}  // namespace ddx::backend::cpu
