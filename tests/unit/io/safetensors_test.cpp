#include "ddx/io/safetensors.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/io/npy.h"
#include "ddx/io/tensor_conversion.h"

#include "tests/support/temporary_folder.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace ddx::io {
namespace safetensors_test {

using ddx::testing::bytes_of;
using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;

using Bytes = std::vector<std::uint8_t>;

/// A file of this header and that many bytes of data, 1, 2, 3, ...
Bytes encoded(const std::string& header, std::size_t data) {
  Bytes bytes(8);
  for (std::size_t i = 0; i < 8; ++i) {
    bytes[i] = static_cast<std::uint8_t>(header.size() >> (8 * i));
  }
  bytes.insert(bytes.end(), header.begin(), header.end());
  for (std::size_t i = 0; i < data; ++i) {
    bytes.push_back(static_cast<std::uint8_t>(i + 1));
  }
  return bytes;
}

const std::string two_arrays =
    R"({"__metadata__":{"made":"by hand"},"w":{"dtype":"U8","shape":[2,2],"data_offsets":[2,6]},)"
    R"("b":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})";

/// The message without "read_safetensors: FILE: ".
std::string read_error(const TemporaryFolder& folder, const Bytes& bytes) {
  const auto file = folder.write("a", bytes);
  const auto message = message_of<EnvironmentError>([&] { (void)read_safetensors(file); });
  const std::string start = "read_safetensors: " + file.string() + ": ";
  return message.starts_with(start) ? message.substr(start.size()) : message;
}

TEST(Safetensors, ReadsAFileWrittenByHand) {
  const TemporaryFolder folder;
  const auto content = read_safetensors(folder.write("a", encoded(two_arrays + "  ", 6)));
  EXPECT_EQ(content.metadata.at("made"), "by hand");
  ASSERT_EQ(content.tensors.size(), 2U);
  EXPECT_EQ(content.tensors.at("b"), (StoredTensor{DType::u8, Shape{2}, {1, 2}}));
  EXPECT_EQ(content.tensors.at("w"), (StoredTensor{DType::u8, Shape{2, 2}, {3, 4, 5, 6}}));
}

TEST(Safetensors, WritesTheBytesOfTheFormat) {
  const TemporaryFolder folder;
  TensorFile content;
  content.tensors["x"] = {DType::f32, Shape{1}, {0, 0, 128, 63}};
  write_safetensors(folder.path() / "a", content);
  const std::string header = R"({"x":{"data_offsets":[0,4],"dtype":"F32","shape":[1]}})";
  auto expected = encoded(header + std::string((8 - header.size() % 8) % 8, ' '), 0);
  expected.insert(expected.end(), {0, 0, 128, 63});
  EXPECT_EQ(bytes_of(folder.path() / "a"), expected);
}

TEST(Safetensors, EveryDTypeComesBack) {
  const TemporaryFolder folder;
  TensorFile content;
  for (const auto& row : dtype_table) {
    if (row.dtype == DType::c128) {
      continue;  // The format has none.
    }
    content.tensors["array of " + std::string(row.text)] = {row.dtype, Shape{2, 0, 3}, {}};
    content.tensors[std::string(row.text)] = {row.dtype, Shape{3, 1}, Bytes(3 * row.bytes, 1)};
    content.tensors["scalar " + std::string(row.text)] = {row.dtype, {}, Bytes(row.bytes, 1)};
  }
  content.metadata["a \"name\"\n"] = "\\";
  write_safetensors(folder.path() / "a", content);
  EXPECT_EQ(read_safetensors(folder.path() / "a"), content);
}

TEST(Safetensors, NamesADTypeThatTheFormatHasNot) {
  const TemporaryFolder folder;
  TensorFile content;
  content.tensors["x"] = {DType::c128, Shape{1}, Bytes(16, 0)};
  EXPECT_EQ(message_of<UsageError>([&] { write_safetensors(folder.path() / "a", content); }),
            "write_safetensors: x: the format has no element type for c128");
}

const Bytes recorded = {
#include "tests/goldens/dtypes_safetensors.inc"
};

TEST(Safetensors, ReadsEveryDTypeAsRecorded) {
  const TemporaryFolder folder;
  const auto content = read_safetensors(folder.write("a", recorded));
  ASSERT_EQ(content.tensors.size(), dtype_count - 2);
  for (const auto& row : dtype_table) {
    if (row.kind == DTypeKind::Complex) {
      continue;
    }
    const StoredTensor& array = content.tensors.at(std::string(row.text));
    EXPECT_EQ(array.dtype, row.dtype) << row.text;
    EXPECT_EQ(array.shape, (Shape{2, 2})) << row.text;
    visit(row.dtype, [&](auto zero) {
      using T = decltype(zero);
      const std::array<T, 4> numbers = {T(0), T(1), T(2), T(100)};
      ASSERT_EQ(array.bytes.size(), sizeof numbers) << row.text;
      EXPECT_EQ(std::memcmp(array.bytes.data(), numbers.data(), sizeof numbers), 0) << row.text;
    });
  }
}

TEST(Safetensors, EveryTruncationIsAnError) {
  const TemporaryFolder folder;
  const auto whole = encoded(two_arrays, 6);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto error = read_error(
        folder, Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)));
    EXPECT_NE(error, "(no exception)") << length;
    EXPECT_NE(error, "(another exception)") << length;
    if (length < 8 + two_arrays.size()) {
      EXPECT_EQ(error.find("ends at byte " + std::to_string(length) + ", inside "), 0U) << error;
    }
  }
  EXPECT_EQ(read_error(folder, whole), "(no exception)");
}

