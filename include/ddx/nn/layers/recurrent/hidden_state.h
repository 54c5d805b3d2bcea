/// \file
/// What recurrent cells without a memory apart carry from step to step.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/tensor/tensor.h"

namespace ddx::nn {

/// What a gated recurrent unit or a basic cell carries from step to step.
template <FloatingScalar Scalar>
struct HiddenState {
  Tensor<Scalar> hidden;  ///< The output. [n, hidden]

  DDX_DIFFERENTIABLE(HiddenState, hidden)
};

}  // namespace ddx::nn
