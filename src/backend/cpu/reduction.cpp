#include "backend/cpu/reduction.h"

#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"

#include "backend/cpu/isa.h"
#include "backend/cpu/kernels.h"

#include <cstddef>

namespace ddx::backend::cpu {

Sums best_sums() noexcept {
  return at_isa(best_isa(), []<Isa isa>() { return level_sums<isa>(); });
}

ReducedBlock::ReducedBlock(const Shape& x, const ops::ReductionAttributes& attributes) noexcept {
  bool seen = false;
  bool past = false;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    if (attributes.reduces(axis) && x[axis] != 1) {
      fits = fits && !past;
      seen = true;
      reduced *= x[axis];
    } else if (!seen) {
      outer *= x[axis];
    } else if (x[axis] != 1) {
      past = true;
      inner *= x[axis];
    }
  }
}

}  // namespace ddx::backend::cpu
