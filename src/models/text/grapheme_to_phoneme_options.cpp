#include "ddx/models/text/grapheme_to_phoneme_options.h"

#include "ddx/core/error.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/nn/detail/options.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::models {
namespace {

// The letters begin behind padding, what is unknown, and the end.
constexpr std::int32_t unknown_letter = 1;
constexpr std::int32_t end_of_word = 2;
constexpr std::int32_t letter_a = 3;

/// In the order of g2p-en 2.1.0, `g2p.py`.
constexpr auto phoneme_names = std::to_array<std::string_view>(
    {"<pad>", "<unk>", "<s>", "</s>", "AA0", "AA1", "AA2", "AE0", "AE1", "AE2", "AH0", "AH1", "AH2",
     "AO0",   "AO1",   "AO2", "AW0",  "AW1", "AW2", "AY0", "AY1", "AY2", "B",   "CH",  "D",   "DH",
     "EH0",   "EH1",   "EH2", "ER0",  "ER1", "ER2", "EY0", "EY1", "EY2", "F",   "G",   "HH",  "IH0",
     "IH1",   "IH2",   "IY0", "IY1",  "IY2", "JH",  "K",   "L",   "M",   "N",   "NG",  "OW0", "OW1",
     "OW2",   "OY0",   "OY1", "OY2",  "P",   "R",   "S",   "SH",  "T",   "TH",  "UH0", "UH1", "UH2",
     "UW",    "UW0",   "UW1", "UW2",  "V",   "W",   "Y",   "Z",   "ZH"});

}  // namespace

std::vector<std::int32_t> letter_tokens(std::string_view word) {
  std::vector<std::int32_t> tokens;
  for (const char letter : word) {
    tokens.push_back(letter >= 'a' && letter <= 'z' ? letter_a + (letter - 'a') : unknown_letter);
  }
  tokens.push_back(end_of_word);
  return tokens;
}

std::string phoneme_text(std::span<const std::int32_t> tokens) {
  std::string text;
  for (const std::int32_t token : tokens) {
    if (token < 0 || static_cast<std::size_t>(token) >= phoneme_names.size()) {
      throw UsageError("phoneme_text", "token " + std::to_string(token) + " is not in [0, " +
                                           std::to_string(phoneme_names.size()) + ")");
    }
    text += (text.empty() ? "" : " ") + std::string(phoneme_names[static_cast<std::size_t>(token)]);
  }
  return text;
}

namespace detail {

const GraphemeToPhonemeOptions& checked(const GraphemeToPhonemeOptions& options) {
  constexpr const char* name = "GraphemeToPhoneme";
  nn::detail::require_positive(name, "letters", options.letters);
  nn::detail::require_positive(name, "phonemes", options.phonemes);
  nn::detail::require_positive(name, "features", options.features);
  nn::detail::require_positive(name, "hidden", options.hidden);
  return options;
}

}  // namespace detail

NameRules name_rules(const GraphemeToPhonemeOptions& /*options*/) {
  NameRules names{.rules = {{"letters.weight", {"enc_emb"}},
                            {"phonemes.weight", {"dec_emb"}},
                            {"head.weight", {"fc_w"}, Layout::Transposed},
                            {"head.bias", {"fc_b"}}}};
  for (const auto& [ours, theirs] :
       {std::pair<std::string, std::string>{"encoder.cell.", "enc_"}, {"decoder.", "dec_"}}) {
    names.rules.push_back({ours + "input_weight", {theirs + "w_ih"}, Layout::Transposed});
    names.rules.push_back({ours + "hidden_weight", {theirs + "w_hh"}, Layout::Transposed});
    names.rules.push_back({ours + "input_bias", {theirs + "b_ih"}});
    names.rules.push_back({ours + "hidden_bias", {theirs + "b_hh"}});
  }
  return names;
}

}  // namespace ddx::models
