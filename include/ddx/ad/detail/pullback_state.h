/// \file
/// What a pullback object keeps: the seam between ddx::Pullback and the compiler.

#pragma once

#include "ddx/ad/tangent.h"

#include <optional>

namespace ddx::detail {

/// The state left behind by a forward sweep: copies of the function and its arguments, what the
/// sweep saved, and the value. The compiler derives one class from it for each request.
template <class Value, class Tangents>
class PullbackState {
 public:
  PullbackState() = default;
  PullbackState(const PullbackState&) = delete;
  PullbackState& operator=(const PullbackState&) = delete;
  virtual ~PullbackState() = default;

  /// Adds what `seed` sends back to each selected argument. May run many times, not at once from
  /// several threads. `tangents` arrives shaped like the arguments.
  virtual void reverse(const TangentOf<Value>& seed, Tangents& tangents) = 0;

  std::optional<Value> value;  ///< Set when the state is handed out.
};

}  // namespace ddx::detail
