/// \file
/// Where an operation has been called.

#pragma once

#include "core/call_stack/call_stack.h"

#include <optional>
#include <source_location>
#include <string>

namespace ddx {

/// What is known of where an operation was called: the user's line, where the operation has taken
/// it, or else the stack, from which it can be found.
struct Origin {
  std::source_location where;  ///< Of the user's, or line 0.
  std::optional<CallStack> stack;

  /// Of an operation that this thread is calling now, and that says of itself that it is called at
  /// `where`.
  [[nodiscard]] static Origin here(const std::source_location& where) noexcept;

  /// What it adds to a message: where it was called, or how to get to know; else nothing.
  struct Text {
    std::string text;
    bool is_place = false;
  };
  [[nodiscard]] Text text() const;
};

}  // namespace ddx
