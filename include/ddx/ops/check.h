/// \file
/// What an operation demands of the elements it works with, and shapes do not tell.

#pragma once

#include "ddx/ops/kernel.h"
#include "ddx/ops/site.h"

namespace ddx::ops {

/// A requirement on the operands or results of one call. It is checked when the kernel runs, with
/// the elements ready.
struct Check {
  /// Of the operands, before the kernel runs; null where it can do with any.
  /// Throws:  UsageError that names the operation, the element and the line.
  void (*before)(const Call& call, const Site& site) = nullptr;
  /// Of the results, which show that a kernel has failed; null where it cannot.
  /// Throws:  UsageError or EnvironmentError.
  void (*after)(const Call& call, const Site& site) = nullptr;
  /// Who asks.
  Site site{""};
};

}  // namespace ddx::ops
