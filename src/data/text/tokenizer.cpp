#include "ddx/data/text/tokenizer.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/core/file.h"
#include "ddx/data/text/encoded_text.h"
#include "ddx/data/text/utf8.h"
#include "ddx/io/gguf_view.h"

#include "data/text/detail/gguf_tokenizer.h"
#include "data/text/detail/pipeline/added_tokens.h"
#include "data/text/detail/pipeline/decoders.h"
#include "data/text/detail/pipeline/growth.h"
#include "data/text/detail/pipeline/normalizers.h"
#include "data/text/detail/pipeline/pieces.h"
#include "data/text/detail/pipeline/pre_tokenizers.h"
#include "data/text/detail/pipeline/settings.h"
#include "data/text/detail/pipeline/text_template.h"
#include "data/text/detail/pipeline/word_model.h"
#include "io/detail/bounded_json.h"
#include "io/detail/refusal.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace ddx::data {
namespace {

constexpr auto tokenizer_operation = "Tokenizer";
constexpr auto read_tokenizer_operation = "read_tokenizer";

using Ids = std::vector<std::int32_t>;

/// The ids of the texts where the template has them.
EncodedText filled(const std::vector<detail::TemplatePart>& parts, const std::array<Ids, 2>& texts,
                   bool adds_special_tokens) {
  EncodedText encoded;
  for (const auto& part : parts) {
    if (!part.text && !adds_special_tokens) {
      continue;
    }
    const auto& ids = part.text ? texts[static_cast<std::size_t>(*part.text)] : part.special;
    encoded.ids.insert(encoded.ids.end(), ids.begin(), ids.end());
    encoded.segments.resize(encoded.ids.size(), part.segment);
  }
  return encoded;
}

std::int64_t added_count(const std::vector<detail::TemplatePart>& parts, bool adds_special_tokens) {
  std::size_t count = 0;
  for (const auto& part : parts) {
    count += adds_special_tokens ? part.special.size() : 0;
  }
  return static_cast<std::int64_t>(count);
}

}  // namespace

struct Tokenizer::State {
  explicit State(const detail::Settings& file)
      : normalizer(file.find("normalizer") == nullptr
                       ? detail::Normalizer()
                       : detail::read_normalizer(file.object("normalizer"))),
        pre_tokenizer(file.find("pre_tokenizer") == nullptr
                          ? detail::PreTokenizer()
                          : detail::read_pre_tokenizer(file.object("pre_tokenizer"))),
        model(detail::read_word_model(file.object("model"))),
        added(file, *model.tokens, normalizer),
        text_template(file.find("post_processor") == nullptr
                          ? detail::TextTemplate()
                          : detail::read_text_template(file.object("post_processor"))),
        decoder(file.find("decoder") == nullptr ? detail::Decoder()
                                                : detail::read_decoder(file.object("decoder"))) {
    for (const auto* const parts : {&text_template.single, &text_template.pair}) {
      for (const auto& part : *parts) {
        for (const auto id : part.special) {
          if (find_token(id) == nullptr) {
            file.fail("post_processor",
                      "adds the id " + std::to_string(id) + ", which no token has");
          }
        }
      }
    }
  }

  /// The ids of a text alone.
  [[nodiscard]] Ids ids_of(std::string_view text) const {
    if (!is_utf8(text)) {
      return ids_of(valid_utf8(text));
    }
    Ids ids;
    std::size_t bytes_made = 0;
    const auto add_token = [&](std::int32_t id) { ids.push_back(id); };
    added.split(
        text,
        [&](std::string_view part, bool is_first) {
          std::string normalized(part);
          if (normalizer) {
            normalizer(normalized);
          }
          added.split_normalized(
              normalized,
              [&](std::string_view words, bool is_first_here) {
                bytes_made += append_words(words, is_first && is_first_here, ids);
                detail::check_growth(text.size(), bytes_made);
              },
              add_token);
        },
        add_token);
    return ids;
  }

  /// Appends the ids of a normalised text between added tokens. Returns how many bytes its words
  /// have.
  std::size_t append_words(std::string_view text, bool is_first, Ids& ids) const {
    detail::Pieces pieces{
        .text = std::string(text), .spans = {{0, text.size()}}, .begins_text = is_first};
    if (pre_tokenizer) {
      pre_tokenizer(pieces);
    }
    for (const auto& span : pieces.spans) {
      model.append_ids(pieces.piece(span), ids);
    }
    return pieces.text.size();
  }

