#include "ddx/tensor/matmul.h"

#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/matmul.h"
#include "ddx/ops/op.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"

#include "tensor/detail/dispatch.h"
#include "tensor/detail/pairs.h"

#include <array>

namespace ddx::detail {

Array matmul(const Array& a, const Array& b, const MatmulOptions& options, const Location& where) {
  const ops::Site site = site_of(ops::Op::matmul, where);
  const ops::MatmulAttributes attributes{options.transpose_left, options.transpose_right};
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
}

}  // namespace ddx::detail
