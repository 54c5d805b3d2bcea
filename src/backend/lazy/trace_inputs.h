/// \file
/// The arrays and numbers that a recorded sequence of operations reads.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/ir/scalars.h"

#include <vector>

namespace ddx::backend::lazy {

/// The inputs of a sequence of operations, in the order of first use.
struct TraceInputs {
  /// An array, and the type that its elements were read as.
  struct Array {
    Buffer buffer;
    DType dtype;
  };

  std::vector<Array> arrays;
  std::vector<ir::ScalarValue> scalars;
};

}  // namespace ddx::backend::lazy
