#include "ddx/data/text/detail/byte_pair_merges.h"
#include "ddx/data/text/utf8.h"

#include "data/text/detail/pipeline/model_tokens.h"
#include "data/text/detail/pipeline/settings.h"
#include "data/text/detail/pipeline/token_table.h"
#include "data/text/detail/pipeline/word_model.h"
#include "data/text/detail/quoted.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data::detail {
namespace {

/// The two tokens of an entry of "merges": "left right" or ["left", "right"]; none where it is
/// neither.
std::optional<std::pair<std::string, std::string>> tokens_of_merge(
    const io::detail::JsonValue& entry) {
  if (const auto* const line = entry.text()) {
    const auto space = line->find(' ');
    if (space == std::string::npos || line->find(' ', space + 1) != std::string::npos) {
      return std::nullopt;
    }
    return std::pair(line->substr(0, space), line->substr(space + 1));
  }
  const auto* const pair = entry.list();
  if (pair == nullptr || pair->size() != 2 || (*pair)[0].text() == nullptr ||
      (*pair)[1].text() == nullptr) {
    return std::nullopt;
  }
  return std::pair(*(*pair)[0].text(), *(*pair)[1].text());
}

class BytePairWords {
 public:
  explicit BytePairWords(const Settings& settings)
      : tokens_(std::make_shared<const TokenTable>(read_token_ids(settings))),
        unknown_(settings, *tokens_),
        prefix_(read_affix(settings, "continuing_subword_prefix", "")),
        suffix_(read_affix(settings, "end_of_word_suffix", "")),
        fuses_unknown_(settings.boolean("fuse_unk", false)),
        ignores_merges_(settings.boolean("ignore_merges", false)) {
    if (const auto* const dropout = settings.find("dropout");
        dropout != nullptr && dropout->number() != 0.0) {
      settings.fail_unsupported("dropout");
    }
    if (settings.boolean("byte_fallback", false)) {
      byte_ids_ = byte_token_ids(*tokens_);
    }
    for (std::size_t i = 0; i < character_ids_.size(); ++i) {
      const auto point = static_cast<char32_t>(i);
      character_ids_[i] = tokens_->id(to_utf8({&point, 1}));
    }
    read_merges(settings);
  }

  [[nodiscard]] const std::shared_ptr<const TokenTable>& tokens() const noexcept { return tokens_; }

  void append_ids(std::string_view word, std::vector<std::int32_t>& ids) const {
    if (ignores_merges_) {
      if (const auto id = tokens_->id(word)) {
        ids.push_back(*id);
        return;
      }
    }
    auto tokens = characters(word);
    merges_.apply(tokens);
    ids.insert(ids.end(), tokens.begin(), tokens.end());
  }

 private:
  void read_merges(const Settings& settings) {
    const auto* const entries = settings.at("merges").list();
    if (entries == nullptr) {
      settings.fail("merges", "a list is expected");
    }
    std::size_t number = 0;
    for (const auto& entry : *entries) {
      const auto fail = [&](const std::string& facts) {
        settings.fail("merges[" + std::to_string(number) + "]", facts);
      };
      if (entry.text() != nullptr && entry.text()->starts_with("#version")) {
        ++number;
        continue;
      }
      const auto pair = tokens_of_merge(entry);
      if (!pair) {
        constexpr std::size_t longest_shown = 100;
        fail(entry.shown(longest_shown) + " where two tokens are expected");
      }
      const auto& [left, right] = *pair;
      // A token within a word begins with the prefix; the merged token has it once.
      const auto merged =
          left + (right.size() < prefix_.size() ? right : right.substr(prefix_.size()));
      const auto left_id = tokens_->id(left);
      const auto right_id = tokens_->id(right);
      const auto merged_id = tokens_->id(merged);
      if (!left_id || !right_id || !merged_id) {
        fail("token " +
             in_quotes(!left_id    ? left
                       : !right_id ? right
                                   : merged) +
             " is not in the vocabulary");
      }
      if (const auto other = merges_.add(*left_id, *right_id, *merged_id)) {
        fail("the merge of " + in_quotes(left) + " and " + in_quotes(right) +
             " stands there twice");
      }
      ++number;
    }
  }

  /// The tokens of the characters of a word; a character that is none becomes its bytes, or
  /// unknown, or nothing.
  [[nodiscard]] std::vector<std::int32_t> characters(std::string_view word) const {
    std::vector<std::int32_t> tokens;
    tokens.reserve(word.size());
    bool is_unknown = false;  // The last character.
    for (std::size_t begin = 0; begin < word.size();) {
      const auto character = utf8_character_at(word, begin);
      const auto part = word.substr(begin, character.bytes);
      const bool is_last = begin + character.bytes == word.size();
      if (const auto id = id_of(part, character.code_point, begin == 0, is_last)) {
        tokens.push_back(*id);
        is_unknown = false;
      } else if (!append_bytes(with_affixes(part, begin == 0, is_last), tokens) &&
                 unknown_.is_named()) {
        if (!is_unknown || !fuses_unknown_) {
          tokens.push_back(unknown_.id_for(part));
        }
        is_unknown = true;
      }
      begin += character.bytes;
    }
    return tokens;
  }

  [[nodiscard]] std::string with_affixes(std::string_view part, bool is_first, bool is_last) const {
    std::string whole = is_first ? std::string() : prefix_;
    whole += part;
    whole += is_last ? suffix_ : std::string();
    return whole;
  }

  [[nodiscard]] std::optional<std::int32_t> id_of(std::string_view part, char32_t point,
                                                  bool is_first, bool is_last) const {
    if ((!is_first && !prefix_.empty()) || (is_last && !suffix_.empty())) {
      return tokens_->id(with_affixes(part, is_first, is_last));
    }
    return point < character_ids_.size() ? character_ids_[point] : tokens_->id(part);
  }

  /// Appends the tokens of bytes; false where one has none.
  [[nodiscard]] bool append_bytes(std::string_view bytes, std::vector<std::int32_t>& tokens) const {
    if (!byte_ids_) {
      return false;
    }
    const auto before = tokens.size();
    for (const char byte : bytes) {
      const auto id = (*byte_ids_)[static_cast<std::uint8_t>(byte)];
      if (!id) {
        tokens.resize(before);
        return false;
      }
      tokens.push_back(*id);
    }
    return true;
  }

  std::shared_ptr<const TokenTable> tokens_;
  UnknownToken unknown_;
  std::string prefix_;
  std::string suffix_;
  bool fuses_unknown_;
  bool ignores_merges_;
  std::optional<std::array<std::optional<std::int32_t>, 256>> byte_ids_;
  /// Those of the first characters, among them all that represent bytes.
  std::array<std::optional<std::int32_t>, 0x800> character_ids_;
  BytePairMerges merges_;
};

}  // namespace

WordModel read_byte_pair_words(const Settings& settings) {
  const auto model = std::make_shared<const BytePairWords>(settings);
  return {model->tokens(), [model](std::string_view word, std::vector<std::int32_t>& ids) {
            model->append_ids(word, ids);
          }};
}

}  // namespace ddx::data::detail
