/// \file
/// What happens where a function object that holds no function is called.

#pragma once

#include <functional>

namespace ddx::detail {

/// Throws as a call of an empty std::function does.
[[noreturn]] inline void throw_no_target() {
  throw std::bad_function_call();
}

}  // namespace ddx::detail
