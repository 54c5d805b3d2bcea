// Eigenvalues of symmetric matrices and singular values by Jacobi's methods, in f64 like the
// reference. The rotations of a round affect disjoint pairs and run at once (R. P. Brent, F. T.
// Luk, "The solution of singular-value and symmetric eigenvalue problems on multiprocessor arrays",
// 1985); the pairs of all rounds are those of a tournament.

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/op.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/builder.h"
#include "stablehlo/detail/call.h"
#include "stablehlo/detail/choosing.h"
#include "stablehlo/detail/vectors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace ddx::stablehlo::detail {
namespace {

using ops::Op;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// The maximum number of sweeps over all pairs; about ten are usual.
constexpr int most_sweeps = 60;

/// The rounds of a tournament of n players, n rounded up to even numbers.
std::int64_t rounds_of(std::int64_t n) {
  return n + n % 2 - 1;
}

/// The opponent of each of n players in a round: i32 [n]; a player without one gets itself.
Value partners(const Value& round, std::int64_t n) {
  const std::int64_t rounds = rounds_of(n);
  Builder& builder = round.builder();
  const Value player = builder.iota(Shape{n}, 0);
  const auto last = static_cast<double>(rounds);
  // All except the last player are in a circle, and meet across the position of the round.
  const Value across = round * 2 - player;
  const Value wrapped = select(compare("LT", across, 0), across + last,
                               select(compare("GE", across, last), across - last, across));
  const Value in_circle = select(compare("EQ", player, round), last, wrapped);
  const Value partner = select(compare("EQ", player, last), round, in_circle);
  return select(compare("GE", partner, static_cast<double>(n)), player, partner);
}

/// For each player the rotation with its partner: x_i becomes cosine x_i + sine x_partner.
struct Rotations {
  Value partner;
  Value cosine;
  Value sine;

