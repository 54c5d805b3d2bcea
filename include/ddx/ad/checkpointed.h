/// \file
/// Time for memory: calls that are run again on the way back.

#pragma once

#include "ddx/ad/detail/entry.h"

#include <type_traits>

namespace ddx {

/// Calls `f` with the arguments. In differentiated code, reverse mode keeps the arguments alone,
/// not what `f` computes from them: `f` runs once more when its part of the reverse sweep begins.
///
/// `f` must change nothing, and what it captures by reference is copied. Where several calls
/// follow each other, as the segments of a long loop, memory is that of the longest of them.
/// Cost:    one more call of `f` in each reverse sweep.
/// Example: for (int k = 0; k < 100; ++k) state = ddx::checkpointed(hundred_steps, state);
template <class F, class... Args>
[[nodiscard]] auto checkpointed(const F& f, const Args&... args) {
  return detail::primal<std::decay_t<const F>, Args...>(f, args...);
}

}  // namespace ddx
