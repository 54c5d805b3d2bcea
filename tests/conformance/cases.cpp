#include "tests/conformance/cases.h"

#include "ddx/core/dtype.h"
#include "ddx/ops/op.h"

#include <vector>

namespace ddx::testing {

std::vector<Case> cases_of(const ops::OpInfo& op, DType dtype) {
  switch (op.family) {
    case ops::Family::Creation:
      return creation_cases(op, dtype);
    case ops::Family::Random:
      return random_cases(op, dtype);
    case ops::Family::Cast:
      return cast_cases(op, dtype);
    case ops::Family::Unary:
    case ops::Family::Predicate:
      return unary_cases(op, dtype);
    case ops::Family::Binary:
    case ops::Family::Comparison:
      return binary_cases(op, dtype);
    case ops::Family::ScaledSum:
      return scaled_sum_cases(op, dtype);
    case ops::Family::Select:
      return select_cases(op, dtype);
    case ops::Family::Movement:
      return movement_cases(op, dtype);
    case ops::Family::Update:
      return update_cases(op, dtype);
    case ops::Family::Concatenation:
      return concatenation_cases(op, dtype);
    case ops::Family::Indexing:
      return indexing_cases(op, dtype);
    case ops::Family::Reduction:
      return reduction_cases(op, dtype);
    case ops::Family::ArgReduction:
      return arg_reduction_cases(op, dtype);
    case ops::Family::Sorting:
      return sorting_cases(op, dtype);
    case ops::Family::Cumulative:
      return cumulative_cases(op, dtype);
    case ops::Family::Fourier:
      return fourier_cases(op, dtype);
    case ops::Family::Matmul:
      return matmul_cases(op, dtype);
    case ops::Family::QuantizedProduct:
      return quantized_cases(op, dtype);
    case ops::Family::Convolution:
      return convolution_cases(op, dtype);
    case ops::Family::Resampling:
      return resampling_cases(op, dtype);
    case ops::Family::Pooling:
      return pooling_cases(op, dtype);
    case ops::Family::Morphology:
      return morphology_cases(op, dtype);
    case ops::Family::Normalization:
      return normalization_cases(op, dtype);
    case ops::Family::Softmax:
      return softmax_cases(op, dtype);
    case ops::Family::CrossEntropy:
      return cross_entropy_cases(op, dtype);
    case ops::Family::LinearAlgebra:
      return linear_algebra_cases(op, dtype);
    case ops::Family::Attention:
      return attention_cases(op, dtype);
  }
  return {};
}

}  // namespace ddx::testing
