/// \file
/// Models of SentencePiece: pieces with scores, and the normalisation of texts.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ddx::data {

/// The kind of a piece. The numbers are those of the format.
enum class SentencePieceKind : std::uint8_t {
  Normal = 1,
  Unknown = 2,      ///< For text that no other piece covers; each model has one.
  Control = 3,      ///< Like <s>: no text.
  UserDefined = 4,  ///< Always used if the text has it.
  Unused = 5,       ///< Never used.
  Byte = 6,         ///< <0x00> to <0xFF>: one byte of what no other piece covers.
};

/// A piece of text, in which U+2581 represents a space.
struct SentencePiece {
  std::string text;
  float score = 0;  ///< The logarithm of its probability.
  SentencePieceKind kind = SentencePieceKind::Normal;

  friend bool operator==(const SentencePiece&, const SentencePiece&) = default;
};

/// The normalisation of a text before it is split.
struct SentencePieceNormalization {
  /// Which texts are replaced by which: the number of bytes of a double-array trie, the trie, and
  /// the replacements, each ended by a zero byte. Empty: none.
  std::vector<std::uint8_t> replacements = {};
  bool add_dummy_prefix = true;          ///< Puts a space before the text.
  bool remove_extra_whitespaces = true;  ///< At both ends, and all but one of several.
  bool escape_whitespaces = true;        ///< Writes a space as U+2581.
  bool whitespace_as_suffix = false;     ///< The dummy space goes behind the text.

  friend bool operator==(const SentencePieceNormalization&,
                         const SentencePieceNormalization&) = default;
};

/// A unigram model of SentencePiece. The id of a piece is its place in the list.
struct SentencePieceModel {
  std::vector<SentencePiece> pieces;
  SentencePieceNormalization normalization = {};
  /// Spells what no piece covers in bytes, instead of calling it unknown.
  bool byte_fallback = false;
  /// What an unknown piece becomes when it is decoded.
  std::string unknown_surface = " \u2047 ";

  friend bool operator==(const SentencePieceModel&, const SentencePieceModel&) = default;
};

/// Reads a model that SentencePiece wrote, of type unigram.
///
/// Throws:  EnvironmentError if the file cannot be read, is not a model, or is one of another type
///          or with rules for decoding. Names the file and the byte or the piece.
/// Source:  Google, sentencepiece_model.proto (https://github.com/google/sentencepiece); Protocol
///          Buffers, "Encoding" (https://protobuf.dev/programming-guides/encoding/).
[[nodiscard]] SentencePieceModel read_sentence_piece_model(const std::filesystem::path& file);

}  // namespace ddx::data
