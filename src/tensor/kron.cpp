#include "ddx/tensor/kron.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/ops/linear_algebra.h"
#include "ddx/ops/site.h"

#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <vector>

namespace ddx::detail {
namespace {

/// The leading axes of x, then these.
Indices followed_by(const ops::Site& site, const Shape& x, const std::vector<std::int64_t>& last) {
  const auto leading = x.extents().first(x.rank() - 2);
  std::vector<std::int64_t> extents(leading.begin(), leading.end());
  extents.insert(extents.end(), last.begin(), last.end());
  return site.shape(extents);
}

}  // namespace

KroneckerShapes kronecker_shapes(const Shape& a, const Shape& b,
                                 const std::source_location& where) try {
  const ops::Site site{"kron", where};
  const ops::MatrixStack left = ops::checked_matrices(site, a);
  const ops::MatrixStack right = ops::checked_matrices(site, b);
  if (a.rank() + 2 > Shape::max_rank || b.rank() + 2 > Shape::max_rank) {
    site.fail("more than " + std::to_string(Shape::max_rank - 4) + " leading axes; shapes " +
              to_string(a) + " and " + to_string(b));
  }
  const Shape leading =
      broadcast(ops::with_matrices(a, 1, 1), ops::with_matrices(b, 1, 1), "kron", where);
  return {followed_by(site, a, {left.rows, 1, left.columns, 1}),
          followed_by(site, b, {1, right.rows, 1, right.columns}),
          followed_by(
              site, leading,
              {site.product(left.rows, right.rows), site.product(left.columns, right.columns)})};
} catch (const std::bad_alloc&) {
  throw_out_of_memory("kronecker_shapes");
}

}  // namespace ddx::detail
