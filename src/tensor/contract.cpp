#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/ops/op.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/einsum.h"

#include "tensor/detail/dispatch.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ddx::detail {
namespace {

using ops::Op;

bool has(const std::string& subscripts, char c) {
  return subscripts.find(c) != std::string::npos;
}

/// The subscripts by the part they play in a product of stacks of matrices.
struct Parts {
  std::string stack;  ///< Of both operands and the result.
  std::string left;   ///< Of the left operand and the result.
  std::string inner;  ///< Of both operands: summed over.
  std::string right;  ///< Of the right operand and the result.
};

Parts parts_of(const Contraction& c) {
  Parts parts;
  for (const char subscript : c.a) {
    std::string& part = !has(c.b, subscript)  ? parts.left
                        : has(c.y, subscript) ? parts.stack
                                              : parts.inner;
    part += subscript;
  }
  for (const char subscript : c.b) {
    if (!has(c.a, subscript)) {
      parts.right += subscript;
    }
  }
  return parts;
}

Indices list(const std::string& to, const std::string& from) {
  std::array<std::int64_t, Shape::max_rank> order{};
  for (std::size_t i = 0; i < to.size(); ++i) {
    order[i] = static_cast<std::int64_t>(from.find(to[i]));
  }
  return Indices(std::span<const std::int64_t>(order.data(), to.size()));
}

/// The axes in the order of `to`; the array itself where it has that order.
Array ordered(const Array& x, const std::string& from, const std::string& to) {
  return from == to ? x : transpose(x, list(to, from), {});
}

/// The product of the extents of some subscripts.
std::int64_t count_of(const std::string& subscripts, const std::string& of, const Shape& shape) {
  std::int64_t count = 1;
  for (const char c : subscripts) {
    count *= shape[of.find(c)];
  }
  return count;
}

/// The extents of a product of stacks of matrices.
struct Counts {
  std::int64_t stack;
  std::int64_t left;
  std::int64_t inner;
  std::int64_t right;
};

/// [stack, left, right], of operands that are ordered so that no element moves in between.
Array product(const Array& a, const Array& b, const Counts& n, const MatmulOptions& options) {
  const bool one = n.stack == 1;
  const auto matrices = [&](const Array& x, std::int64_t rows, std::int64_t columns) {
    return reshape(x, one ? Indices{rows, columns} : Indices{n.stack, rows, columns}, {});
  };
  return matmul(
      options.transpose_left ? matrices(a, n.inner, n.left) : matrices(a, n.left, n.inner),
      options.transpose_right ? matrices(b, n.right, n.inner) : matrices(b, n.inner, n.right),
      options, {});
}

}  // namespace

Array contract(const Array& a, const Array& b, const Contraction& subscripts) {
  (void)common_device({"einsum", {}}, {&a, &b});
  const Parts parts = parts_of(subscripts);
  const Counts n{count_of(parts.stack, subscripts.a, a.shape()),
                 count_of(parts.left, subscripts.a, a.shape()),
                 count_of(parts.inner, subscripts.a, a.shape()),
                 count_of(parts.right, subscripts.b, b.shape())};
  const std::string straight_a = parts.stack + parts.left + parts.inner;
  const std::string straight_b = parts.stack + parts.inner + parts.right;
  const std::string turned_b = parts.stack + parts.right + parts.inner;
  Array y(a.dtype());
  if (parts.inner.empty()) {
    y = binary(Op::mul, reshape(ordered(a, subscripts.a, straight_a), {n.stack, n.left, 1}, {}),
               reshape(ordered(b, subscripts.b, straight_b), {n.stack, 1, n.right}, {}), {});
  } else if (n.left == 1 && n.right == 1) {
    // Products of 16 bits are rounded behind the sum, as those of matrices are.
    const DType wide = wide_dtype(a.dtype());
    const auto rows = [&](const Array& x) {
      return cast(reshape(x, {n.stack, n.inner}, {}), wide);
    };
    y = binary(Op::mul, rows(ordered(a, subscripts.a, straight_a)),
               rows(ordered(b, subscripts.b, straight_b)), {});
    y = cast(reduce(Op::sum, y, {.axes = {1}}, {}), a.dtype());
  } else {
    const MatmulOptions options{
        .transpose_left = subscripts.a == parts.stack + parts.inner + parts.left,
        .transpose_right = subscripts.b == turned_b};
    y = product(options.transpose_left ? a : ordered(a, subscripts.a, straight_a),
                options.transpose_right ? b : ordered(b, subscripts.b, straight_b), n, options);
  }
  const std::string flat = parts.stack + parts.left + parts.right;
  std::array<std::int64_t, Shape::max_rank> extents{};
  for (std::size_t i = 0; i < flat.size(); ++i) {
    extents[i] = has(subscripts.a, flat[i]) ? a.shape()[subscripts.a.find(flat[i])]
                                            : b.shape()[subscripts.b.find(flat[i])];
  }
  y = reshape(y, Indices(std::span<const std::int64_t>(extents.data(), flat.size())), {});
  return ordered(y, flat, subscripts.y);
}

}  // namespace ddx::detail
