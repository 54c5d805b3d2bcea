/// \file
/// The tokenizers of the Hugging Face hub.

#pragma once

#include "ddx/data/text/encoded_text.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ddx::data {

/// Whether this library was built with PCRE2. Without it, a file that has a regular expression or
/// SentencePiece's table of replacements cannot be read.
[[nodiscard]] bool has_regular_expressions() noexcept;

/// How a text is encoded.
struct TextEncodeOptions {
  /// Whether the tokens are added that the file puts around a text, such as [CLS] or <s>.
  bool adds_special_tokens = true;
  LengthLimit limit = {};
};

/// How ids become a text.
struct TextDecodeOptions {
  bool skips_special_tokens = true;
};

/// How a tokenizer is read.
struct TokenizerReadOptions {
  /// The most bytes that the file may have, and that its values may take in memory.
  std::uint64_t max_bytes = std::uint64_t{1} << 30;
};

/// A tokenizer that a file `tokenizer.json` describes, as the library `tokenizers` writes it:
/// normalisation, the split into words, their ids, special tokens around texts, and decoding. A
/// value; copies share what was read. Any thread may use it.
///
/// Bytes of a text that are not UTF-8 become replacement characters first. Where the model has
/// neither a token for a character nor an unknown token, the character is dropped, as by
/// `tokenizers`.
///
/// Example:
///   const Tokenizer tokenizer = read_tokenizer("Qwen3-0.6B");
///   const EncodedText encoded = tokenizer.encode("Hello world");
///   const std::string text = tokenizer.decode(encoded.ids);
class Tokenizer {
 public:
  /// A text in the model's input format.
  ///
  /// Throws:  UsageError if the limit is below the number of added tokens. EnvironmentError if a
  ///          regular expression of the file takes more than 10,000,000 steps for one match, a step
  ///          makes the text more than 64 times as long, or a character needs an unknown token that
  ///          the file names and the model lacks.
  /// Cost:    about linear in the text, for the regular expressions of published tokenizers.
  [[nodiscard]] EncodedText encode(std::string_view text,
                                   const TextEncodeOptions& options = {}) const;

  /// A pair of texts in the model's input format.
  ///
  /// Throws:  as above, and as `truncate_pair`.
  [[nodiscard]] EncodedText encode(std::string_view first, std::string_view second,
                                   const TextEncodeOptions& options = {}) const;

  /// The text of these ids.
  ///
  /// Throws:  UsageError if an id has no token. EnvironmentError as `encode`.
  [[nodiscard]] std::string decode(std::span<const std::int32_t> ids,
                                   const TextDecodeOptions& options = {}) const;

  /// The id of a token; none if it is unknown.
  [[nodiscard]] std::optional<std::int32_t> id_of(std::string_view token) const;

  /// The token of an id, as the file spells it.
  ///
  /// Throws:  UsageError if there is none.
  [[nodiscard]] const std::string& token_of(std::int32_t id) const;

  /// The number of tokens. Ids may be larger where the file leaves some out.
  [[nodiscard]] std::int64_t size() const noexcept;

 private:
  struct State;
  explicit Tokenizer(std::shared_ptr<const State> state);
  friend Tokenizer read_tokenizer(const std::filesystem::path&, const TokenizerReadOptions&);

  std::shared_ptr<const State> state_;
};

/// Reads a tokenizer from a file, or from the `tokenizer.json` of a folder; or from the metadata of
/// a file `*.gguf`: the models "gpt2", with the words of Llama 3, Qwen 2, SmolLM, GPT-2, GPT-4o,
/// DeepSeek 3 and Mistral's Tekken, and "llama", the pairs of SentencePiece. As in
/// `tokenizer.json`, special tokens are found in texts.
///
/// Models: BPE, WordPiece, Unigram, WordLevel. Normalisers, pre-tokenizers, post-processors and
/// decoders: those of `tokenizers` 0.23 except for the pre-tokenizers CharDelimiterSplit,
/// FixedLength and UnicodeScripts, and the decoder CTC. The settings `truncation` and `padding` are
/// ignored: they are those of the last program that used the tokenizer; pass a limit to `encode`,
/// and pad with `padded_batch`.
///
/// Throws:  EnvironmentError where the file cannot be read, is no such JSON, asks for what is not
///          supported (a random dropout among it), needs PCRE2 and ddx was built without it, or
///          takes more memory than the limit. Names the file, the key and the value.
[[nodiscard]] Tokenizer read_tokenizer(const std::filesystem::path& path,
                                       const TokenizerReadOptions& options = {});

}  // namespace ddx::data
