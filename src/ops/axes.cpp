#include "ddx/ops/axes.h"

#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/ops/site.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace ddx::ops {

std::uint32_t axis_bits(const Site& site, const Shape& x, const Indices& axes) {
  if (axes.empty()) {
    return (1U << x.rank()) - 1;
  }
  std::uint32_t bits = 0;
  for (const std::int64_t axis : axes.values()) {
    const std::size_t resolved = resolve_axis(axis, x, site.operation, site.where);
    if (((bits >> resolved) & 1U) != 0) {
      site.fail("axes " + to_string(axes) + " name axis " + std::to_string(resolved) +
                " twice; shape " + to_string(x));
    }
    bits |= 1U << resolved;
  }
  return bits;
}

}  // namespace ddx::ops
