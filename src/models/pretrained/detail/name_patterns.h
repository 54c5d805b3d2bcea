/// \file
/// Patterns of names.

#pragma once

#include "ddx/models/pretrained/name_rules.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::models::detail {

/// What the placeholders of a pattern denote in a name; nothing where it does not fit. Of
/// several ways the one with the shortest texts for the first placeholders.
[[nodiscard]] std::optional<std::vector<std::string>> matched(std::string_view pattern,
                                                              std::string_view name);

/// The pattern with texts for its placeholders, in order.
///
/// Throws:  UsageError where it has more placeholders than there are texts.
[[nodiscard]] std::string filled(const std::string& pattern, const std::vector<std::string>& texts);

/// The name without prefixes, and with the end that it has now.
[[nodiscard]] std::string canonical(std::string_view name, const NameRules& names);

/// How many letters must be changed, left out or added to make `a` of `b`.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace ddx::models::detail