  /// The token of an id; null where there is none.
  [[nodiscard]] const std::string* find_token(std::int32_t id) const {
    const auto* const of_added = added.tokens().token(id);
    return of_added != nullptr ? of_added : model.tokens->token(id);
  }

  [[nodiscard]] const std::string& token(std::int32_t id) const {
    const auto* const found = find_token(id);
    if (found == nullptr) {
      throw UsageError(tokenizer_operation, "id " + std::to_string(id) + " is none of its " +
                                                std::to_string(count) + " tokens");
    }
    return *found;
  }

  detail::Normalizer normalizer;
  detail::PreTokenizer pre_tokenizer;
  detail::WordModel model;
  detail::AddedTokens added;
  detail::TextTemplate text_template;
  detail::Decoder decoder;
  std::size_t count = model.tokens->size() + added.count_beside_model();
};

Tokenizer::Tokenizer(std::shared_ptr<const State> state) : state_(std::move(state)) {}

EncodedText Tokenizer::encode(std::string_view text, const TextEncodeOptions& options) const {
  return ddx::detail::with_memory_for(tokenizer_operation, [&] {
    const auto& parts = state_->text_template.single;
    auto ids = state_->ids_of(text);
    if (options.limit.max_length) {
      truncate_text(ids,
                    *options.limit.max_length - added_count(parts, options.adds_special_tokens));
    }
    return filled(parts, {std::move(ids), Ids()}, options.adds_special_tokens);
  });
}

EncodedText Tokenizer::encode(std::string_view first, std::string_view second,
                              const TextEncodeOptions& options) const {
  return ddx::detail::with_memory_for(tokenizer_operation, [&] {
    const auto& parts = state_->text_template.pair;
    std::array<Ids, 2> texts = {state_->ids_of(first), state_->ids_of(second)};
    if (options.limit.max_length) {
      truncate_pair(texts[0], texts[1],
                    *options.limit.max_length - added_count(parts, options.adds_special_tokens),
                    options.limit.truncation);
    }
    return filled(parts, texts, options.adds_special_tokens);
  });
}

std::string Tokenizer::decode(std::span<const std::int32_t> ids,
                              const TextDecodeOptions& options) const {
  return ddx::detail::with_memory_for(tokenizer_operation, [&] {
    std::vector<std::string> tokens;
    for (const auto id : ids) {
      const auto* const matched = state_->added.matched_text(id);
      const auto& token = matched != nullptr ? *matched : state_->token(id);
      if (!options.skips_special_tokens || !state_->added.is_special(id)) {
        tokens.push_back(token);
      }
    }
    if (state_->decoder) {
      state_->decoder(tokens);
    }
    std::string text;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      text += i > 0 && !state_->decoder ? " " : "";
      text += tokens[i];
    }
    return text;
  });
}

std::optional<std::int32_t> Tokenizer::id_of(std::string_view token) const {
  const auto of_added = state_->added.tokens().id(token);
  return of_added ? of_added : state_->model.tokens->id(token);
}

const std::string& Tokenizer::token_of(std::int32_t id) const {
  return state_->token(id);
}

std::int64_t Tokenizer::size() const noexcept {
  return static_cast<std::int64_t>(state_->count);
}

Tokenizer read_tokenizer(const std::filesystem::path& path,
                         const TokenizerReadOptions& options) try {
  std::error_code error;
  const auto file = std::filesystem::is_directory(path, error) ? path / "tokenizer.json" : path;
  const io::detail::Refusal refuse = [&](const std::string& facts) {
    throw EnvironmentError(read_tokenizer_operation, file.string() + ": " + facts);
  };
  if (file.extension() == ".gguf") {
    const auto root =
        detail::gguf_tokenizer(io::GgufView(file, {.max_bytes = options.max_bytes}), refuse);
    return Tokenizer(std::make_shared<const Tokenizer::State>(detail::Settings(root, "", refuse)));
  }
  const auto bytes = read_file(file, read_tokenizer_operation, options.max_bytes);
  const auto root = io::detail::parse_bounded_json(bytes,
                                                   {.max_bytes = options.max_bytes,
                                                    .option = "TokenizerReadOptions::max_bytes",
                                                    .has_unique_names = true},
                                                   refuse);
  return Tokenizer(std::make_shared<const Tokenizer::State>(detail::Settings(root, "", refuse)));
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory(read_tokenizer_operation);
}

}  // namespace ddx::data
