#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/reference.h"

#include "ir/detail/candidate.h"
#include "ir/detail/is_elementwise.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

namespace ddx::ir::detail {
namespace {

/// One element of any dtype.
struct Element {
  alignas(16) std::array<std::byte, 16> bytes{};
};

ops::Literal literal_of(const Element& element, DType dtype) {
  return visit(dtype, [&](auto zero) {
    using T = decltype(zero);
    T value{};
    std::memcpy(&value, element.bytes.data(), sizeof value);
    if constexpr (ComplexScalar<T>) {
      return ops::Literal{.real = static_cast<double>(value.real()),
                          .integer = 0,
                          .imaginary = static_cast<double>(value.imag())};
    } else if constexpr (FloatingScalar<T>) {
      return ops::Literal{.real = static_cast<double>(value), .integer = 0};
    } else {
      return ops::Literal{.real = static_cast<double>(value),
                          .integer = static_cast<std::int64_t>(value)};
    }
  });
}

/// Folds an elementwise operation on constants with the reference kernel. The result is never
/// larger than what it replaces, since a constant is one number for all elements.
std::optional<ValueId> computed_now(const Candidate& c) {
  if (!is_elementwise(c.op) || c.scalars != all_baked) {
    return std::nullopt;
  }
  const Shape scalar;
  std::vector<Element> elements(c.operands.size());
  std::vector<ops::View> views;
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    const DType dtype = c.type(i).dtype;
    const std::optional<ops::Literal> number = c.constant(i);
    if (!number) {
      return std::nullopt;
    }
    const ops::FullAttributes full{*number};
    views.emplace_back(elements[i].bytes.data(), scalar, dtype);
    ops::reference_kernel(ops::Op::full, dtype)(ops::Call({}, {&views.back(), 1}, &full));
  }
  const DType key = c.type(ops::key_place(c.op).index).dtype;
  const ops::Kernel kernel = ops::reference_kernel(c.op, key);
  if (kernel == nullptr) {
    return std::nullopt;
  }
  Element result;
  const ops::View output(result.bytes.data(), scalar, c.result.dtype);
  kernel(ops::Call(views, {&output, 1}, ops::struct_of(c.attributes)));
  return c.with(ops::Op::full, {}, ops::FullAttributes{literal_of(result, c.result.dtype)});
}

}  // namespace

std::vector<Rewrite> constant_rewrites() {
  return {{"computed_now", computed_now}};
}

}  // namespace ddx::ir::detail
