#include "ddx/data/text/sentence_piece_model.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/core/file.h"

#include "io/detail/wire_reader.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <string>

namespace ddx::data {
namespace {

using io::detail::WireField;
using io::detail::WireReader;

constexpr auto sentence_piece_model_operation = "read_sentence_piece_model";
constexpr std::uint64_t largest_file = std::uint64_t{1} << 30;

// The numbers of sentencepiece_model.proto.
struct ModelField {
  static constexpr std::uint64_t piece = 1;
  static constexpr std::uint64_t trainer = 2;
  static constexpr std::uint64_t normalizer = 3;
  static constexpr std::uint64_t denormalizer = 5;
};
struct PieceField {
  static constexpr std::uint64_t text = 1;
  static constexpr std::uint64_t score = 2;
  static constexpr std::uint64_t kind = 3;
};
struct TrainerField {
  static constexpr std::uint64_t model_type = 3;
  static constexpr std::uint64_t whitespace_as_suffix = 24;
  static constexpr std::uint64_t byte_fallback = 35;
  static constexpr std::uint64_t unknown_surface = 44;
};
struct NormalizerField {
  static constexpr std::uint64_t replacements = 2;
  static constexpr std::uint64_t add_dummy_prefix = 3;
  static constexpr std::uint64_t remove_extra_whitespaces = 4;
  static constexpr std::uint64_t escape_whitespaces = 5;
};
constexpr std::uint64_t unigram_type = 1;

SentencePiece read_piece(WireReader reader) {
  SentencePiece piece;
  while (const auto field = reader.next()) {
    if (field->number == PieceField::text) {
      piece.text = reader.text(*field);
    } else if (field->number == PieceField::score) {
      piece.score = reader.real(*field);
    } else if (field->number == PieceField::kind) {
      const auto kind = reader.number(*field);
      if (kind < static_cast<std::uint64_t>(SentencePieceKind::Normal) ||
          kind > static_cast<std::uint64_t>(SentencePieceKind::Byte)) {
        reader.fail(field->offset, "a piece is of kind " + std::to_string(kind));
      }
      piece.kind = static_cast<SentencePieceKind>(kind);
    }
  }
  return piece;
}

void read_trainer(WireReader reader, SentencePieceModel& model) {
  while (const auto field = reader.next()) {
    if (field->number == TrainerField::model_type) {
      const auto type = reader.number(*field);
      if (type != unigram_type) {
        reader.fail(field->offset,
                    "the model is of type " + std::to_string(type) + ", 1 (unigram) is supported");
      }
    } else if (field->number == TrainerField::whitespace_as_suffix) {
      model.normalization.whitespace_as_suffix = reader.number(*field) != 0;
    } else if (field->number == TrainerField::byte_fallback) {
      model.byte_fallback = reader.number(*field) != 0;
    } else if (field->number == TrainerField::unknown_surface) {
      model.unknown_surface = reader.text(*field);
    }
  }
}

void read_normalizer(WireReader reader, SentencePieceNormalization& normalization) {
  while (const auto field = reader.next()) {
    if (field->number == NormalizerField::replacements) {
      const auto text = reader.text(*field);
      normalization.replacements.assign(text.begin(), text.end());
    } else if (field->number == NormalizerField::add_dummy_prefix) {
      normalization.add_dummy_prefix = reader.number(*field) != 0;
    } else if (field->number == NormalizerField::remove_extra_whitespaces) {
      normalization.remove_extra_whitespaces = reader.number(*field) != 0;
    } else if (field->number == NormalizerField::escape_whitespaces) {
      normalization.escape_whitespaces = reader.number(*field) != 0;
    }
  }
}

}  // namespace

SentencePieceModel read_sentence_piece_model(const std::filesystem::path& file) try {
  const auto bytes = read_file(file, sentence_piece_model_operation, largest_file);
  WireReader reader(sentence_piece_model_operation, file.string(), bytes);
  SentencePieceModel model;
  while (const auto field = reader.next()) {
    if (field->number == ModelField::piece) {
      auto piece = read_piece(reader.message(*field));
      // Also keeps the list from growing beyond the file.
      if (piece.text.empty()) {
        reader.fail(field->offset, "piece " + std::to_string(model.pieces.size()) + " has no text");
      }
      model.pieces.push_back(std::move(piece));
    } else if (field->number == ModelField::trainer) {
      read_trainer(reader.message(*field), model);
    } else if (field->number == ModelField::normalizer) {
      read_normalizer(reader.message(*field), model.normalization);
    } else if (field->number == ModelField::denormalizer) {
      SentencePieceNormalization decoding;
      read_normalizer(reader.message(*field), decoding);
      if (!decoding.replacements.empty()) {
        reader.fail(field->offset, "the model has rules for decoding, which are not supported");
      }
    }
  }
  return model;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_sentence_piece_model");
}

}  // namespace ddx::data
