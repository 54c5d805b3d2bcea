#include "data/text/detail/pipeline/pre_tokenizers.h"

#include "data/text/detail/bert_text.h"
#include "data/text/detail/byte_alphabet.h"
#include "data/text/detail/pipeline/growth.h"
#include "data/text/detail/pipeline/metaspace.h"
#include "data/text/detail/pipeline/pieces.h"
#include "data/text/detail/pipeline/search_pattern.h"
#include "data/text/detail/pipeline/settings.h"
#include "data/text/detail/unicode.h"
#include "data/text/detail/word_splitter.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data::detail {
namespace {

/// A pre-tokenizer that splits at matches.
PreTokenizer splitter(PartFinder find, SplitBehavior behavior, bool is_inverted = false) {
  return [find = std::move(find), behavior, is_inverted](Pieces& pieces) {
    split_pieces(pieces, find, behavior, is_inverted);
  };
}

SplitBehavior read_behavior(const Settings& settings, const std::string& otherwise) {
  static const std::map<std::string, SplitBehavior> behaviors = {
      {"Removed", SplitBehavior::Removed},
      {"Isolated", SplitBehavior::Isolated},
      {"MergedWithPrevious", SplitBehavior::MergedWithPrevious},
      {"MergedWithNext", SplitBehavior::MergedWithNext},
      {"Contiguous", SplitBehavior::Contiguous},
  };
  const auto behavior = behaviors.find(settings.text("behavior", otherwise));
  if (behavior == behaviors.end()) {
    settings.fail_unsupported("behavior");
  }
  return behavior->second;
}

PreTokenizer split_pre_tokenizer(const Settings& settings) {
  (void)settings.at("behavior");
  return splitter(read_search_pattern(settings), read_behavior(settings, ""),
                  settings.boolean("invert", false));
}

/// The words of GPT-2.
void append_words(std::string_view piece, std::vector<Part>& parts) {
  for (std::size_t begin = 0; begin < piece.size();) {
    const std::size_t end = begin + first_word(piece.substr(begin)).size();
    parts.push_back({{begin, end}, true});
    begin = end;
  }
}

PreTokenizer byte_level_pre_tokenizer(const Settings& settings) {
  const bool adds_space = settings.boolean("add_prefix_space", true);
  const bool splits = settings.boolean("use_regex", true);
  return [adds_space, splits](Pieces& pieces) {
    if (adds_space) {
      rewrite_pieces(pieces, [](std::string_view piece, bool, std::string& text) {
        text += piece.starts_with(' ') ? "" : " ";
        text += piece;
      });
    }
    if (splits) {
      split_pieces(pieces, append_words, SplitBehavior::Isolated);
    }
    rewrite_pieces(pieces, [](std::string_view piece, bool, std::string& text) {
      for (const char byte : piece) {
        text += letter_of(static_cast<std::uint8_t>(byte));
      }
    });
  };
}

PreTokenizer metaspace_pre_tokenizer(const Settings& settings) {
  const auto read = read_metaspace(settings);
  const auto find = parts_at_text(read.replacement);
  return [read, find](Pieces& pieces) {
    rewrite_pieces(pieces, [&](std::string_view piece, bool is_first, std::string& text) {
      const bool is_marked = piece.starts_with(' ') || piece.starts_with(read.replacement);
      const bool is_prepended = read.prepend == Metaspace::Prepend::Always ||
                                (read.prepend == Metaspace::Prepend::First && is_first);
      if (is_prepended && !is_marked) {
        text += read.replacement;
      }
      for (const char letter : piece) {
        if (letter == ' ') {
          text += read.replacement;
        } else {
          text += letter;
        }
      }
    });
    if (read.splits) {
      split_pieces(pieces, find, SplitBehavior::MergedWithNext);
    }
  };
}

PreTokenizer digits_pre_tokenizer(const Settings& settings) {
  return splitter(parts_at_characters(is_number), settings.boolean("individual_digits", false)
                                                      ? SplitBehavior::Isolated
                                                      : SplitBehavior::Contiguous);
}

/// Runs of word characters, and runs of what is neither word nor white space.
PreTokenizer whitespace_pre_tokenizer(const Settings&) {
  return splitter(parts_of_kinds([](char32_t point) {
                    return is_word_character(point) ? 1 : is_white_space(point) ? 0 : 2;
                  }),
                  SplitBehavior::Removed, true);
}

PreTokenizer whitespace_split_pre_tokenizer(const Settings&) {
  return splitter(parts_at_characters(is_white_space), SplitBehavior::Removed);
}

PreTokenizer punctuation_pre_tokenizer(const Settings& settings) {
  return splitter(parts_at_characters(is_bert_punctuation), read_behavior(settings, "Isolated"));
}

PreTokenizer bert_pre_tokenizer(const Settings& settings) {
  return [words = whitespace_split_pre_tokenizer(settings),
          marks = splitter(parts_at_characters(is_bert_punctuation), SplitBehavior::Isolated)](
             Pieces& pieces) {
    words(pieces);
    marks(pieces);
  };
}

PreTokenizer sequence_pre_tokenizer(const Settings& settings) {
  std::vector<PreTokenizer> steps;
  for (const auto& step : settings.objects("pretokenizers")) {
    steps.push_back(read_pre_tokenizer(step));
  }
  return [steps = std::move(steps)](Pieces& pieces) {
    const std::size_t before = pieces.text.size();
    for (const auto& step : steps) {
      step(pieces);
      check_growth(before, pieces.text.size());
    }
  };
}

}  // namespace

PreTokenizer read_pre_tokenizer(const Settings& settings) {
  using Read = PreTokenizer (*)(const Settings&);
  static const std::map<std::string, Read> readers = {
      {"Sequence", sequence_pre_tokenizer},
      {"Split", split_pre_tokenizer},
      {"ByteLevel", byte_level_pre_tokenizer},
      {"Metaspace", metaspace_pre_tokenizer},
      {"Digits", digits_pre_tokenizer},
      {"Whitespace", whitespace_pre_tokenizer},
      {"WhitespaceSplit", whitespace_split_pre_tokenizer},
      {"Punctuation", punctuation_pre_tokenizer},
      {"BertPreTokenizer", bert_pre_tokenizer},
  };
  const auto reader = readers.find(settings.text("type"));
  if (reader == readers.end()) {
    settings.fail_unsupported("type");
  }
  return reader->second(settings);
}

}  // namespace ddx::data::detail
