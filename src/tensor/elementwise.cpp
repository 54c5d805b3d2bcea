#include "ddx/tensor/elementwise.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"

#include "tensor/detail/dispatch.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

namespace ddx::detail {
namespace {

/// Computes into a new array, or into `a` where nobody else sees it and it has the result's form.
template <class Attributes>
Array compute_into(ops::Op op, Array a, Device device, const Shape& shape, DType dtype,
                   const std::array<ops::View, 2>& inputs, const Attributes& attributes) {
  if (a.unshared() && a.shape() == shape && a.dtype() == dtype && a.device() == device) {
    const ops::View output(a.mutable_data(), a.shape(), dtype);
    run(op, a.dtype(), device, inputs, {&output, 1}, &attributes);
    return a;
  }
  return compute(op, inputs[0].dtype(), device, shape, dtype, inputs, attributes);
}

/// A bare number as an operand of rank 0, without memory of its own.
class Number {
 public:
  Number(ops::Literal value, DType dtype) noexcept : dtype_(dtype) {
    visit(dtype, [&](auto element) {
      using T = decltype(element);
      const T converted =
          std::is_floating_point_v<T> ? static_cast<T>(value.real) : static_cast<T>(value.integer);
      std::memcpy(bytes_, &converted, sizeof converted);
    });
  }

  [[nodiscard]] ops::View view() const noexcept { return {bytes_, shape_, dtype_}; }

 private:
  alignas(8) std::byte bytes_[8] = {};
  Shape shape_;
  DType dtype_;
};

/// Fails where an integer divisor is zero: no kernel has an answer to that.
void check_divisor(const Array& b) {
  visit(b.dtype(), [&](auto element) {
    using T = decltype(element);
    if constexpr (!std::is_floating_point_v<T>) {
      const auto* values = static_cast<const T*>(b.data());
      for (Shape::Extent i = 0; i < b.shape().count(); ++i) {
        if (values[i] == T{}) {
          site_of(ops::Op::div, {})
              .fail("element " + std::to_string(i) + " of the integer divisor is 0; shape " +
                    to_string(b.shape()));
        }
      }
    }
  });
}

}  // namespace

Array cast(const Array& x, DType dtype) {
  if (x.dtype() == dtype) {
    return x;
  }
  if (x.is_symbolic_zero()) {
    return Array(dtype);
  }
  return compute(ops::Op::cast, x.dtype(), x.device(), x.shape(), dtype, std::array{x.view()},
                 ops::NoAttributes{});
}

Array unary(ops::Op op, const Array& x) {
  return compute(op, x.dtype(), x.device(), x.shape(), x.dtype(), std::array{x.view()},
                 ops::NoAttributes{});
}

Array binary(ops::Op op, Array a, const Array& b, const Location& where) {
  const ops::Site site = site_of(op, where);
  const Shape shape = broadcast(a.shape(), b.shape(), site.operation, where);
  const Device device = common_device(site, {&a, &b});
  if (op == ops::Op::div) {
    check_divisor(b);
  }
  const std::array inputs{a.view(), b.view()};
  if (ops::info(op).family == ops::Family::Comparison) {
    return compute(op, b.dtype(), device, shape, DType::boolean, inputs, ops::NoAttributes{});
  }
  return compute_into(op, std::move(a), device, shape, b.dtype(), inputs, ops::NoAttributes{});
}

Array binary_right(ops::Op op, const Array& a, ops::Literal b) {
  if (op == ops::Op::div && info(a.dtype()).kind != DTypeKind::Float && b.integer == 0) {
    site_of(op, {}).fail("the integer divisor is 0; shape " + to_string(a.shape()));
  }
  const Number number(b, a.dtype());
  return compute(op, a.dtype(), a.device(), a.shape(), ops::result_dtype(op, a.dtype()),
                 std::array{a.view(), number.view()}, ops::NoAttributes{});
}

Array binary_left(ops::Op op, ops::Literal a, const Array& b) {
  if (op == ops::Op::div) {
    check_divisor(b);
  }
  const Number number(a, b.dtype());
  return compute(op, b.dtype(), b.device(), b.shape(), ops::result_dtype(op, b.dtype()),
                 std::array{number.view(), b.view()}, ops::NoAttributes{});
}

Array add_scaled(Array a, double scale, const Array& b, const Location& where) {
  const ops::Site site = site_of(ops::Op::add_scaled, where);
  const Shape shape = broadcast(a.shape(), b.shape(), site.operation, where);
  const Device device = common_device(site, {&a, &b});
  const std::array inputs{a.view(), b.view()};
  return compute_into(ops::Op::add_scaled, std::move(a), device, shape, b.dtype(), inputs,
                      ops::ScaleAttributes{scale});
}

Array select(const Array& condition, const Array& a, const Array& b, const Location& where) {
  const ops::Site site = site_of(ops::Op::select, where);
  const Shape values = broadcast(a.shape(), b.shape(), site.operation, where);
  const Shape shape = broadcast(condition.shape(), values, site.operation, where);
  const Device device = common_device(site, {&condition, &a, &b});
  return compute(ops::Op::select, a.dtype(), device, shape, a.dtype(),
                 std::array{condition.view(), a.view(), b.view()}, ops::NoAttributes{});
}

}  // namespace ddx::detail
