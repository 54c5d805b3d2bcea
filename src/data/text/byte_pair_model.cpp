#include "ddx/data/text/byte_pair_model.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/data/text/detail/byte_pair_merges.h"
#include "ddx/data/text/vocabulary_file.h"

#include "data/text/detail/text_file.h"

#include <cstddef>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <utility>

namespace ddx::data {
namespace {

constexpr auto byte_pair_model_operation = "read_byte_pair_model";

}  // namespace

BytePairModel read_byte_pair_model(const std::filesystem::path& vocabulary,
                                   const std::filesystem::path& merges) try {
  BytePairModel model{.vocabulary = read_vocabulary_json(vocabulary), .merges = {}};
  detail::BytePairMerges known;
  const auto text = detail::read_text(merges, byte_pair_model_operation);
  std::size_t number = 0;
  for (const auto line : detail::lines_of(text)) {
    ++number;
    if (number == 1 && line.starts_with("#version")) {
      continue;
    }
    const auto space = line.find(' ');
    if (space == std::string_view::npos || space == 0 || space + 1 == line.size() ||
        line.find(' ', space + 1) != std::string_view::npos) {
      detail::fail_at_line(byte_pair_model_operation, merges, number,
                           "not two tokens apart by a space");
    }
    std::pair merge(std::string(line.substr(0, space)), std::string(line.substr(space + 1)));
    const auto problem = known.add(model.vocabulary, merge.first, merge.second);
    if (!problem.empty()) {
      detail::fail_at_line(byte_pair_model_operation, merges, number, problem);
    }
    model.merges.push_back(std::move(merge));
  }
  return model;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_byte_pair_model");
}

void write_byte_pair_model(const std::filesystem::path& vocabulary,
                           const std::filesystem::path& merges, const BytePairModel& model) try {
  write_vocabulary_json(vocabulary, model.vocabulary);
  std::string text = "#version: 0.2\n";
  for (const auto& [left, right] : model.merges) {
    text += left + " " + right + "\n";
  }
  detail::write_text(merges, text, "write_byte_pair_model");
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("write_byte_pair_model");
}

}  // namespace ddx::data
