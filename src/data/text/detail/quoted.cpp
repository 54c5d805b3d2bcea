#include "data/text/detail/quoted.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace ddx::data::detail {

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 64;
  const bool is_cut = text.size() > longest;
  const nlohmann::json part = std::string(text.substr(0, longest)) + (is_cut ? "..." : "");
  return part.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

}  // namespace ddx::data::detail
