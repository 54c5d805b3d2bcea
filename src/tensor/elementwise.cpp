#include "ddx/tensor/elementwise.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/elementwise.h"
#include "ddx/ops/op.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"

#include "ops/detail/numbers.h"
#include "tensor/detail/complex_as_real.h"
#include "tensor/detail/dispatch.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace ddx::detail {
namespace {

/// Computes into `a` where it has no other owner and has the result's form, else into a new array.
template <class Attributes>
Array compute_into(ops::Op op, Array&& a, Device device, const Shape& shape, DType dtype,
                   const std::array<ops::View, 2>& inputs, const Attributes& attributes,
                   const ops::Check& check = {}) {
  if (a.unshared() && a.shape() == shape && a.dtype() == dtype && a.device() == device) {
    const ops::View output = a.view();
    run(op, a.dtype(), device, inputs, {&output, 1}, attributes, check);
    return std::move(a);
  }
  return compute(op, inputs[0].dtype(), device, shape, dtype, inputs, attributes, check);
}

/// A bare number as an operand of rank 0, without memory of its own.
class Number {
 public:
  Number(const ops::Literal& value, DType dtype) noexcept : dtype_(dtype) {
    visit(dtype, [&](auto element) {
      using T = decltype(element);
      const auto converted = ops::detail::element<T>(value);
      std::memcpy(bytes_, &converted, sizeof converted);
    });
  }

  [[nodiscard]] ops::View view() const noexcept { return {bytes_, shape_, dtype_}; }

 private:
  alignas(16) std::byte bytes_[16] = {};
  Shape shape_;
  DType dtype_;
};

/// What the right operand of an operation is, where some of its elements have no answer; else null.
const char* restricted_operand(ops::Op op, DType dtype) {
  const auto is_of = [dtype](DTypeKind kind) { return info(dtype).kind == kind; };
  switch (op) {
    case ops::Op::div:
    case ops::Op::remainder:
    case ops::Op::floor_divide:
    case ops::Op::fmod:
      return is_of(DTypeKind::Signed) || is_of(DTypeKind::Unsigned) ? "integer divisor" : nullptr;
    case ops::Op::left_shift:
    case ops::Op::right_shift:
      return is_of(DTypeKind::Signed) ? "shift" : nullptr;
    default:
      return nullptr;
  }
}

/// Whether a restricted operand of the operation is a divisor; else it is the amount of a shift.
constexpr bool divides(ops::Op op) {
  return op != ops::Op::left_shift && op != ops::Op::right_shift;
}

/// Whether a restricted operand may not be `value`.
template <class T>
bool is_rejected(ops::Op op, T value) {
  return divides(op) ? value == T{} : value < T{};
}

/// Which integer divisor is zero, or shift negative: no kernel has an answer to that.
template <ops::Op op>
std::optional<std::string> wrong_right_element(const ops::Call& call) {
  const ops::View& b = call.input(1);
  return visit(b.dtype(), [&](auto element) -> std::optional<std::string> {
    using T = decltype(element);
    if constexpr (std::is_integral_v<T>) {
      const T* values = b.data<T>();
      for (Shape::Extent i = 0; i < b.shape().count(); ++i) {
        if (is_rejected(op, values[i])) {
          return "element " + std::to_string(i) + " of the " + restricted_operand(op, b.dtype()) +
                 " is " + std::to_string(values[i]) + "; shape " + to_string(b.shape());
        }
      }
    }
    return std::nullopt;
  });
}

/// The demand of an operation on its right operand.
ops::Check right_check(ops::Op op, DType dtype, const Location& where) {
  if (restricted_operand(op, dtype) == nullptr) {
    return {.site = site_of(op, where)};
  }
  return {.before = divides(op) ? wrong_right_element<ops::Op::div>
                                : wrong_right_element<ops::Op::left_shift>,
          .site = site_of(op, where)};
}

/// Fails where a bare number on the right of `a` is rejected.
void check_right_operand(ops::Op op, const Array& a, const ops::Literal& b) {
  const char* operand = restricted_operand(op, a.dtype());
  if (operand != nullptr && is_rejected(op, b.integer)) {
    site_of(op, {}).fail("the " + std::string(operand) + " is " + std::to_string(b.integer) +
                         "; shape " + to_string(a.shape()));
  }
}

/// Whether the parts of complex elements are results of the parts alone.
bool works_on_parts(ops::Op op) {
  return op == ops::Op::add || op == ops::Op::sub;
}

}  // namespace

