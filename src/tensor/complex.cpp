#include "ddx/tensor/complex.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/array_of.h"
#include "ddx/tensor/detail/operations.h"

#include "tensor/detail/complex_as_real.h"
#include "tensor/detail/dispatch.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <span>
#include <utility>

namespace ddx::detail {

Shape shape_of_pairs(const Shape& shape) {
  std::array<std::int64_t, Shape::max_rank + 1> extents{};
  std::ranges::copy(shape.extents(), extents.begin());
  extents[shape.rank()] = 2;
  return Shape(std::span<const std::int64_t>(extents.data(), shape.rank() + 1));
}

Array pairs_of(Array x, Device device) {
  const DType part = part_dtype(x.dtype());
  const Shape shape = shape_of_pairs(x.shape());
  if (x.is_symbolic_zero()) {
    return full(shape, {}, part, device);
  }
  return {std::move(x), shape, part};
}

Array from_pairs(Array pairs) {
  const Shape shape(pairs.shape().extents().first(pairs.shape().rank() - 1));
  const DType dtype = complex_dtype(pairs.dtype());
  return {std::move(pairs), shape, dtype};
}

Array part_of(const Array& x, Part part) {
  const Array pairs = pairs_of(x, x.device());
  const auto axis = static_cast<std::int64_t>(x.shape().rank());
  std::array<std::int64_t, Shape::max_rank> extents{};
  std::ranges::copy(x.shape().extents(), extents.begin());
  extents[x.shape().rank()] = 1;
  const Shape one(std::span<const std::int64_t>(extents.data(), x.shape().rank() + 1));
  return {detail::part(pairs, one, axis, part == Part::Real ? 0 : 1), x.shape()};
}

Array complex_of(const Array& real, const Array& imaginary, const Location& where) try {
  const ops::Site site{"make_complex", where};
  const Device device = common_device(site, {&real, &imaginary});
  const Array& one = real.is_symbolic_zero() ? imaginary : real;
  const auto or_zeros = [&](const Array& part) {
    return part.is_symbolic_zero() ? full(one.shape(), {}, part.dtype(), device) : part;
  };
  const std::array parts{or_zeros(real), or_zeros(imaginary)};
  if (!(parts[0].shape() == parts[1].shape())) {
    site.fail("the parts differ in shape; shapes " + to_string(real.shape()) + " and " +
              to_string(imaginary.shape()));
  }
  return from_pairs(stack(std::array{&parts[0], &parts[1]}, -1, where));
} catch (const std::bad_alloc&) {
  throw_out_of_memory("complex_of");
}

Array conjugate(const Array& x) {
  const Array signs = array_of({1, -1}, Shape{2}, part_dtype(x.dtype()), x.device());
  return from_pairs(binary(ops::Op::mul, pairs_of(x, x.device()), signs, {}));
}

}  // namespace ddx::detail
