// Cholesky and LU factors, triangular systems.

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/builder.h"
#include "stablehlo/detail/call.h"
#include "stablehlo/detail/vectors.h"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace ddx::stablehlo::detail {

// The specification does not define the elements above the diagonal, nor the result for a matrix
// that is not positive definite: here NaN from the first row without a positive pivot on. Compilers
// may lose the rows before it too.
Values emit_cholesky(const Call& call) {
  const Value a = stack_of(call.in(0));
  const Value l = call.builder.append_one(Code::cholesky_, {a}, a.type(), {{"lower", true}});
  const Value row = call.builder.iota(l.shape(), 1);
  const Value column = call.builder.iota(l.shape(), 2);
  const Value pivots = sum(select(compare("EQ", row, column), l, 0), {2});
  const Value is_bad = ~compare("GT", pivots, 0);
  // For each row, whether there is a bad pivot in it or above.
  const Value bad_above = compare("LE", column, row) & along(is_bad, l.shape(), {1});
  const Value is_lost = reduce(Code::or_, bad_above, call.builder.number(0, DType::boolean), {2});
  const Value kept =
      select(along(is_lost, l.shape(), {2}), std::numeric_limits<double>::quiet_NaN(), l);
  return {reshape(select(compare("LE", column, row), kept, 0), call.shape())};
}

namespace {

/// One step of elimination: the largest element on or below the diagonal of column j becomes the
/// pivot, and the elements below and to the right of it are eliminated.
Values eliminate(const Value& j, const Value& start, const Value& start_order) {
  Builder& builder = start.builder();
  const Shape& shape = start.shape();
  const Shape rows{shape[0], shape[1]};
  const Value place = builder.iota(rows, 1);
  const Value size = select(compare("GE", place, j), absolute(column(start, j)), -1);
  const Value most = largest(size, {1});
  const Value pivot = first_place(compare("EQ", size, along(most, rows, {1})));

  const Value row = builder.iota(shape, 1);
  const Value is_pivot = compare("EQ", row, along(pivot, shape, {1, 2}));
  const Value is_top = compare("EQ", row, j);
  const Value pivot_row = sum(select(is_pivot, start, 0), {1});
  const Value top_row = sum(select(is_top, start, 0), {1});
  const Value swapped = select(is_top, along(pivot_row, shape, {1}),
                               select(is_pivot, along(top_row, shape, {1}), start));

  const Value order_is_pivot = compare("EQ", place, along(pivot, rows, {1}));
  const Value order_is_top = compare("EQ", place, j);
  const Value from_pivot = sum(select(order_is_pivot, start_order, 0), {1});
  const Value from_top = sum(select(order_is_top, start_order, 0), {1});
  const Value order = select(order_is_top, along(from_pivot, rows, {1}),
                             select(order_is_pivot, along(from_top, rows, {1}), start_order));

  const Value divisor = sum(select(order_is_top, pivot_row, 0), {1});
  const Value below = column(swapped, j);
  const Value factors = below / along(select(compare("EQ", divisor, 0), 1, divisor), rows, {1});
  const Value is_below = compare("GT", row, j);
  const Value at = builder.iota(shape, 2);
  const Value stretched_factors = along(factors, shape, {2});
  const Value eliminated = swapped - stretched_factors * along(pivot_row, shape, {1});
  const Value right = select(is_below & compare("GT", at, j), eliminated, swapped);
  return {select(is_below & compare("EQ", at, j), stretched_factors, right), order};
}

}  // namespace

// Results: l below the diagonal and u above it, and the order of the rows.
Values emit_lu(const Call& call) {
  const Value a = stack_of(call.in(0));
  const Value order = call.builder.iota(Shape{a.extent(0), a.extent(1)}, 1);
  const Values factors = counted_loop(
      a.extent(1), {a, order},
      [](const Value& j, const Values& carry) { return eliminate(j, carry[0], carry[1]); });
  return {reshape(factors[0], call.shape(0)), reshape(factors[1], call.shape(1))};
}

Values emit_triangular_solve(const Call& call) {
  const auto& a = call.as<ops::TriangleAttributes>();
  return {call.builder.append_one(
      Code::triangular_solve_, {call.in(0), call.in(1)}, call.results[0],
      {{"left_side", true},
       {"lower", a.lower},
       {"unit_diagonal", a.unit_diagonal},
       {"transpose_a", Enumerator{"transpose", a.transposed ? "TRANSPOSE" : "NO_TRANSPOSE"}}})};
}

}  // namespace ddx::stablehlo::detail
