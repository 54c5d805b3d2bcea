#include "ddx/data/detail/lines.h"

#include "ddx/core/error.h"
#include "ddx/data/detail/gzip.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data::detail {
namespace {

constexpr std::uint64_t largest_content = std::uint64_t{1} << 32;

}  // namespace

Lines::Lines(std::filesystem::path file, std::string operation)
    : file_(std::move(file)), operation_(std::move(operation)) {
  const auto bytes = read_maybe_compressed(file_, operation_, {.max_bytes = largest_content});
  if (bytes.empty()) {
    throw EnvironmentError(operation_, file_.string() + ": the file is empty");
  }
  content_.assign(bytes.begin(), bytes.end());
}

bool Lines::next() {
  if (place_ >= content_.size()) {
    return false;
  }
  const auto end = std::min(content_.find('\n', place_), content_.size());
  line_ = std::string_view(content_).substr(place_, end - place_);
  if (line_.ends_with('\r')) {
    line_.remove_suffix(1);
  }
  place_ = end + 1;
  ++number_;
  return true;
}

void Lines::fail(const std::string& facts) const {
  throw EnvironmentError(operation_,
                         file_.string() + ", line " + std::to_string(number_) + ": " + facts);
}

std::vector<std::string_view> Lines::cells(std::string_view separator, std::size_t count) const {
  auto found = split_cells(line_, separator);
  if (found.size() != count) {
    fail(std::to_string(found.size()) + " cells, " + std::to_string(count) + " are expected");
  }
  return found;
}

std::vector<std::string_view> split_cells(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> cells;
  while (true) {
    const auto end = text.find(separator);
    cells.push_back(text.substr(0, end));
    if (end == std::string_view::npos) {
      return cells;
    }
    text.remove_prefix(end + separator.size());
  }
}

std::vector<std::string_view> split_words(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  std::vector<std::string_view> words;
  for (auto begin = text.find_first_not_of(blanks); begin != std::string_view::npos;) {
    const auto end = std::min(text.find_first_of(blanks, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(blanks, end);
  }
  return words;
}

}  // namespace ddx::data::detail
