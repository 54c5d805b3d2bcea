#include "ddx/data/text/vocabulary.h"

#include "ddx/core/error.h"

#include "data/text/detail/quoted.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data {

Vocabulary::Vocabulary(std::vector<std::string> tokens) {
  tokens_.reserve(tokens.size());
  ids_.reserve(tokens.size());
  for (auto& token : tokens) {
    add(std::move(token));
  }
}

std::optional<std::int32_t> Vocabulary::id(std::string_view token) const {
  const auto found = ids_.find(token);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

std::int32_t Vocabulary::required_id(std::string_view token, const std::string& operation,
                                     const std::string& role) const {
  const auto found = id(token);
  if (!found) {
    throw UsageError(operation, role + " " + detail::in_quotes(token) + " is not among the " +
                                    std::to_string(size()) + " tokens of the vocabulary");
  }
  return *found;
}

const std::string& Vocabulary::token(std::int32_t id, const std::string& operation) const {
  if (id < 0 || id >= size()) {
    throw UsageError(operation, "id " + std::to_string(id) + " of a vocabulary of " +
                                    std::to_string(size()) + " tokens");
  }
  return tokens_[static_cast<std::size_t>(id)];
}

void Vocabulary::add(std::string token) {
  if (size() > std::numeric_limits<std::int32_t>::max()) {
    throw UsageError("Vocabulary", "more tokens than ids of 32 bits");
  }
  const auto [place, is_new] = ids_.emplace(token, static_cast<std::int32_t>(size()));
  if (!is_new) {
    throw UsageError("Vocabulary", "token " + detail::in_quotes(token) + " stands at " +
                                       std::to_string(place->second) + " and at " +
                                       std::to_string(size()));
  }
  tokens_.push_back(std::move(token));
}

}  // namespace ddx::data
