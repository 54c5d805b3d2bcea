#include "ddx/tensor/shaped.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <source_location>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

namespace ddx::detail {
namespace {

std::vector<std::string> words_of(const char* claim) {
  std::istringstream text(claim);
  std::vector<std::string> words;
  for (std::string word; text >> word;) {
    words.push_back(word);
  }
  return words;
}

/// Whether an extent is as a word claims; names take the extents that they are first given.
bool holds(const std::string& word, std::int64_t extent,
           std::map<std::string, std::int64_t>& names) {
  if (word == "_") {
    return true;
  }
  std::int64_t number = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, number);
  if (error == std::errc() && stop == end) {
    return extent == number;
  }
  return names.try_emplace(word, extent).first->second == extent;
}

}  // namespace

void check_claim(const Shape& shape, const char* claim, const std::source_location& where) {
  const std::vector<std::string> words = words_of(claim);
  std::map<std::string, std::int64_t> names;
  bool fits = words.size() == shape.rank();
  for (std::size_t axis = 0; fits && axis < words.size(); ++axis) {
    fits = holds(words[axis], shape[axis], names);
  }
  if (!fits) {
    std::string claimed;
    for (const std::string& word : words) {
      claimed += (claimed.empty() ? "" : ", ") + word;
    }
    throw UsageError("shaped", "shape " + to_string(shape) + " is not [" + claimed + "]", where);
  }
}

}  // namespace ddx::detail
