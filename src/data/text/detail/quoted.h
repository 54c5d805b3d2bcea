/// \file
/// Texts of others inside messages.

#pragma once

#include <string>
#include <string_view>

namespace ddx::data::detail {

/// The text in quotes, in ASCII with escapes as in JSON; a long one is cut and ends with "...".
/// Bytes that are not UTF-8 become replacement characters.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace ddx::data::detail
