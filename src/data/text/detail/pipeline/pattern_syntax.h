/// \file
/// Oniguruma's regular expressions in the syntax of PCRE2.

#pragma once

#include "io/detail/refusal.h"

#include <string>

namespace ddx::data::detail {

/// The expression with the same matches in PCRE2 (options UTF, UCP and MULTILINE). Refuses what
/// differs between the two and has no translation here: back references, named classes, differences
/// and intersections of classes, a possessive {n,m}+, options in the middle of a group.
///
/// What differs and is translated: \s without U+180E; \w with marks and connectors; \b by that \w;
/// \h, hexadecimal digits; \v, one character; (?m), a dot that matches line feeds; {,n}; \uHHHH;
/// classes within classes; \p{Han}, the script alone.
///
/// What differs and stays: in (?i) one character never equals several, so that "ss" is not \u00DF.
///
/// Source:  K. Kosako, "Oniguruma regular expressions" (https://github.com/kkos/oniguruma, doc/RE);
///          P. Hazel, "pcre2pattern" (https://www.pcre.org/current/doc/html/pcre2pattern.html).
[[nodiscard]] std::string pcre2_syntax(const std::string& expression,
                                       const io::detail::Refusal& refuse);

}  // namespace ddx::data::detail