  /// Rows [s, n, m] of the players, rotated.
  [[nodiscard]] Value rows(const Value& x) const {
    return along(cosine, x.shape(), {2}) * x + along(sine, x.shape(), {2}) * chosen(x, partner, 1);
  }
  /// Columns [s, n, n] of the players, rotated.
  [[nodiscard]] Value columns(const Value& x) const {
    return along(cosine, x.shape(), {1}) * x + along(sine, x.shape(), {1}) * chosen(x, partner, 2);
  }
};

/// Rotations (H. Rutishauser, "The Jacobi method for real symmetric matrices", 1966) that make
/// matrices (a b; b d) diagonal: `own` is a for the first of a pair and d for the other, `between`
/// is b for both. The identity if it is not `active`.
Rotations rotations_of(const Value& partner, const Value& own, const Value& between,
                       const Value& active) {
  const Value others = chosen(own, partner, 1);
  const Value player = own.builder().iota(own.shape(), 1);
  const Value is_first = compare("LT", player, along(partner, own.shape(), {0}));
  const Value distance = select(is_first, others - own, own - others);
  const Value cotangent = distance / (select(active, between, 1) * 2);
  const Value size = absolute(cotangent);
  const Value slope = 1 / (size + unary(Code::sqrt_, size * size + 1));
  const Value tangent = select(compare("LT", cotangent, 0), -slope, slope);
  const Value cosine = 1 / unary(Code::sqrt_, tangent * tangent + 1);
  const Value sine = cosine * tangent;
  return {partner, select(active, cosine, 1), select(active, select(is_first, -sine, sine), 0)};
}

/// Runs rounds on a carry until a whole sweep over all pairs makes no rotation. `step` receives the
/// opponent of each player, and returns the next carry and whether anything was rotated.
Values run_rounds(std::int64_t n, const Values& start,
                  const std::function<std::pair<Values, Value>(const Value& partner,
                                                               const Values& carry)>& step) {
  const auto rounds = static_cast<double>(rounds_of(n));
  Builder& builder = start[0].builder();
  const Value zero = builder.number(0, DType::i32);
  Values carry{zero, zero,
               zero};  // The round of the sweep, all rounds, rounds in a row without a rotation.
  carry.insert(carry.end(), start.begin(), start.end());
  const Values last = while_loop(
      carry,
      [&](const Values& v) {
        return compare("LT", v[1], rounds * most_sweeps) & compare("LT", v[2], rounds);
      },
      [&](const Values& v) {
        const auto [next, rotated] = step(partners(v[0], n), Values(v.begin() + 3, v.end()));
        const Value round = v[0] + 1;
        Values all{select(compare("EQ", round, rounds), 0, round), v[1] + 1,
                   select(rotated, 0, v[2] + 1)};
        all.insert(all.end(), next.begin(), next.end());
        return all;
      });
  return {last.begin() + 3, last.end()};
}

Value is_diagonal(const Value& x) {
  return compare("EQ", x.builder().iota(x.shape(), 1), x.builder().iota(x.shape(), 2));
}

Value identity(Builder& builder, std::int64_t stack, std::int64_t n) {
  return convert(is_diagonal(builder.filled(0, Shape{stack, n, n}, DType::f64)), DType::f64);
}

/// The largest absolute value of each matrix of a batch, 1 if all are zero.
Value magnitude(const Value& x) {
  const Value most = largest(absolute(x), {1, 2});
  return select(compare("EQ", most, 0), 1, most);
}

/// The order of numbers along the last axis.
Value sorted_order(const Value& x, const char* direction) {
  std::vector<Region> regions;
  const ir::Type element{{}, x.dtype()};
  const ir::Type place{{}, DType::i32};
  const Value places = x.builder().iota(x.shape(), 1);
  regions.push_back(x.builder().region({element, element, place, place}, [&](const Values& values) {
    return Values{compare(direction, values[0], values[1])};
  }));
  return x.builder().append(Code::sort_, {x, places}, {x.type(), {x.shape(), DType::i32}},
                            {{"dimension", Integer{1}}, {"is_stable", true}},
                            std::move(regions))[1];
}

/// Numbers [s, n] in an order.
Value ordered(const Value& x, const Value& order) {
  const Value rows = reshape(x, Shape{x.extent(0), x.extent(1), 1});
  return reshape(chosen_rows(rows, order), x.shape());
}

/// A symmetric matrix that becomes diagonal, and the vectors as rows.
std::pair<Values, Value> rotate_symmetric(const Value& partner, const Values& carry) {
  constexpr double negligible = 0x1p-10 * epsilon;
  const Value& a = carry[0];
  const Value meets =
      compare("EQ", a.builder().iota(a.shape(), 2), along(partner, a.shape(), {0, 2}));
  const Value off = sum(select(meets & ~is_diagonal(a), a, 0), {2});
  const Value player = a.builder().iota(off.shape(), 1);
  const Value is_first = compare("LT", player, along(partner, off.shape(), {0}));
  // Both of a pair use the same number, or rounding would make them rotate differently.
  const Value between = select(is_first, off, chosen(off, partner, 1));
  const Value active = compare("GT", absolute(between), negligible);
  const Value own = sum(select(is_diagonal(a), a, 0), {2});
  const Rotations rotations = rotations_of(partner, own, between, active);
  const Value rotated = rotations.columns(rotations.rows(a));
  const Value is_zero = meets & along(active, a.shape(), {2});
  return {{select(is_zero, 0, rotated), rotations.rows(carry[1])}, any(active)};
}

/// Columns as rows, which become orthogonal; the matrix v; the squared length below which a row
/// counts as zero, for each of a batch.
std::pair<Values, Value> rotate_columns(const Value& partner, const Values& carry) {
  const Value& x = carry[0];
  const Value own = sum(x * x, {2});
  const Value others = chosen(own, partner, 1);
  const Value between = sum(x * chosen(x, partner, 1), {2});
  const Value noise = unary(Code::sqrt_, own) * unary(Code::sqrt_, others) * epsilon;
  const Value player = x.builder().iota(own.shape(), 1);
  const Value active = compare("NE", player, along(partner, own.shape(), {0})) &
                       compare("GT", minimum(own, others), along(carry[2], own.shape(), {1})) &
                       compare("GT", absolute(between), noise);
  const Rotations rotations = rotations_of(partner, own, between, active);
  return {{rotations.rows(x), rotations.rows(carry[1]), carry[2]}, any(active)};
}

}  // namespace

// Results: values, and of eigh the vectors as columns.
Values emit_eigh(const Call& call) {
  const Value a = stack_of(call.in(0));
  const std::int64_t n = a.extent(1);
  const Value wide = convert(a, DType::f64);
  const Value row = call.builder.iota(a.shape(), 1);
  const Value at = call.builder.iota(a.shape(), 2);
  const Value symmetric = select(compare("GE", row, at), wide, transpose(wide, {0, 2, 1}));
  const Value scale = magnitude(symmetric);
  const Values done = run_rounds(
      n, {symmetric / along(scale, a.shape(), {1, 2}), identity(call.builder, a.extent(0), n)},
      rotate_symmetric);
  const Value values = sum(select(is_diagonal(done[0]), done[0], 0), {2});
  const Value order = sorted_order(values, "LT");
  const Value sorted = ordered(values, order);
  Values results{
      reshape(convert(sorted * along(scale, sorted.shape(), {1}), call.dtype()), call.shape())};
  if (call.op == Op::eigh) {
    const Value rows = chosen_rows(done[1], order);
    const Value oriented = rows * along(orientation(rows), rows.shape(), {2});
    results.push_back(
        reshape(convert(transpose(oriented, {0, 2, 1}), call.dtype(1)), call.shape(1)));
  }
  return results;
}