TEST(Safetensors, EveryChangedByteOfTheHeaderIsReadOrRefused) {
  const TemporaryFolder folder;
  const auto whole = encoded(two_arrays, 6);
  for (std::size_t place = 0; place < 8 + two_arrays.size(); ++place) {
    for (const int flip : {1, 2, 4, 128}) {
      auto bytes = whole;
      bytes[place] = static_cast<std::uint8_t>(bytes[place] ^ flip);
      EXPECT_NE(read_error(folder, bytes), "(another exception)") << place << " " << flip;
    }
  }
}

TEST(Safetensors, AHeaderThatBreaksTheFormatIsRefused) {
  struct Case {
    const char* why;
    std::string header;
    std::size_t data;
    std::string message;
  };
  const auto entry = [](const std::string& dtype, const std::string& shape,
                        const std::string& offsets) {
    return R"({"x":{"dtype":)" + dtype + R"(,"shape":)" + shape + R"(,"data_offsets":)" + offsets +
           "}}";
  };
  const std::string four = R"({"dtype":"U8","shape":[4],"data_offsets":[0,4]})";
  const Case cases[] = {
      {"empty", "", 0, "byte 8: the header does not begin with '{'"},
      {"leading space", " {}", 0, "byte 8: the header does not begin with '{'"},
      {"broken", R"({"x":})", 0, "byte 13: the header is not JSON"},
      {"a number too large", R"({"x":1e999})", 0, "the header holds a number that is too large"},
      {"text behind", "{} x", 0, "byte 11: the header is not JSON"},
      {"twice", R"({"x":)" + four + R"(,"x":)" + four + "}", 4, R"(array "x": named twice)"},
      {"field twice", R"({"x":{"dtype":"U8","dtype":"U8","shape":[4],"data_offsets":[0,4]}})", 4,
       R"(array "dtype": named twice)"},
      {"no object", R"({"x":3})", 0, R"(array "x": its entry is not {dtype, shape, data_offsets})"},
      {"a fourth field", R"({"x":{"dtype":"U8","shape":[4],"data_offsets":[0,4],"y":1}})", 4,
       R"(array "x": its entry is not {dtype, shape, data_offsets})"},
      {"dtype number", entry("8", "[4]", "[0,4]"), 4, R"(array "x": its dtype is not a string)"},
      {"negative", entry(R"("U8")", "[-4]", "[0,4]"), 4,
       R"(array "x": its shape is not a list of integers)"},
      {"fraction", entry(R"("U8")", "[4.0]", "[0,4]"), 4,
       R"(array "x": its shape is not a list of integers)"},
      {"one offset", entry(R"("U8")", "[4]", "[4]"), 4,
       R"(array "x": data_offsets [4] do not lie in the 4 bytes of data)"},
      {"backwards", entry(R"("U8")", "[4]", "[4,0]"), 4,
       R"(array "x": data_offsets [4,0] do not lie in the 4 bytes of data)"},
      {"past the end", entry(R"("U8")", "[5]", "[0,5]"), 4,
       R"(array "x": data_offsets [0,5] do not lie in the 4 bytes of data)"},
      {"too few bytes", entry(R"("I32")", "[2]", "[0,4]"), 4,
       R"(array "x": dtype I32 and shape [2] do not take the 4 bytes of data_offsets)"},
      {"overflow", entry(R"("U8")", "[4294967296,4294967296]", "[0,0]"), 0,
       R"(array "x": dtype U8 and shape [4294967296,4294967296] do not take the 0 bytes of )"
       R"(data_offsets)"},
      {"overflow beside 0", entry(R"("U8")", "[4294967296,4294967296,0]", "[0,0]"), 0,
       R"(array "x": an extent of 4294967296 is too large)"},
      {"rank", entry(R"("U8")", "[1,1,1,1,1,1,1,1,1]", "[0,1]"), 1,
       R"(array "x": rank 9, at most 8 is supported)"},
      {"text behind a zero byte", std::string("{}\0 x", 5), 0, "byte 10: the header is not JSON"},
      {"nested", R"({"x":[)" + std::string(100'000, '['), 0,
       R"(array "x": its entry is not {dtype, shape, data_offsets})"},
      {"nested in the shape", entry(R"("U8")", "[" + std::string(100'000, '['), "[0,1]"), 1,
       R"(array "x": its shape is not a list of integers)"},
      {"nested in the metadata", R"({"__metadata__":{"a":{"b":{}}}})", 0,
       "__metadata__ holds a value that is not a string"},
      {"metadata twice", R"({"__metadata__":{},"__metadata__":{}})", 0,
       R"(array "__metadata__": named twice)"},
      {"neither true nor false", entry(R"("BOOL")", "[2]", "[0,2]"), 2,
       R"(array "x": a BOOL is neither 0 nor 1)"},
      {"gap", entry(R"("U8")", "[2]", "[2,4]"), 4,
       R"(array "x": begins at byte 2 of the data, the array before it ends at byte 0)"},
      {"overlap", R"({"x":)" + four + R"(,"y":)" + four + "}", 4,
       R"(array "y": begins at byte 0 of the data, the array before it ends at byte 4)"},
      {"bytes behind", entry(R"("U8")", "[2]", "[0,2]"), 4,
       "the arrays end at byte 2 of the data, the file has 4"},
      {"metadata list", R"({"__metadata__":[]})", 0, "__metadata__ is not an object"},
      {"metadata number", R"({"__metadata__":{"a":1}})", 0,
       "__metadata__ holds a value that is not a string"},
  };
  const TemporaryFolder folder;
  for (const auto& c : cases) {
    EXPECT_EQ(read_error(folder, encoded(c.header, c.data)), c.message) << c.why;
  }
}

// Beside an extent of 0, where the bytes do not bound the others.
TEST(Safetensors, AnExtentBeyondThoseOfAShapeIsRefused) {
  const TemporaryFolder folder;
  EXPECT_EQ(
      read_error(
          folder,
          encoded(R"({"x":{"dtype":"U8","shape":[576460752303423488,0],"data_offsets":[0,0]}})",
                  0)),
      R"(array "x": an extent of 576460752303423488 is too large)");
}

TEST(Safetensors, AHugeHeaderIsRefusedBeforeItIsRead) {
  const TemporaryFolder folder;
  auto bytes = encoded("{}", 0);
  bytes[7] = 1;
  EXPECT_EQ(read_error(folder, bytes),
            "a header of 72057594037927938 bytes, at most 100000000 are accepted; "
            "SafetensorsReadOptions::max_header_bytes is the limit");
  const auto file = folder.write("a", encoded(two_arrays, 6));
  const auto limit = two_arrays.size();
  EXPECT_EQ(read_safetensors(file, {.max_header_bytes = limit}).tensors.size(), 2U);
  EXPECT_TRUE(message_of<EnvironmentError>([&] {
                (void)read_safetensors(file, {.max_header_bytes = limit - 1});
              }).ends_with("SafetensorsReadOptions::max_header_bytes is the limit"));
}

TEST(Safetensors, WhatDoesNotFitIsNotWritten) {
  const TemporaryFolder folder;
  TensorFile content;
  content.tensors["x"] = {DType::f32, Shape{2}, Bytes(7)};
  const auto error = [&] {
    return message_of<UsageError>([&] { write_safetensors(folder.path() / "a", content); });
  };
  EXPECT_EQ(error(),
            "write_safetensors: array \"x\" of dtype f32 and shape [2] takes 8 bytes, it has 7");
  content.tensors = {{"__metadata__", {DType::u8, Shape{1}, Bytes(1)}}};
  EXPECT_EQ(error(), "write_safetensors: no array may be named \"__metadata__\"");
  EXPECT_EQ(folder.entry_count(), 0);
}

// The file has no blocks on the disk; its arrays would take 4 TiB each.
TEST(Safetensors, NoMemoryIsTakenBeforeTheHeaderIsChecked) {
  const TemporaryFolder folder;
  const std::string array =
      R"({"dtype":"U8","shape":[4398046511104],"data_offsets":[0,4398046511104]})";
  const std::string header = R"({"x":)" + array + R"(,"y":)" + array + "}";
  const auto file = folder.write("a", encoded(header, 0));
  std::error_code error;
  std::filesystem::resize_file(file, 8 + header.size() + 4398046511104, error);
  if (error) {
    GTEST_SKIP() << "no files with holes here: " << error.message();
  }
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)read_safetensors(file); }),
            "read_safetensors: " + file.string() +
                ": array \"y\": begins at byte 0 of the data, the array before it ends at byte "
                "4398046511104");
}

TEST(Safetensors, AnArrayOfAnotherDTypeIsRefusedOnlyWhereItIsUsed) {
  const TemporaryFolder folder;
  const auto file =
      folder.write("a", encoded(R"({"b":{"dtype":"U8","shape":[2],"data_offsets":[3,5]},)"
                                R"("x":{"dtype":"F8_E4M3","shape":[3],"data_offsets":[0,3]}})",
                                5));
  const auto content = read_safetensors(file);
  EXPECT_EQ(content.tensors.at("b"), (StoredTensor{DType::u8, Shape{2}, {4, 5}}));
  const auto& x = content.tensors.at("x");
  const std::string facts =
      "array \"x\" of " + file.string() + ": dtype \"F8_E4M3\" is not supported";
  EXPECT_EQ(x.obstacle, facts);
  EXPECT_TRUE(x.bytes.empty());
  EXPECT_EQ(message_of<UsageError>([&] { (void)to_tensor<float>(x); }).find("to_tensor: " + facts),
            0U);
  EXPECT_EQ(message_of<UsageError>([&] { write_safetensors(folder.path() / "b", content); }),
            "write_safetensors: " + facts);
  EXPECT_EQ(message_of<UsageError>([&] { write_npy(folder.path() / "b", x); }),
            "write_npy: " + facts);
}

TensorFile with_remark() {
  TensorFile content;
  content.tensors["w"] = {DType::u8, Shape{2, 3}, {1, 2, 3, 4, 5, 6}};
  content.tensors["b"] = {DType::boolean, Shape{2}, {0, 1}};
  content.metadata["made"] = "by hand";
  return content;
}

// The sum by hand: Python's zlib.crc32 of
//   n("made") n("by hand")  n("b") n("BOOL") (1) (2) 00 01  n("w") n("U8") (2) (2) (3) 01 ... 06
// where (i) is i in 8 bytes, lowest first, and n(text) its length (i) and the text.
TEST(Safetensors, TheChecksumIsThatOfTheContent) {
  const TemporaryFolder folder;
  write_safetensors(folder.path() / "a", with_remark(), {.checksum = true});
  const auto bytes = bytes_of(folder.path() / "a");
  const std::string text(bytes.begin(), bytes.end());
  EXPECT_NE(text.find(R"("ddx.crc32":"5dcf4a2f")"), std::string::npos) << text;
  EXPECT_EQ(read_safetensors(folder.path() / "a"), with_remark());
}

TEST(Safetensors, EveryChangedByteOfAFileWithAChecksumIsNoticed) {
  const TemporaryFolder folder;
  write_safetensors(folder.path() / "a", with_remark(), {.checksum = true});
  const auto whole = bytes_of(folder.path() / "a");
  for (std::size_t place = 0; place < whole.size(); ++place) {
    for (const int flip : {1, 32, 128}) {
      auto bytes = whole;
      bytes[place] = static_cast<std::uint8_t>(bytes[place] ^ flip);
      const auto error = read_error(folder, bytes);
      EXPECT_NE(error, "(no exception)") << place << " " << flip;
      EXPECT_NE(error, "(another exception)") << place << " " << flip;
    }
  }
}

TEST(Safetensors, AChecksumIsComparedAsChosen) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a";
  const auto error = [&](ChecksumUse use) {
    const auto message =
        message_of<EnvironmentError>([&] { (void)read_safetensors(file, {.checksum = use}); });
    const std::string start = "read_safetensors: " + file.string() + ": ";
    return message.starts_with(start) ? message.substr(start.size()) : message;
  };
  write_safetensors(file, with_remark());
  EXPECT_EQ(error(ChecksumUse::IfPresent), "(no exception)");
  EXPECT_EQ(error(ChecksumUse::Required), "has no checksum");
  write_safetensors(file, with_remark(), {.checksum = true});
  EXPECT_EQ(error(ChecksumUse::Required), "(no exception)");
  auto bytes = bytes_of(file);
  bytes.back() = 7;
  (void)folder.write("a", bytes);
  EXPECT_TRUE(error(ChecksumUse::IfPresent).starts_with("is damaged, or was changed by a program"));
  EXPECT_EQ(read_safetensors(file, {.checksum = ChecksumUse::Ignored}).tensors.at("w").bytes.back(),
            7);
  auto content = with_remark();
  content.metadata["ddx.crc32"] = "x";
  EXPECT_EQ(message_of<UsageError>([&] { write_safetensors(file, content); }),
            "write_safetensors: the remark \"ddx.crc32\" is that of the checksum");
}

}  // namespace safetensors_test
}  // namespace ddx::io
