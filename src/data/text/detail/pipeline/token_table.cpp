#include "data/text/detail/pipeline/token_table.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ddx::data::detail {

const std::string* TokenTable::add(const std::string& token, std::int32_t id) {
  const auto [place, is_new] = tokens_.emplace(id, token);
  if (!is_new) {
    return &place->second;
  }
  longest_ = std::max(longest_, token.size());
  ids_.insert_or_assign(token, id);
  return nullptr;
}

std::optional<std::int32_t> TokenTable::id(std::string_view token) const {
  const auto found = ids_.find(token);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

const std::string* TokenTable::token(std::int32_t id) const {
  const auto found = tokens_.find(id);
  return found == tokens_.end() ? nullptr : &found->second;
}

}  // namespace ddx::data::detail
