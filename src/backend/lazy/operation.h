/// \file
/// An operation on its way into a record.

#pragma once

#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include <span>

namespace ddx::backend::lazy {

/// An operation as the front end calls it: views of arrays, or of one element without a block. The
/// outputs are promises that nobody has seen yet.
struct Operation {
  ops::Op op;
  const std::span<const ops::View>& inputs;
  const std::span<const ops::View>& outputs;
  const void* attributes;
  const ops::Check& check;
};

}  // namespace ddx::backend::lazy
