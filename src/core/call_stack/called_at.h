/// \file
/// The user's line for the message of an error.

#pragma once

#include <string>

namespace ddx {

/// " (called at FILE:LINE)" of the user's line that this thread's call stack leads to, or, in a
/// derivative, what UserLine::text() says; empty where no line is known: without debug information,
/// and in a WithoutUserLine. For errors of operations that got no line of their own, as operators.
///
/// Cost:    milliseconds, more where the debug information of the program is read first.
[[nodiscard]] std::string called_at() noexcept;

/// While one exists, called_at() of this thread is empty: its call stack leads to what observes a
/// result, not to what called the operation.
class WithoutUserLine {
 public:
  WithoutUserLine() noexcept;
  WithoutUserLine(const WithoutUserLine&) = delete;
  WithoutUserLine& operator=(const WithoutUserLine&) = delete;
  ~WithoutUserLine();
};

}  // namespace ddx
