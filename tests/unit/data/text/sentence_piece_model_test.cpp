#include "ddx/data/text/sentence_piece_model.h"

#include "ddx/core/error.h"

#include "tests/support/recording.h"
#include "tests/support/temporary_folder.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::data {
namespace sentence_piece_model_test {

using ddx::testing::bytes_of;
using ddx::testing::golden_file;
using ddx::testing::message_of;
using ddx::testing::recording;
using ddx::testing::TemporaryFolder;

using Bytes = std::vector<std::uint8_t>;

// Written down from the description of the wire format.
// model { piece { text "a", score -2.5 }, piece { text "?", kind 2 }, field 9 of 8 bytes,
//         trainer { model_type 1, byte_fallback 1, unknown_surface "??" },
//         normalizer { add_dummy_prefix 0, escape_whitespaces 0 } }
const Bytes small = {0x0A, 8,   0x0A, 1, 'a',  0x15, 0,    0,    0x20, 0xC0,  //
                     0x0A, 5,   0x0A, 1, '?',  0x18, 2,                       //
                     0x49, 1,   2,    3, 4,    5,    6,    7,    8,           //
                     0x12, 10,  0x18, 1, 0x98, 0x02, 1,    0xE2, 0x02, 2,
                     '?',  '?', 0x1A, 4, 0x18, 0,    0x28, 0};

/// The message without "read_sentence_piece_model: FILE".
std::string read_error(const TemporaryFolder& folder, const Bytes& bytes) {
  const auto file = folder.write("a", bytes);
  const auto message = message_of<EnvironmentError>([&] { (void)read_sentence_piece_model(file); });
  const auto start = "read_sentence_piece_model: " + file.string();
  return message.starts_with(start) ? message.substr(start.size()) : message;
}

TEST(SentencePieceModel, ReadsAModelWrittenByHand) {
  const TemporaryFolder folder;
  const auto model = read_sentence_piece_model(folder.write("a", small));
  EXPECT_EQ(model.pieces, (std::vector<SentencePiece>{{"a", -2.5F, SentencePieceKind::Normal},
                                                      {"?", 0, SentencePieceKind::Unknown}}));
  EXPECT_TRUE(model.byte_fallback);
  EXPECT_EQ(model.unknown_surface, "??");
  EXPECT_EQ(model.normalization,
            (SentencePieceNormalization{.add_dummy_prefix = false, .escape_whitespaces = false}));
  EXPECT_EQ(read_sentence_piece_model(folder.write("a", {})), SentencePieceModel());
}

TEST(SentencePieceModel, ReadsThePiecesThatWereRecorded) {
  const auto cases = recording("text/sentence_piece/cases.json");
  for (const std::string name : {"nfkc", "bytes", "suffix", "kept"}) {
    const auto model =
        read_sentence_piece_model(golden_file("text/sentence_piece/" + name + ".model"));
    std::size_t place = 0;
    for (const auto& row : cases[name + " pieces"]) {  // Every tenth.
      ASSERT_LT(place, model.pieces.size());
      EXPECT_EQ(model.pieces[place].text, row["text"].get<std::string>());
      EXPECT_EQ(model.pieces[place].score, row["score"].get<float>());
      place += 10;
    }
    EXPECT_LE(model.pieces.size(), place);
    EXPECT_EQ(model.byte_fallback, name == "bytes");
    EXPECT_EQ(model.normalization.whitespace_as_suffix, name == "suffix");
  }
}

TEST(SentencePieceModel, EveryTruncationIsReadOrRefused) {
  const TemporaryFolder folder;
  // Between two fields a message may end: these are the places where one of the model's does.
  const std::vector<std::size_t> ends = {0, 10, 17, 26, 38, 44};
  for (std::size_t length = 0; length <= small.size(); ++length) {
    const auto error = read_error(
        folder, Bytes(small.begin(), small.begin() + static_cast<std::ptrdiff_t>(length)));
    const bool is_whole = std::find(ends.begin(), ends.end(), length) != ends.end();
    EXPECT_EQ(error == "(no exception)", is_whole) << length << error;
    if (!is_whole) {
      EXPECT_TRUE(
          error.starts_with(", byte " + std::to_string(length) + ": the message ends inside a "))
          << error;
    }
  }
}

TEST(SentencePieceModel, EveryChangedByteIsReadOrRefused) {
  const TemporaryFolder folder;
  for (std::size_t place = 0; place < small.size(); ++place) {
    for (const int value : {0, 1, 2, 5, 10, 24, 26, 42, 127, 128, 255}) {
      auto bytes = small;
      bytes[place] = static_cast<std::uint8_t>(value);
      EXPECT_NE(read_error(folder, bytes), "(another exception)") << place << " " << value;
    }
  }
}

TEST(SentencePieceModel, WhatIsNoModelIsReportedAtItsByte) {
  struct Case {
    const char* why;
    Bytes bytes;
    std::string message;
  };
  const Case cases[] = {
      {"field 0", {0x02, 0}, ", byte 0: a field has number 0"},
      {"a group", {0x0B}, ", byte 0: a field has wire type 3"},
      {"a number that does not end", Bytes(11, 0xFF), ", byte 0: a number has more than 64 bits"},
      {"huge length",
       {0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01},
       ", byte 11: the message ends inside a field of 18446744073709551615 bytes"},
      {"piece as number", {0x08, 1}, ", byte 1: field 1 is not a message"},
      {"text as number", {0x0A, 2, 0x08, 1}, ", byte 3: field 1 is not a string"},
      {"score as number", {0x0A, 2, 0x10, 1}, ", byte 3: field 2 is not a float"},
      {"score of 8 bytes",
       {0x0A, 9, 0x11, 0, 0, 0, 0, 0, 0, 0, 0},
       ", byte 3: field 2 is not a float"},
      {"kind as text", {0x0A, 2, 0x1A, 0}, ", byte 4: field 3 is not a number"},
      {"kind 7", {0x0A, 2, 0x18, 7}, ", byte 3: a piece is of kind 7"},
      {"kind 0", {0x0A, 2, 0x18, 0}, ", byte 3: a piece is of kind 0"},
      {"no text", {0x0A, 2, 0x0A, 0}, ", byte 2: piece 0 has no text"},
      {"byte pairs",
       {0x12, 2, 0x18, 2},
       ", byte 3: the model is of type 2, 1 (unigram) is supported"},
      {"rules for decoding",
       {0x2A, 3, 0x12, 1, 0},
       ", byte 2: the model has rules for decoding, which are not supported"},
      {"a length beyond the message",
       {0x0A, 2, 0x0A, 3, 'a', 'b', 'c'},
       ", byte 4: the message ends inside a field of 3 bytes"},
  };
  const TemporaryFolder folder;
  for (const auto& c : cases) {
    EXPECT_EQ(read_error(folder, c.bytes), c.message) << c.why;
  }
}

}  // namespace sentence_piece_model_test
}  // namespace ddx::data
