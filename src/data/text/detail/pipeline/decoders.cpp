#include "data/text/detail/pipeline/decoders.h"

#include "ddx/data/text/utf8.h"

#include "data/text/detail/byte_alphabet.h"
#include "data/text/detail/byte_tokens.h"
#include "data/text/detail/pipeline/growth.h"
#include "data/text/detail/pipeline/metaspace.h"
#include "data/text/detail/pipeline/pieces.h"
#include "data/text/detail/pipeline/search_pattern.h"
#include "data/text/detail/pipeline/settings.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data::detail {
namespace {

using Tokens = std::vector<std::string>;

std::size_t total_bytes(const Tokens& tokens) noexcept {
  std::size_t total = 0;
  for (const auto& token : tokens) {
    total += token.size();
  }
  return total;
}

std::string joined(const Tokens& tokens) {
  std::string text;
  for (const auto& token : tokens) {
    text += token;
  }
  return text;
}

Decoder byte_level_decoder(const Settings&) {
  return [](Tokens& tokens) {
    std::string bytes;
    for (const auto& token : tokens) {
      bytes += bytes_of_letters(token).value_or(token);
    }
    tokens = {valid_utf8(bytes)};
  };
}

Decoder metaspace_decoder(const Settings& settings) {
  const auto read = read_metaspace(settings);
  return [find = parts_at_text(read.replacement),
          drops_first = read.prepend != Metaspace::Prepend::Never](Tokens& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      tokens[i] = replaced(tokens[i], find, i == 0 && drops_first ? "" : " ");
    }
  };
}

/// Removes the spaces that a tokenizer of words leaves before English punctuation and contractions.
std::string without_extra_spaces(std::string text) {
  static const std::array<std::pair<PartFinder, std::string>, 11> steps = {{
      {parts_at_text(" ."), "."},
      {parts_at_text(" ?"), "?"},
      {parts_at_text(" !"), "!"},
      {parts_at_text(" ,"), ","},
      {parts_at_text(" ' "), "'"},
      {parts_at_text(" n't"), "n't"},
      {parts_at_text(" 'm"), "'m"},
      {parts_at_text(" do not"), " don't"},
      {parts_at_text(" 's"), "'s"},
      {parts_at_text(" 've"), "'ve"},
      {parts_at_text(" 're"), "'re"},
  }};
  for (const auto& [find, content] : steps) {
    text = replaced(text, find, content);
  }
  return text;
}

Decoder word_piece_decoder(const Settings& settings) {
  return [prefix = settings.text("prefix", "##"),
          cleans = settings.boolean("cleanup", true)](Tokens& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (i > 0 && tokens[i].starts_with(prefix)) {
        tokens[i].erase(0, prefix.size());
      } else if (i > 0) {
        tokens[i].insert(0, " ");
      }
      if (cleans) {
        tokens[i] = without_extra_spaces(std::move(tokens[i]));
      }
    }
  };
}

Decoder byte_pairs_decoder(const Settings& settings) {
  const auto suffix = settings.text("suffix", "</w>");
  if (suffix.empty()) {
    settings.fail_unsupported("suffix");
  }
  return [find = parts_at_text(suffix)](Tokens& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      tokens[i] = replaced(tokens[i], find, i + 1 == tokens.size() ? "" : " ");
    }
  };
}

Decoder byte_fallback_decoder(const Settings&) {
  return [](Tokens& tokens) {
    Tokens result;
    std::string bytes;
    const auto flush = [&] {
      if (bytes.empty()) {
        return;
      }
      if (is_utf8(bytes)) {
        result.push_back(bytes);
      } else {
        result.insert(result.end(), bytes.size(), to_utf8({&replacement_character, 1}));
      }
      bytes.clear();
    };
    for (auto& token : tokens) {
      if (const auto byte = byte_of_token(token)) {
        bytes.push_back(static_cast<char>(*byte));
        continue;
      }
      flush();
      result.push_back(std::move(token));
    }
    flush();
    tokens = std::move(result);
  };
}

Decoder fuse_decoder(const Settings&) {
  return [](Tokens& tokens) { tokens = {joined(tokens)}; };
}

Decoder replace_decoder(const Settings& settings) {
  return
      [find = read_search_pattern(settings), content = settings.text("content")](Tokens& tokens) {
        const std::size_t before = total_bytes(tokens);
        std::size_t after = 0;
        for (auto& token : tokens) {
          token = replaced(token, find, content);
          after += token.size();
          check_growth(before, after);
        }
      };
}

Decoder strip_decoder(const Settings& settings) {
  return [content = settings.character("content"),
          at_start = static_cast<std::size_t>(settings.integer("start", 0)),
          at_stop = static_cast<std::size_t>(settings.integer("stop", 0))](Tokens& tokens) {
    for (auto& token : tokens) {
      std::string_view rest = token;
      for (std::size_t i = 0; i < at_start && rest.starts_with(content); ++i) {
        rest.remove_prefix(content.size());
      }
      for (std::size_t i = 0; i < at_stop && rest.ends_with(content); ++i) {
        rest.remove_suffix(content.size());
      }
      token = std::string(rest);
    }
  };
}

Decoder sequence_decoder(const Settings& settings) {
  std::vector<Decoder> steps;
  for (const auto& step : settings.objects("decoders")) {
    steps.push_back(read_decoder(step));
  }
  return [steps = std::move(steps)](Tokens& tokens) {
    const std::size_t before = total_bytes(tokens);
    for (const auto& step : steps) {
      step(tokens);
      check_growth(before, total_bytes(tokens));
    }
  };
}

}  // namespace

Decoder read_decoder(const Settings& settings) {
  using Read = Decoder (*)(const Settings&);
  static const std::map<std::string, Read> readers = {
      {"Sequence", sequence_decoder},
      {"ByteLevel", byte_level_decoder},
      {"Metaspace", metaspace_decoder},
      {"WordPiece", word_piece_decoder},
      {"BPEDecoder", byte_pairs_decoder},
      {"ByteFallback", byte_fallback_decoder},
      {"Fuse", fuse_decoder},
      {"Replace", replace_decoder},
      {"Strip", strip_decoder},
  };
  const auto reader = readers.find(settings.text("type"));
  if (reader == readers.end()) {
    settings.fail_unsupported("type");
  }
  return reader->second(settings);
}

}  // namespace ddx::data::detail