namespace {

/// Vectors as columns of a matrix of `count` columns, with orthonormal ones instead of those that
/// are not `real`, and after the last.
Value completed(const Value& rows, const Value& real, std::int64_t count, DType dtype) {
  Builder& builder = rows.builder();
  const std::int64_t stack = rows.extent(0);
  const std::int64_t given = rows.extent(1);
  const Value kept = convert(select(along(real, rows.shape(), {2}), rows, 0), dtype);
  const Value padded = pad(transpose(kept, {0, 2, 1}), builder.number(0, dtype), {0, 0, 0},
                           {0, 0, count - given}, {0, 0, 0});
  const Value is_there =
      pad(real, builder.number(0, DType::boolean), {0, 0}, {0, count - given}, {0, 0});
  return counted_loop(count, {padded, is_there}, [&](const Value& j, const Values& carry) {
    const Value& q = carry[0];
    const Value zero = q.builder().number(0, DType::i32);
    const Value found = dynamic_slice(carry[1], {zero, j}, {stack, 1});
    const Value own = column(q, j);
    const Value made = convert(orthonormal_vector(convert(q, DType::f64)), q.dtype());
    return Values{with_column(q, j, select(found, own, made)), carry[1]};
  })[0];
}

/// The signs of the first columns of a matrix, which give its first ones the agreed direction.
Value column_signs(const Value& x, std::int64_t count) {
  return orientation(transpose(slice_axis(x, 2, 0, count), {0, 2, 1}));
}

/// The first columns of a matrix multiplied by signs.
Value with_signs(const Value& x, const Value& signs) {
  const Value all = pad(signs, x.builder().number(1, x.dtype()), {0, 0},
                        {0, x.extent(2) - signs.extent(1)}, {0, 0});
  return x * along(all, x.shape(), {1});
}

}  // namespace

// Results: of svd u, values, v; of svdvals the values.
Values emit_svd(const Call& call) {
  const bool has_vectors = call.op == Op::svd;
  const Value a = stack_of(call.in(0));
  // A wide matrix is transposed first. The columns of the tall one are rows here.
  const bool is_wide = a.extent(1) < a.extent(2);
  const Value rows = convert(is_wide ? a : transpose(a, {0, 2, 1}), DType::f64);
  const std::int64_t n = rows.extent(1);
  const std::size_t values_at = has_vectors ? 1 : 0;
  if (n == 0) {
    Values results;
    for (const ir::Type& type : call.results) {
      results.push_back(call.builder.zeros(type));
    }
    for (const std::size_t side : {std::size_t{0}, std::size_t{2}}) {
      // Complete factors of matrices without elements are any basis.
      if (has_vectors && call.shape(side).count() > 0) {
        const std::size_t rank = call.shape(side).rank();
        const auto row = static_cast<std::size_t>(rank - 2);
        results[side] = convert(compare("EQ", call.builder.iota(call.shape(side), row),
                                        call.builder.iota(call.shape(side), row + 1)),
                                call.dtype(side));
      }
    }
    return results;
  }
  const Value scale = magnitude(rows);
  const Value x = rows / along(scale, rows.shape(), {1, 2});
  const Value longest = largest(lengths(x), {1});
  const Value negligible = longest * longest * (epsilon * epsilon);
  const Values done =
      run_rounds(n, {x, identity(call.builder, a.extent(0), n), negligible}, rotate_columns);
  const Value lengths_of_all = lengths(done[0]);
  const Value order = sorted_order(lengths_of_all, "GT");
  const Value sizes = ordered(lengths_of_all, order);
  const Value values = convert(sizes * along(scale, sizes.shape(), {1}), call.dtype(values_at));
  if (!has_vectors) {
    return {reshape(values, call.shape())};
  }
  const std::size_t left = is_wide ? 2 : 0;  // The result that the columns become.
  const Value first = reshape(slice_axis(sizes, 1, 0, 1), Shape{a.extent(0)});
  const Value is_real = compare("GT", sizes, along(first * epsilon, sizes.shape(), {1}));
  const Value sorted = chosen_rows(done[0], order);
  const Value units = sorted / along(select(is_real, sizes, 1), sorted.shape(), {2});
  Value of_columns =
      completed(units, is_real, call.shape(left)[call.shape(left).rank() - 1], call.dtype(left));
  Value of_rows = convert(transpose(chosen_rows(done[1], order), {0, 2, 1}), call.dtype(left));
  const Value signs = column_signs(is_wide ? of_rows : of_columns, n);
  of_columns = with_signs(of_columns, signs);
  of_rows = with_signs(of_rows, signs);
  const Value& u = is_wide ? of_rows : of_columns;
  const Value& v = is_wide ? of_columns : of_rows;
  return {reshape(u, call.shape(0)), reshape(values, call.shape(1)), reshape(v, call.shape(2))};
}

}  // namespace ddx::stablehlo::detail
