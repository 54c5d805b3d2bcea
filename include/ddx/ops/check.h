/// \file
/// What an operation demands of the elements it works with, and shapes do not tell.

#pragma once

#include "ddx/ops/kernel.h"
#include "ddx/ops/site.h"

#include <optional>
#include <string>

namespace ddx::ops {

/// A requirement on the operands or results of one call. It is checked when the kernel runs, with
/// the elements ready.
struct Check {
  /// What is wrong with the operands, before the kernel runs; null where it can do with any. It
  /// does not throw itself: of an operator the user's line is searched for along direct calls, and
  /// this is none.
  std::optional<std::string> (*before)(const Call& call) = nullptr;
  /// Of the results, which show that a kernel has failed; null where it cannot.
  /// Throws:  UsageError or EnvironmentError.
  void (*after)(const Call& call, const Site& site) = nullptr;
  /// Who asks.
  Site site{""};

  /// Asks `before`.
  ///
  /// Throws:  UsageError that names the operation, the element and the line.
  void check_operands(const Call& call) const {
    if (before == nullptr) {
      return;
    }
    if (const auto facts = before(call)) {
      site.fail(*facts);
    }
  }
};

}  // namespace ddx::ops
