/// \file
/// Regular expressions of tokenizers.

#pragma once

#include "data/text/detail/pipeline/pieces.h"
#include "io/detail/refusal.h"

#include <string>

namespace ddx::data::detail {

/// The matches of a regular expression of Oniguruma, on texts that are UTF-8. Refuses an expression
/// that is not understood, and each one where the library was built without PCRE2.
///
/// The finder throws an EnvironmentError where the search takes more than 10,000,000 steps for one
/// match or more than 64 MiB.
[[nodiscard]] PartFinder parts_at_pattern(const std::string& expression,
                                          const io::detail::Refusal& refuse);

}  // namespace ddx::data::detail
