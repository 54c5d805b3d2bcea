/// \file
/// One step of a checkpointed loop: what the compiler differentiates of it.

#pragma once

#include "ddx/ad/detail/failures.h"

#include <cstddef>

namespace ddx::detail {

/// Throws: UsageError where `memory` states are none.
inline void check_loop_memory(std::size_t memory) {
  if (memory == 0) {
    throw_no_loop_memory();
  }
}

/// Returns the state after step `k`. The compiler hands the number of steps over in the place of
/// `k`: it is the one that CheckpointedLoopPullback is made with, as is `memory`.
template <class F, class State>
State loop_step(const F& body, const State& state, std::size_t k, std::size_t /*memory*/) {
  return body(state, k);
}

}  // namespace ddx::detail