Array cast(const Array& x, DType dtype) {
  if (x.dtype() == dtype) {
    return x;
  }
  if (x.is_symbolic_zero()) {
    return Array(dtype);
  }
  if (is_complex(x.dtype()) && !is_complex(dtype) && dtype != DType::boolean) {
    site_of(ops::Op::cast, {})
        .fail("from " + std::string(to_string(x.dtype())) + " to " + std::string(to_string(dtype)) +
              " the imaginary parts would be lost; take real or imag; shape " +
              to_string(x.shape()));
  }
  return compute(ops::Op::cast, x.dtype(), x.device(), x.shape(), dtype, std::array{x.view()},
                 ops::NoAttributes{});
}

Array unary(ops::Op op, const Array& x) {
  if (op == ops::Op::neg && is_complex(x.dtype())) {
    return from_pairs(unary(op, pairs_of(x, x.device())));
  }
  if (op == ops::Op::square && is_complex(x.dtype())) {
    return binary(ops::Op::mul, x, x, {});
  }
  return compute(op, x.dtype(), x.device(), x.shape(), ops::result_dtype(op, x.dtype()),
                 std::array{x.view()}, ops::NoAttributes{});
}

namespace {

/// A binary operation, into a new array or, where `a` is an rvalue, into that if it may be.
template <class A>
Array binary_of(ops::Op op, A&& a, const Array& b, const Location& where) {
  const ops::Site site = site_of(op, where);
  std::optional<Shape> common;
  if (a.shape() != b.shape()) {
    common = broadcast(a.shape(), b.shape(), site.operation, where);
  }
  const Shape& shape = common ? *common : b.shape();
  const Device device = common_device(site, a, b);
  if (is_complex(b.dtype()) && works_on_parts(op)) {
    return from_pairs(binary(op, pairs_of(std::forward<A>(a), device), pairs_of(b, device), where));
  }
  const std::array inputs{a.view(), b.view()};
  if (ops::info(op).family == ops::Family::Comparison) {
    return compute(op, b.dtype(), device, shape, DType::boolean, inputs, ops::NoAttributes{},
                   {.site = site});
  }
  const ops::Check check = right_check(op, b.dtype(), where);
  if constexpr (std::is_lvalue_reference_v<A>) {
    return compute(op, b.dtype(), device, shape, b.dtype(), inputs, ops::NoAttributes{}, check);
  } else {
    return compute_into(op, std::move(a), device, shape, b.dtype(), inputs, ops::NoAttributes{},
                        check);
  }
}

}  // namespace

Array binary(ops::Op op, const Array& a, const Array& b, const Location& where) try {
  return binary_of(op, a, b, where);
} catch (const std::bad_alloc&) {
  throw_out_of_memory(to_string(op));
}

Array binary(ops::Op op, Array&& a, const Array& b, const Location& where) try {
  return binary_of(op, std::move(a), b, where);
} catch (const std::bad_alloc&) {
  throw_out_of_memory(to_string(op));
}

Array binary_right(ops::Op op, const Array& a, ops::Literal b, const ops::Check& check) {
  if (is_complex(a.dtype()) && works_on_parts(op)) {
    return binary(op, a, full({}, b, a.dtype(), a.device()), {});
  }
  check_right_operand(op, a, b);
  const Number number(b, a.dtype());
  return compute(op, a.dtype(), a.device(), a.shape(), ops::result_dtype(op, a.dtype()),
                 std::array{a.view(), number.view()}, ops::NoAttributes{}, check);
}

