#include "ddx/tensor/detail/linear_algebra.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/dtype.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/ops/linear_algebra.h"
#include "ddx/ops/site.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <source_location>
#include <span>
#include <string>
#include <utility>

namespace ddx::detail {

Indices exchanged_last_axes(const char* operation, const Shape& x,
                            const std::source_location& where) try {
  (void)ops::checked_matrices({operation, where}, x);
  std::array<std::int64_t, Shape::max_rank> order{};
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    order[axis] = static_cast<std::int64_t>(axis);
  }
  std::swap(order[x.rank() - 1], order[x.rank() - 2]);
  return Indices(std::span<const std::int64_t>(order.data(), x.rank()));
} catch (const std::bad_alloc&) {
  throw_out_of_memory(operation);
}

Shape stretched_matrices(const Shape& x, const Shape& to) {
  const auto own = x.extents().last(2);
  return ops::with_matrices(to, own[0], own[1]);
}

void check_least_squares(const Shape& a, const Shape& b, const std::source_location& where) {
  const ops::Site site{"lstsq", where};
  const auto shapes = [&] { return "; shapes " + to_string(a) + " and " + to_string(b); };
  if (a.rank() < 2 || b.rank() < 2) {
    site.fail("ranks " + std::to_string(a.rank()) + " and " + std::to_string(b.rank()) +
              " are not both at least 2" + shapes());
  }
  const std::int64_t rows = ops::matrix_stack(a).rows;
  const std::int64_t right = ops::matrix_stack(b).rows;
  if (rows != right) {
    site.fail("matrix of " + std::to_string(rows) + " rows with a right-hand side of " +
              std::to_string(right) + shapes());
  }
  if (a.rank() > 2 && b.rank() > 2 &&
      !std::ranges::equal(a.extents().first(a.rank() - 2), b.extents().first(b.rank() - 2))) {
    site.fail("leading axes differ" + shapes());
  }
}

double rank_tolerance(const Shape& x, DType dtype, const RankOptions& options) {
  if (options.tolerance >= 0) {
    return options.tolerance;
  }
  const ops::MatrixStack m = ops::matrix_stack(x);
  const double epsilon = dtype == DType::f32 ? std::numeric_limits<float>::epsilon()
                                             : std::numeric_limits<double>::epsilon();
  return static_cast<double>(std::max(m.rows, m.columns)) * epsilon;
}

SliceOptions upper_right(const Shape& x, std::int64_t n) {
  SliceOptions box = column_range(x, n, x[x.rank() - 1]);
  std::array<std::int64_t, Shape::max_rank> stop{};
  std::ranges::copy(box.stop.values(), stop.begin());
  stop[x.rank() - 2] = n;
  box.stop = Indices(std::span<const std::int64_t>(stop.data(), x.rank()));
  return box;
}

SliceOptions column_range(const Shape& x, std::int64_t first, std::int64_t past) {
  std::array<std::int64_t, Shape::max_rank> start{};
  std::array<std::int64_t, Shape::max_rank> stop{};
  std::ranges::copy(x.extents(), stop.begin());
  start[x.rank() - 1] = first;
  stop[x.rank() - 1] = past;
  return {.start = Indices(std::span<const std::int64_t>(start.data(), x.rank())),
          .stop = Indices(std::span<const std::int64_t>(stop.data(), x.rank()))};
}

}  // namespace ddx::detail
