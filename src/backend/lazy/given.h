/// \file
/// What a recorded sequence of operations works with.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/ir/scalars.h"

#include <vector>

namespace ddx::backend::lazy {

/// What a sequence of operations works with, in the order of first use.
struct Given {
  /// An array, and what its elements were taken for.
  struct Array {
    Buffer buffer;
    DType dtype;
  };

  std::vector<Array> arrays;
  std::vector<ir::ScalarValue> scalars;
};

}  // namespace ddx::backend::lazy
