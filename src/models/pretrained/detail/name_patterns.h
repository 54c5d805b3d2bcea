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

/// Matches a name against a pattern. Returns: the text of each wildcard, in order; nothing where
/// the name does not match. The first wildcards match as little as possible.
[[nodiscard]] std::optional<std::vector<std::string>> matched(std::string_view pattern,
                                                              std::string_view name);

/// Replaces the wildcards of a pattern by texts, in order.
///
/// Throws:  UsageError where the pattern has more wildcards than there are texts.
[[nodiscard]] std::string filled(const std::string& pattern, const std::vector<std::string>& texts);

/// The name without prefixes, and with the end that it has now.
[[nodiscard]] std::string canonical(std::string_view name, const NameRules& names);

/// How many letters must be changed, left out or added to make `a` of `b`.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace ddx::models::detail
