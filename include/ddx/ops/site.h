/// \file
/// Who asks: the operation's name and the user's line, for messages.

#pragma once

#include <source_location>
#include <string>

namespace ddx::ops {

/// The operation as the user knows it, and where it was called.
struct Site {
  const char* operation;
  std::source_location where = {};

  /// Throws:  UsageError that names the operation, the facts and the line.
  [[noreturn]] void fail(const std::string& facts) const;
};

}  // namespace ddx::ops
