#include "ddx/ops/reference.h"

#include "ddx/core/dtype.h"
#include "ddx/ops/creation.h"
#include "ddx/ops/cumulative.h"
#include "ddx/ops/elementwise.h"
#include "ddx/ops/indexing.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/matmul.h"
#include "ddx/ops/movement.h"
#include "ddx/ops/normalization.h"
#include "ddx/ops/op.h"
#include "ddx/ops/reduction.h"
#include "ddx/ops/resampling.h"
#include "ddx/ops/softmax.h"
#include "ddx/ops/sorting.h"
#include "ddx/ops/window.h"

namespace ddx::ops {

Kernel reference_kernel(Op op, DType dtype) noexcept {
  switch (info(op).family) {
    case Family::Creation:
    case Family::Random:
      return creation_reference(op, dtype);
    case Family::Cast:
    case Family::Unary:
    case Family::Binary:
    case Family::ScaledSum:
    case Family::Comparison:
    case Family::Predicate:
    case Family::Select:
      return elementwise_reference(op, dtype);
    case Family::Movement:
    case Family::Update:
    case Family::Concatenation:
      return movement_reference(op, dtype);
    case Family::Indexing:
      return indexing_reference(op, dtype);
    case Family::Reduction:
    case Family::ArgReduction:
      return reduction_reference(op, dtype);
    case Family::Sorting:
      return sorting_reference(op, dtype);
    case Family::Cumulative:
      return cumulative_reference(op, dtype);
    case Family::Matmul:
      return matmul_reference(op, dtype);
    case Family::Convolution:
      return convolution_reference(op, dtype);
    case Family::Resampling:
      return resampling_reference(op, dtype);
    case Family::Pooling:
      return pooling_reference(op, dtype);
    case Family::Morphology:
      return morphology_reference(op, dtype);
    case Family::Normalization:
      return normalization_reference(op, dtype);
    case Family::Softmax:
    case Family::CrossEntropy:
      return softmax_reference(op, dtype);
  }
  __builtin_unreachable();
}

}  // namespace ddx::ops
