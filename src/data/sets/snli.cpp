#include "ddx/data/sets/snli.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/data/detail/lines.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::data {
namespace {

/// The place of a column in the header, which is the line.
std::size_t column(const detail::Lines& lines, std::string_view name) {
  const auto names = detail::split_cells(lines.text(), "\t");
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    lines.fail("the header has no column \"" + std::string(name) + "\"");
  }
  return static_cast<std::size_t>(found - names.begin());
}

/// Nothing where no label was agreed on.
std::optional<Entailment> relation_in(const detail::Lines& lines, std::string_view label) {
  if (label == "entailment") {
    return Entailment::Entailment;
  }
  if (label == "neutral") {
    return Entailment::Neutral;
  }
  if (label == "contradiction") {
    return Entailment::Contradiction;
  }
  if (label != "-") {
    lines.fail("the label is \"" + std::string(label) +
               "\", not entailment, neutral, contradiction or -");
  }
  return std::nullopt;
}

}  // namespace

std::vector<SentencePair> read_snli(const std::filesystem::path& file) try {
  detail::Lines lines(file, "read_snli");
  (void)lines.next();  // There is one: an empty file is refused.
  const auto label = column(lines, "gold_label");
  const auto premise = column(lines, "sentence1");
  const auto hypothesis = column(lines, "sentence2");
  const auto columns = detail::split_cells(lines.text(), "\t").size();
  std::vector<SentencePair> pairs;
  while (lines.next()) {
    const auto cells = lines.cells("\t", columns);
    if (const auto relation = relation_in(lines, cells[label])) {
      pairs.push_back({.premise = std::string(cells[premise]),
                       .hypothesis = std::string(cells[hypothesis]),
                       .relation = *relation});
    }
  }
  return pairs;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_snli");
}

}  // namespace ddx::data
