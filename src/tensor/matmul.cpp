#include "ddx/tensor/matmul.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/matmul.h"
#include "ddx/ops/op.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"

#include "tensor/detail/complex_as_real.h"
#include "tensor/detail/dispatch.h"

#include <algorithm>
#include <array>
#include <new>
#include <vector>

namespace ddx::detail {

namespace {

/// Whether both operands are stacks, of other leading axes.
bool have_other_stacks(const Shape& a, const Shape& b) {
  return a.rank() > 2 && b.rank() > 2 &&
         !std::ranges::equal(a.extents().first(a.rank() - 2), b.extents().first(b.rank() - 2));
}

/// The shape of the matrices of `x` behind these leading axes.
Shape matrices_behind(const Shape& leading, const Shape& x) {
  std::vector<Shape::Extent> extents(leading.extents().begin(), leading.extents().end());
  extents.insert(extents.end(), x.extents().end() - 2, x.extents().end());
  return Shape(extents);
}

/// The operand as a stack with these leading axes, or without any where all its own have extent 1.
Array stretched_operand(const Array& x, const Shape& leading, const Location& where) {
  const auto own = x.shape().extents().first(x.shape().rank() - 2);
  return std::ranges::all_of(own, [](Shape::Extent extent) { return extent == 1; })
             ? Array(x, matrices_behind({}, x.shape()))
             : broadcast_to(x, matrices_behind(leading, x.shape()), where);
}

}  // namespace

Array matmul(const Array& a, const Array& b, const MatmulOptions& options,
             const Location& where) try {
  const ops::Site site = site_of(ops::Op::matmul, where);
  const ops::MatmulAttributes attributes{options.transpose_left, options.transpose_right};
  if (have_other_stacks(a.shape(), b.shape())) [[unlikely]] {
    const Shape leading = ops::matmul_stack(site, a.shape(), b.shape(), attributes);
    (void)common_device(site, a, b);
    const Array y = matmul(stretched_operand(a, leading, where),
                           stretched_operand(b, leading, where), options, where);
    return reshape(y, matrices_behind(leading, y.shape()), where);
  }
  const Shape shape = ops::matmul_shape(site, a.shape(), b.shape(), attributes);
  const Device device = common_device(site, a, b);
  if (is_complex(a.dtype())) {
    const auto product = [&](const Array& left, const Array& right) {
      return matmul(left, right, options, where);
    };
    const Array a_real = part_of(a, Part::Real);
    const Array a_imaginary = part_of(a, Part::Imaginary);
    const Array b_real = part_of(b, Part::Real);
    const Array b_imaginary = part_of(b, Part::Imaginary);
    return complex_of(
        binary(ops::Op::sub, product(a_real, b_real), product(a_imaginary, b_imaginary), where),
        binary(ops::Op::add, product(a_real, b_imaginary), product(a_imaginary, b_real), where),
        where);
  }
  return compute(ops::Op::matmul, a.dtype(), device, shape, a.dtype(),
                 std::array{a.view(), b.view()}, attributes, {.site = site});
} catch (const std::bad_alloc&) {
  throw_out_of_memory("matmul");
}

}  // namespace ddx::detail
