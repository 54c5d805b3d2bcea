/// \file
/// Memory that runs out, as an error of the library.

#pragma once

#include "ddx/core/error.h"

#include <exception>
#include <new>
#include <string_view>

namespace ddx::detail {

/// "allocate: the system has no memory left". Takes no memory.
[[nodiscard]] EnvironmentError out_of_memory() noexcept;

/// Throws:  EnvironmentError "operation: the system has no memory left". Where the message itself
///          has no memory, out_of_memory().
[[noreturn]] void throw_out_of_memory(std::string_view operation);

/// Whether an error says that memory has run out: std::bad_alloc or EnvironmentError.
[[nodiscard]] bool is_lack_of_memory(const std::exception_ptr& error) noexcept;

/// What `work()` returns. Memory that runs out in it is an error of this operation.
///
/// Throws:  what `work` throws; EnvironmentError in place of std::bad_alloc.
template <class Work>
[[gnu::always_inline]] inline decltype(auto) with_memory_for(std::string_view operation,
                                                             const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw_out_of_memory(operation);
  }
}

}  // namespace ddx::detail