Array binary_right_into(ops::Op op, Array a, ops::Literal b) {
  if (is_complex(a.dtype()) && works_on_parts(op)) {
    const Array number = full({}, b, a.dtype(), a.device());
    return binary(op, std::move(a), number, {});
  }
  check_right_operand(op, a, b);
  const Number number(b, a.dtype());
  const Device device = a.device();
  const DType dtype = a.dtype();
  const Shape shape = a.shape();
  const std::array inputs{a.view(), number.view()};
  return compute_into(op, std::move(a), device, shape, dtype, inputs, ops::NoAttributes{});
}

Array binary_left(ops::Op op, ops::Literal a, const Array& b) {
  if (is_complex(b.dtype()) && works_on_parts(op)) {
    return binary(op, full({}, a, b.dtype(), b.device()), b, {});
  }
  const Number number(a, b.dtype());
  return compute(op, b.dtype(), b.device(), b.shape(), ops::result_dtype(op, b.dtype()),
                 std::array{number.view(), b.view()}, ops::NoAttributes{},
                 right_check(op, b.dtype(), {}));
}

Array polygamma(std::int64_t order, const Array& x, const Location& where) try {
  constexpr auto op = ops::Op::polygamma;
  if (order < 0 || order > ops::most_polygamma_order) {
    site_of(op, where).fail("order " + std::to_string(order) + " is not in [0, " +
                            std::to_string(ops::most_polygamma_order) + "]; shape " +
                            to_string(x.shape()));
  }
  return binary_left(op, {.real = static_cast<double>(order), .integer = order}, x);
} catch (const std::bad_alloc&) {
  throw_out_of_memory("polygamma");
}

Array integer_power(const Array& x, std::int64_t n, const Location& where) try {
  if (n < 0) {
    site_of(ops::Op::pow, where)
        .fail("the exponent " + std::to_string(n) + " of integers is negative; shape " +
              to_string(x.shape()));
  }
  Array result = full(x.shape(), {.real = 1, .integer = 1}, x.dtype(), x.device());
  Array power = x;
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) {
      result = binary(ops::Op::mul, std::move(result), power, {});
    }
    power = unary(ops::Op::square, power);
  }
  return result;
} catch (const std::bad_alloc&) {
  throw_out_of_memory("integer_power");
}

void check_root(std::int64_t n, const Location& where) {
  if (n < 1) {
    ops::Site{"root", where}.fail("the number " + std::to_string(n) +
                                  " of the root is not positive");
  }
}

Array add_scaled(Array a, double scale, const Array& b, const Location& where) try {
  const ops::Site site = site_of(ops::Op::add_scaled, where);
  const Shape shape = broadcast(a.shape(), b.shape(), site.operation, where);
  const Device device = common_device(site, {&a, &b});
  const std::array inputs{a.view(), b.view()};
  return compute_into(ops::Op::add_scaled, std::move(a), device, shape, b.dtype(), inputs,
                      ops::ScaleAttributes{scale}, {.site = site});
} catch (const std::bad_alloc&) {
  throw_out_of_memory("add_scaled");
}

Array select(const Array& condition, const Array& a, const Array& b, const Location& where) try {
  const ops::Site site = site_of(ops::Op::select, where);
  const Shape values = broadcast(a.shape(), b.shape(), site.operation, where);
  const Shape shape = broadcast(condition.shape(), values, site.operation, where);
  const Device device = common_device(site, {&condition, &a, &b});
  return compute(ops::Op::select, a.dtype(), device, shape, a.dtype(),
                 std::array{condition.view(), a.view(), b.view()}, ops::NoAttributes{},
                 {.site = site});
} catch (const std::bad_alloc&) {
  throw_out_of_memory("select");
}

}  // namespace ddx::detail
