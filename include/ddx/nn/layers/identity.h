/// \file
/// The layer that changes nothing.

#pragma once

#include "ddx/ad/differentiable.h"

namespace ddx::nn {

/// Returns its input: a branch without layers, or the way past some.
///
/// Shapes:  x [...] -> [...]
struct Identity {
  /// Shapes:  x [...] -> [...]
  template <class Input>
  [[nodiscard]] Input operator()(const Input& x) const {
    return x;
  }

  DDX_DIFFERENTIABLE(Identity)
};

}  // namespace ddx::nn
