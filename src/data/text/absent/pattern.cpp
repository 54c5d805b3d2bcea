// Stands in for src/data/text/detail/pipeline/pattern.cpp where PCRE2 was not there to build with.

#include "data/text/detail/pipeline/pattern.h"

#include "ddx/data/text/tokenizer.h"

#include "data/text/detail/pipeline/pieces.h"
#include "data/text/detail/quoted.h"
#include "io/detail/refusal.h"

#include <string>

namespace ddx::data::detail {

PartFinder parts_at_pattern(const std::string& expression, const io::detail::Refusal& refuse) {
  refuse("the regular expression " + in_quotes(expression) +
         " needs PCRE2, and this ddx was built without it");
  return {};
}

}  // namespace ddx::data::detail

namespace ddx::data {

bool has_regular_expressions() noexcept {
  return false;
}

}  // namespace ddx::data
