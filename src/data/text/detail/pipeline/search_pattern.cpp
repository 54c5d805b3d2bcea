#include "data/text/detail/pipeline/search_pattern.h"

#include "data/text/detail/pipeline/pattern.h"
#include "data/text/detail/pipeline/pieces.h"
#include "data/text/detail/pipeline/settings.h"

#include <string>

namespace ddx::data::detail {

PartFinder read_search_pattern(const Settings& settings) {
  const auto pattern = settings.object("pattern");
  if (pattern.find("Regex") != nullptr) {
    return parts_at_pattern(pattern.text("Regex"),
                            [&](const std::string& facts) { pattern.fail("Regex", facts); });
  }
  if (pattern.text("String").empty()) {
    pattern.fail_unsupported("String");
  }
  return parts_at_text(pattern.text("String"));
}

}  // namespace ddx::data::detail
