#include "data/text/detail/pipeline/normalizers.h"

#include "ddx/core/error.h"
#include "ddx/data/text/detail/replacement_table.h"
#include "ddx/data/text/utf8.h"

#include "data/text/detail/bert_text.h"
#include "data/text/detail/byte_alphabet.h"
#include "data/text/detail/pipeline/base64.h"
#include "data/text/detail/pipeline/growth.h"
#include "data/text/detail/pipeline/pattern.h"
#include "data/text/detail/pipeline/pieces.h"
#include "data/text/detail/pipeline/search_pattern.h"
#include "data/text/detail/pipeline/settings.h"
#include "data/text/detail/unicode.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data::detail {
namespace {

bool is_ascii(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(),
                     [](char letter) { return static_cast<unsigned char>(letter) < 0x80; });
}

/// A normaliser that maps code points.
template <class Map>
Normalizer on_points(const Map& map) {
  return [map](std::string& text) { text = to_utf8(map(code_points(text))); };
}

/// A normal form of Unicode, which changes no ASCII.
template <class Map>
Normalizer normal_form(const Map& map) {
  return [whole = on_points(map)](std::string& text) {
    if (!is_ascii(text)) {
      whole(text);
    }
  };
}

Normalizer nfc_normalizer(const Settings&) {
  return normal_form([](std::u32string_view text) {
    return canonical_composition(canonical_decomposition(text));
  });
}

Normalizer nfd_normalizer(const Settings&) {
  return normal_form(canonical_decomposition);
}

Normalizer nfkc_normalizer(const Settings&) {
  return normal_form([](std::u32string_view text) {
    return canonical_composition(compatibility_decomposition(text));
  });
}

Normalizer nfkd_normalizer(const Settings&) {
  return normal_form(compatibility_decomposition);
}

Normalizer lowercase_normalizer(const Settings&) {
  return on_points(lower_case);
}

Normalizer strip_accents_normalizer(const Settings&) {
  return normal_form([](std::u32string text) {
    std::erase_if(text, is_mark);
    return text;
  });
}

Normalizer strip_normalizer(const Settings& settings) {
  return [left = settings.boolean("strip_left", true),
          right = settings.boolean("strip_right", true)](std::string& text) {
    auto points = code_points(text);
    if (right) {
      while (!points.empty() && is_white_space(points.back())) {
        points.pop_back();
      }
    }
    if (left) {
      const auto first = std::find_if_not(points.begin(), points.end(), is_white_space);
      points.erase(points.begin(), first);
    }
    text = to_utf8(points);
  };
}

Normalizer replace_normalizer(const Settings& settings) {
  return [find = read_search_pattern(settings), content = settings.text("content")](
             std::string& text) { text = replaced(text, find, content); };
}

Normalizer prepend_normalizer(const Settings& settings) {
  return [added = settings.text("prepend")](std::string& text) {
    if (!text.empty()) {
      text.insert(0, added);
    }
  };
}

Normalizer bert_normalizer(const Settings& settings) {
  const bool lowers_case = settings.boolean("lowercase", true);
  const BertNormalization steps{
      .cleans = settings.boolean("clean_text", true),
      .splits_chinese = settings.boolean("handle_chinese_chars", true),
      .strips_accents = settings.boolean("strip_accents", lowers_case),
      .lowers_case = lowers_case,
  };
  return on_points([steps](std::u32string_view text) { return bert_normalized(text, steps); });
}

/// Controls that SentencePiece's normalisation for translation drops.
bool is_dropped_by_nmt(char32_t point) noexcept {
  return (point >= 0x01 && point <= 0x08) || point == 0x0B || (point >= 0x0E && point <= 0x1F) ||
         point == 0x7F || point == 0x8F || point == 0x9F;
}

/// What it makes a space.
bool is_space_to_nmt(char32_t point) noexcept {
  return point == 0x09 || point == 0x0A || point == 0x0C || point == 0x0D || point == 0x1680 ||
         (point >= 0x200B && point <= 0x200F) || point == 0x2028 || point == 0x2029 ||
         point == 0x2581 || point == 0xFEFF || point == replacement_character;
}

Normalizer nmt_normalizer(const Settings&) {
  return on_points([](std::u32string text) {
    std::erase_if(text, is_dropped_by_nmt);
    std::replace_if(text.begin(), text.end(), is_space_to_nmt, U' ');
    return text;
  });
}

/// Replaces by SentencePiece's table as the crate `tokenizers` does: a grapheme cluster of at most
/// five bytes by what its shortest prefix in the table becomes; failing that, each character.
Normalizer precompiled_normalizer(const Settings& settings) {
  constexpr std::string_view key = "precompiled_charsmap";
  constexpr std::size_t longest_cluster = 5;
  const auto bytes = bytes_of_base64(settings.text(key));
  if (!bytes) {
    settings.fail_kind(key, "base64");
  }
  std::shared_ptr<const ReplacementTable> table;
  try {
    table = std::make_shared<const ReplacementTable>(*bytes, "the table");
  } catch (const UsageError& error) {
    settings.fail(key, error.what());
  }
  auto clusters =
      parts_at_pattern("\\X", [&](const std::string& facts) { settings.fail(key, facts); });
  return [table, clusters = std::move(clusters)](std::string& text) {
    std::vector<Part> parts;
    clusters(text, parts);
    std::string result;
    for (const auto& part : parts) {
      auto rest = std::string_view(text).substr(part.span.begin, part.span.end - part.span.begin);
      if (rest.size() <= longest_cluster) {
        if (const auto match = table->shortest_match(rest)) {
          result += match->replacement;
          continue;
        }
      }
      while (!rest.empty()) {
        const auto character = rest.substr(0, utf8_character_at(rest, 0).bytes);
        const auto match = table->shortest_match(character);
        result += match ? match->replacement : character;
        rest.remove_prefix(character.size());
      }
    }
    // A table may cut a character.
    text = is_utf8(result) ? std::move(result) : valid_utf8(result);
  };
}

Normalizer byte_level_normalizer(const Settings&) {
  return [](std::string& text) {
    std::string letters;
    for (const char byte : text) {
      letters += letter_of(static_cast<std::uint8_t>(byte));
    }
    text = std::move(letters);
  };
}

Normalizer sequence_normalizer(const Settings& settings) {
  std::vector<Normalizer> steps;
  for (const auto& step : settings.objects("normalizers")) {
    steps.push_back(read_normalizer(step));
  }
  return [steps = std::move(steps)](std::string& text) {
    const std::size_t before = text.size();
    for (const auto& step : steps) {
      step(text);
      check_growth(before, text.size());
    }
  };
}

}  // namespace

Normalizer read_normalizer(const Settings& settings) {
  using Read = Normalizer (*)(const Settings&);
  static const std::map<std::string, Read> readers = {
      {"Sequence", sequence_normalizer},
      {"NFC", nfc_normalizer},
      {"NFD", nfd_normalizer},
      {"NFKC", nfkc_normalizer},
      {"NFKD", nfkd_normalizer},
      {"Lowercase", lowercase_normalizer},
      {"StripAccents", strip_accents_normalizer},
      {"Strip", strip_normalizer},
      {"Replace", replace_normalizer},
      {"Prepend", prepend_normalizer},
      {"BertNormalizer", bert_normalizer},
      {"Nmt", nmt_normalizer},
      {"Precompiled", precompiled_normalizer},
      {"ByteLevel", byte_level_normalizer},
  };
  const auto reader = readers.find(settings.text("type"));
  if (reader == readers.end()) {
    settings.fail_unsupported("type");
  }
  return reader->second(settings);
}

}  // namespace ddx::data::detail
