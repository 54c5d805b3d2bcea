/// \file
/// What a Split or a Replace searches for.

#pragma once

#include "data/text/detail/pipeline/pieces.h"
#include "data/text/detail/pipeline/settings.h"

namespace ddx::data::detail {

/// The finder of the key "pattern": {"String": TEXT} or {"Regex": EXPRESSION}.
[[nodiscard]] PartFinder read_search_pattern(const Settings& settings);

}  // namespace ddx::data::detail
