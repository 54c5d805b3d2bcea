#include "ddx/core/error.h"
#include "ddx/data/text/detail/prefix_tree.h"

#include "data/text/detail/best_unigram_path.h"
#include "data/text/detail/pipeline/model_tokens.h"
#include "data/text/detail/pipeline/settings.h"
#include "data/text/detail/pipeline/token_table.h"
#include "data/text/detail/pipeline/word_model.h"
#include "data/text/detail/quoted.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace ddx::data::detail {
namespace {

/// The score as `tokenizers` reads it: the shortest digits as an integer, by a power of ten. It is
/// off by the last bit for one score of four, which decides between equal paths ("\n\n" and "\n").
double score_as_published(double exact) {
  std::array<char, 32> text{};  // "-1.2345678901234567e-308"
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), exact, std::chars_format::scientific);
  const std::string_view digits(text.data(), static_cast<std::size_t>(end - text.data()));
  const auto mark = digits.find('e');
  if (error != std::errc() || mark == std::string_view::npos) {
    return exact;  // Infinite.
  }
  std::uint64_t significand = 0;
  int exponent = 0;
  bool is_fraction = false;
  for (const char digit : digits.substr(0, mark)) {
    if (digit >= '0' && digit <= '9') {
      significand = significand * 10 + static_cast<std::uint64_t>(digit - '0');
      exponent -= is_fraction ? 1 : 0;
    }
    is_fraction = is_fraction || digit == '.';
  }
  int written = 0;
  const auto sign = digits[mark + 1] == '+' ? 2U : 1U;
  (void)std::from_chars(digits.data() + mark + sign, digits.data() + digits.size(), written);
  exponent += written;
  const double power = std::pow(10.0, std::abs(exponent));
  const auto whole = static_cast<double>(significand);
  const double size = exponent < 0 ? whole / power : whole * power;
  return std::signbit(exact) ? -size : size;
}

class UnigramWords {
 public:
  explicit UnigramWords(const Settings& settings) {
    auto tokens = std::make_shared<TokenTable>();
    const auto* const pieces = settings.at("vocab").list();
    if (pieces == nullptr) {
      settings.fail("vocab", "a list of pieces and scores is expected");
    }
    for (const auto& piece : *pieces) {
      const auto* const pair = piece.list();
      const bool is_pair = pair != nullptr && pair->size() == 2 && (*pair)[0].text() != nullptr &&
                           (*pair)[1].number().has_value();
      if (!is_pair) {
        constexpr std::size_t longest_shown = 100;
        settings.fail("vocab[" + std::to_string(scores_.size()) + "]",
                      piece.shown(longest_shown) + " where a piece and a score are expected");
      }
      const auto id = static_cast<std::int32_t>(scores_.size());
      const auto& text = *(*pair)[0].text();
      (void)tokens->add(text, id);  // Of equal pieces the last one counts, as for the tree.
      scores_.push_back(score_as_published(*(*pair)[1].number()));
      lowest_score_ = std::min(lowest_score_, scores_.back());
      if (!text.empty()) {
        tree_.add(text, id);
      }
    }
    if (settings.find("unk_id") != nullptr) {
      unknown_id_ = settings.integer("unk_id", 0);
      if (static_cast<std::size_t>(*unknown_id_) >= scores_.size()) {
        settings.fail("unk_id", std::to_string(*unknown_id_) + " of a vocabulary of " +
                                    std::to_string(scores_.size()) + " pieces");
      }
    }
    if (settings.boolean("byte_fallback", false)) {
      byte_ids_ = byte_token_ids(*tokens);
    }
    tokens_ = std::move(tokens);
  }

  [[nodiscard]] const std::shared_ptr<const TokenTable>& tokens() const noexcept { return tokens_; }

  void append_ids(std::string_view word, std::vector<std::int32_t>& ids) const {
    constexpr std::int32_t none = -1;
    const auto path = best_unigram_path<double>(
        tree_, word, {unknown_id_.value_or(none), lowest_score_ - unknown_penalty},
        [&](std::int32_t id, std::size_t) { return scores_[static_cast<std::size_t>(id)]; });
    for (std::size_t i = 0; i < path.size();) {
      const auto begin = path[i].begin;
      auto end = path[i].end;
      const auto id = path[i].id;
      ++i;
      if (id == unknown_id_.value_or(none)) {
        // Unknown characters one after another are one.
        for (; i < path.size() && path[i].id == id; ++i) {
          end = path[i].end;
        }
        append_unknown(word.substr(begin, end - begin), ids);
      } else {
        ids.push_back(id);
      }
    }
  }

 private:
  void append_unknown(std::string_view text, std::vector<std::int32_t>& ids) const {
    if (const auto id = tokens_->id(text)) {  // Several unknown characters may be a piece.
      ids.push_back(*id);
      return;
    }
    if (byte_ids_ && std::all_of(text.begin(), text.end(), [&](char byte) {
          return (*byte_ids_)[static_cast<std::uint8_t>(byte)].has_value();
        })) {
      for (const char byte : text) {
        ids.push_back(*(*byte_ids_)[static_cast<std::uint8_t>(byte)]);
      }
      return;
    }
    if (!unknown_id_) {
      throw EnvironmentError("Tokenizer",
                             in_quotes(text) + " is no piece, and the model has no unk_id");
    }
    ids.push_back(*unknown_id_);
  }

  std::shared_ptr<const TokenTable> tokens_;
  PrefixTree tree_;
  std::vector<double> scores_;
  double lowest_score_ = std::numeric_limits<double>::max();
  std::optional<std::int32_t> unknown_id_;
  std::optional<std::array<std::optional<std::int32_t>, 256>> byte_ids_;
};

}  // namespace

WordModel read_unigram_words(const Settings& settings) {
  const auto model = std::make_shared<const UnigramWords>(settings);
  return {model->tokens(), [model](std::string_view word, std::vector<std::int32_t>& ids) {
            model->append_ids(word, ids);
          }};
}

}  // namespace ddx::data::detail
