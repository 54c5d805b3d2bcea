// QR factors by the Gram-Schmidt process, twice for each column like the reference, so that
// dependent columns and those of complete factors are the same everywhere.

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/op.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/builder.h"
#include "stablehlo/detail/call.h"
#include "stablehlo/detail/vectors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace ddx::stablehlo::detail {
namespace {

double epsilon_of(DType dtype) {
  return dtype == DType::f64 ? std::numeric_limits<double>::epsilon()
                             : static_cast<double>(std::numeric_limits<float>::epsilon());
}

/// Column j of q and of r, from that of a. A column that depends on earlier ones leaves a zero on
/// the diagonal of r.
Values add_column(const Value& j, const Value& a, const Value& q, const Value& r) {
  const Value from = column(a, j);
  const Projected projected = without_projections(from, q);
  const Value rest = lengths(projected.rest);
  const double noise = static_cast<double>(a.extent(1)) * epsilon_of(a.dtype());
  const Value depends = compare("LE", rest, lengths(from) * noise);
  const Value unit = projected.rest / along(select(depends, 1, rest), from.shape(), {1});
  const Value next = select(along(depends, from.shape(), {1}), orthonormal_vector(q), unit);
  const Shape parts = projected.parts.shape();
  const Value is_diagonal = compare("EQ", a.builder().iota(parts, 1), j);
  const Value length = along(select(depends, 0, rest), parts, {1});
  return {with_column(q, j, next), with_column(r, j, select(is_diagonal, length, projected.parts))};
}

/// The elements before column `count` of a batch of matrices, and those from it on.
Value columns(const Value& x, std::int64_t first, std::int64_t last) {
  return slice_axis(x, 2, first, last);
}

}  // namespace

Values emit_qr(const Call& call) {
  const Value a = stack_of(call.in(0));
  const std::int64_t stack = a.extent(0);
  const std::int64_t rows = a.extent(1);
  const std::int64_t smaller = std::min(rows, a.extent(2));
  const std::int64_t kept = call.shape(0)[call.shape(0).rank() - 1];
  Builder& builder = call.builder;
  Value q = builder.zeros({Shape{stack, rows, kept}, a.dtype()});
  Value r = builder.zeros({Shape{stack, kept, a.extent(2)}, a.dtype()});
  if (smaller > 0 && stack > 0) {
    const Values factors =
        counted_loop(smaller, {q, r, a}, [](const Value& j, const Values& carry) {
          Values next = add_column(j, carry[2], carry[0], carry[1]);
          next.push_back(carry[2]);
          return next;
        });
    q = factors[0];
    r = factors[1];
  }
  if (kept > smaller && stack > 0) {
    q = counted_loop(kept - smaller, {q}, [smaller](const Value& turn, const Values& carry) {
      const Value j = turn + static_cast<double>(smaller);
      return Values{with_column(carry[0], j, orthonormal_vector(carry[0]))};
    })[0];
  }
  if (a.extent(2) > smaller && kept > 0 && stack > 0) {
    // Columns after the last one of q have only their components.
    const Value rest = dot(q, columns(a, smaller, a.extent(2)), {{0}, {0}, {1}, {1}});
    r = concatenate({columns(r, 0, smaller), rest}, 2);
  }
  return {reshape(q, call.shape(0)), reshape(r, call.shape(1))};
}

}  // namespace ddx::stablehlo::detail
