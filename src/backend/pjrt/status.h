/// \file
/// What a call of a plugin has come to.

#pragma once

#include "backend/pjrt/c_api.h"

#include <string>
#include <string_view>

namespace ddx::backend::pjrt {

/// Success, or the plugin's code and message.
struct Status {
  ErrorCode code = ErrorCode::Ok;
  std::string message;

  [[nodiscard]] bool is_ok() const noexcept { return code == ErrorCode::Ok; }
};

/// The name of a code as PJRT writes it, e.g. "INVALID_ARGUMENT".
[[nodiscard]] std::string_view to_string(ErrorCode code) noexcept;

/// The same with the first line of the message: XLA appends tables and places in its sources.
[[nodiscard]] Status first_line(const Status& status);

/// Renders as "MESSAGE (CODE)", without blanks and a period at the end of the message.
[[nodiscard]] std::string to_string(const Status& status);

}  // namespace ddx::backend::pjrt
