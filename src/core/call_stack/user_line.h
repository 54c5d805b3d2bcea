/// \file
/// The line of the user's program that a call stack leads to.

#pragma once

#include "core/call_stack/call_stack.h"

#include <cstdint>
#include <string>

namespace ddx {

/// A line, or why there is none.
struct UserLine {
  enum class Kind : std::uint8_t {
    Exact,               ///< Of the call of this library that the stack has come from.
    OfDerivative,        ///< Of the call whose derivative, made by the compiler, it has come from.
    CallsDerivative,     ///< Of a call behind which the compiler has made all but this library.
    NoDebugInformation,  ///< The program has none there.
    NoReader,            ///< It cannot be read: libdw is missing, now or where this was built.
    Unclear,             ///< A line would be a guess.
  };

  Kind kind = Kind::NoReader;
  std::string file;
  int line = 0;

  /// What it adds to a message: "(at FILE:LINE)", how to get a line, or nothing.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool is_known() const noexcept { return line != 0; }
};

/// The innermost place on a stack that is neither this library's nor the standard library's, with
/// functions that have been inlined. It is stated only where each call on the way is known to have
/// called what is found there: a function that has left its stack to the one it called at its end
/// is missed, so that no line of its caller is taken for its own.
///
/// Any thread may ask.
/// Cost:    milliseconds, and where a file is asked for first, the time to read it.
[[nodiscard]] UserLine user_line(const CallStack& stack);

}  // namespace ddx
