#include "ddx/data/text/bert_tokenizer.h"
#include "ddx/data/text/byte_pair_encoder.h"
#include "ddx/data/text/byte_pair_model.h"
#include "ddx/data/text/sentence_piece_model.h"
#include "ddx/data/text/sentence_piece_tokenizer.h"
#include "ddx/data/text/utf8.h"
#include "ddx/data/text/vocabulary_file.h"

#include "tests/fuzz_readers/harness.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

// Any bytes are a text that each tokenizer encodes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ddx::data;
  static const auto folder = std::filesystem::path(DDX_GOLDENS) / "text";
  static const BytePairEncoder byte_pairs(
      read_byte_pair_model(folder / "byte_pairs" / "vocab.json",
                           folder / "byte_pairs" / "merges.txt"),
      {.special_tokens = {"<|end|>"}});
  static const BertTokenizer bert(read_vocabulary_lines(folder / "bert" / "vocab.txt"));
  static const SentencePieceTokenizer pieces(
      read_sentence_piece_model(folder / "sentence_piece" / "nfkc.model"));
  static const SentencePieceTokenizer bytes(
      read_sentence_piece_model(folder / "sentence_piece" / "bytes.model"));

  const std::string text(reinterpret_cast<const char*>(data), size);
  ddx::testing::require(byte_pairs.decode(byte_pairs.encode(text)) == text, "the text comes back");
  ddx::testing::require(is_utf8(valid_utf8(text)), "replaced text is UTF-8");
  ddx::testing::require(is_utf8(bert.decode(bert.encode(text).ids)), "BERT's text is UTF-8");
  ddx::testing::require(is_utf8(pieces.decode(pieces.encode(text))), "the pieces are UTF-8");
  // This model changes nothing: UTF-8 is returned, except for U+2581, which is its space.
  if (is_utf8(text) && text.find("\xE2\x96\x81") == std::string::npos) {
    ddx::testing::require(bytes.decode(bytes.encode(text)) == text, "the bytes come back");
  }
  return 0;
}
