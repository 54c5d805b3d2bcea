#include "ddx/io/onnx_file.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/io/stored_tensor.h"

#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <vector>

namespace ddx::io {
namespace onnx_file_test {

using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;

/// What the package onnx wrote (tests/goldens/make_onnx_files.py).
std::filesystem::path recorded() {
  return std::filesystem::path(DDX_GOLDENS) / "onnx" / "values.onnx";
}

/// A field of bytes in the wire format of Protocol Buffers, of less than 128 of them.
std::string field(int number, const std::string& bytes) {
  return std::string(1, static_cast<char>(number << 3 | 2)) + static_cast<char>(bytes.size()) +
         bytes;
}

/// A field of one number below 128.
std::string field(int number, int value) {
  return std::string(1, static_cast<char>(number << 3)) + static_cast<char>(value);
}

/// A model of these initialisers.
std::string model_of(const std::string& first, const std::string& second = "") {
  return field(7, field(5, first) + (second.empty() ? "" : field(5, second)));
}

std::vector<std::uint8_t> bytes_of(const std::string& text) {
  return {text.begin(), text.end()};
}

/// The message for a file, without its beginning.
std::string error_of(const std::string& content) {
  const TemporaryFolder folder;
  const auto file = folder.write("a.onnx", bytes_of(content));
  const auto message = message_of<EnvironmentError>([&] { (void)read_onnx(file); });
  const std::string start = "read_onnx: " + file.string();
  return message.starts_with(start) ? message.substr(start.size()) : message;
}

const std::string name_and_f32 = field(8, "w") + field(2, 1);

TEST(OnnxFile, EveryDTypeIsReadFromRawBytesAndFromItsList) {
  const auto arrays = read_onnx(recorded());
  for (const auto& row : dtype_table) {
    visit(row.dtype, [&](auto zero) {
      using T = decltype(zero);
      std::vector<std::uint8_t> bytes(6 * sizeof(T));
      for (int i = 0; i < 6; ++i) {
        const T number = row.dtype == DType::boolean ? static_cast<T>(i % 3 == 0)
                                                     : static_cast<T>(static_cast<float>(i));
        std::memcpy(bytes.data() + static_cast<std::size_t>(i) * sizeof(T), &number, sizeof(T));
      }
      const StoredTensor expected{row.dtype, Shape{2, 3}, bytes};
      EXPECT_EQ(arrays.at("raw_" + std::string(row.text)), expected) << row.text;
      EXPECT_EQ(arrays.at("list_" + std::string(row.text)), expected) << row.text;
    });
  }
  const std::vector<std::uint8_t> two_and_a_half{0, 0, 0x20, 0x40};
  EXPECT_EQ(arrays.at("scalar"), (StoredTensor{DType::f32, {}, two_and_a_half}));
  EXPECT_EQ(arrays.at("empty"), (StoredTensor{DType::f32, Shape{0, 3}, {}}));
  EXPECT_EQ(arrays.at("negative_i8"), (StoredTensor{DType::i8, Shape{2}, {255, 128}}));
  std::vector<std::uint8_t> lowest(16, 255);
  std::fill(lowest.begin() + 8, lowest.end() - 1, 0);
  lowest.back() = 128;
  EXPECT_EQ(arrays.at("negative_i64"), (StoredTensor{DType::i64, Shape{2}, lowest}));
}

TEST(OnnxFile, WhatIsNotSupportedBlocksOneArrayAlone) {
  const auto arrays = read_onnx(recorded());
  const auto obstacle = [&](const std::string& name) {
    const std::string start = "array \"" + name + "\" of " + recorded().string() + ": ";
    const auto& text = arrays.at(name).obstacle;
    return text.starts_with(start) ? text.substr(start.size()) : text;
  };
  EXPECT_EQ(obstacle("texts"), "its dtype is number 8 of ONNX, which is not supported");
  EXPECT_EQ(obstacle("small"), "its dtype is number 17 of ONNX, which is not supported");
  EXPECT_EQ(obstacle("elsewhere"), "its elements lie in another file, which is not supported");
  EXPECT_EQ(obstacle("segment"), "is a segment of a larger array, which is not supported");
  EXPECT_EQ(obstacle("sparse"), "is sparse, which is not supported");
  EXPECT_EQ(arrays.size(), 2 * dtype_count + 9);
}

// Lists may be packed or not: here are two floats as fields of their own.
TEST(OnnxFile, NumbersNeedNotBePacked) {
  const TemporaryFolder folder;
  const std::string one("\x25\0\0\x80\x3f", 5);
  const std::string two("\x25\0\0\0\x40", 5);
  const auto file = folder.write(
      "a.onnx", bytes_of(model_of(name_and_f32 + field(1, 2) + one + two + field(1, 1))));
  EXPECT_EQ(read_onnx(file).at("w"),
            (StoredTensor{DType::f32, Shape{2, 1}, {0, 0, 0x80, 0x3f, 0, 0, 0, 0x40}}));
}

TEST(OnnxFile, AGraphMayHaveNoWeights) {
  const TemporaryFolder folder;
  EXPECT_TRUE(read_onnx(folder.write("a.onnx", bytes_of(field(7, "")))).empty());
}

// The name of the first array is at byte 6, its dtype at 8, an extent at 10, elements at 13.
TEST(OnnxFile, DamageIsAnErrorThatNamesThePlace) {
  EXPECT_EQ(error_of(""), ": has no graph, so it is no ONNX model");
  EXPECT_EQ(error_of("no model"), ", byte 0: a field has wire type 6");
  EXPECT_EQ(error_of(field(7, 3)), ", byte 1: field 7 is not a message");
  EXPECT_EQ(error_of(model_of(field(2, 1))), ", byte 5: an array ends without a name");
  EXPECT_EQ(error_of(model_of(field(8, "w"))), ", byte 6: array \"w\": has no dtype");
  EXPECT_EQ(error_of(model_of(name_and_f32, name_and_f32)),
            ", byte 8: array \"w\": an array of shape [] and elements of 4 bytes takes 4 bytes, "
            "there are 0");
  const std::string empty = name_and_f32 + field(1, 0);
  EXPECT_EQ(error_of(model_of(empty, empty)), ", byte 13: array \"w\" stands twice");
  EXPECT_EQ(error_of(model_of(empty + field(9, "four"))),
            ", byte 13: array \"w\": an array of shape [0] and elements of 4 bytes takes 0 bytes, "
            "there are 4");
  EXPECT_EQ(error_of(model_of(empty + field(7, "\x01"))),
            ", byte 13: array \"w\": its elements are in int64_data, those of f32 are in "
            "float_data");
  EXPECT_EQ(error_of(model_of(empty + field(4, "four") + field(7, "\x01"))),
            ", byte 19: an array has elements in float_data and int64_data");
  EXPECT_EQ(error_of(model_of(empty + field(4, "four") + field(9, "four"))),
            ", byte 19: array \"w\": has elements in raw_data and float_data");
  EXPECT_EQ(error_of(model_of(empty + field(4, "six666"))),
            ", byte 19: the message ends inside a number of 4 bytes");
  EXPECT_EQ(error_of(model_of(empty + field(4, 1))),
            ", byte 12: field 4 has no numbers of 4 bytes");
  EXPECT_EQ(error_of(model_of(field(8, "w") + field(2, 9) + field(1, 1) + field(5, "\x02"))),
            ", byte 13: array \"w\": a truth value is neither 0 nor 1");
  EXPECT_EQ(error_of(model_of(field(8, "w") + field(2, 3) + field(1, 1) + field(5, "\x80\x01"))),
            ", byte 13: array \"w\": number 128 is none of i8");
  EXPECT_EQ(error_of(model_of(field(8, "w") + field(2, 2) + field(1, 1) + field(5, "\x80\x02"))),
            ", byte 13: array \"w\": number 256 is none of u8");
  // An extent of -1.
  const std::string minus_one = std::string("\x08") + std::string(9, '\xff') + "\x01";
  EXPECT_EQ(error_of(model_of(name_and_f32 + minus_one)),
            ", byte 10: array \"w\": shape [18446744073709551615] is too large");
}

TEST(OnnxFile, EveryTruncationIsReadOrRefused) {
  const TemporaryFolder folder;
  const std::string first =
      field(8, "a") + field(2, 1) + field(1, "\x01\x02") + field(4, "12345678");
  const std::string second = field(8, "b") + field(2, 7) + field(1, 1) + field(7, "\x85\x02");
  const auto bytes = bytes_of(field(1, 8) + model_of(first, second) + field(2, "test"));
  const std::size_t end_of_graph = bytes.size() - 6;
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    const auto file = folder.write("a.onnx", std::span(bytes).first(size));
    const auto message =
        message_of<EnvironmentError>([&] { EXPECT_EQ(read_onnx(file).size(), 2U); });
    const bool is_whole = size == end_of_graph || size == bytes.size();
    EXPECT_TRUE(message.starts_with(is_whole ? "(no exception)" : "read_onnx: ")) << message;
  }
}

}  // namespace onnx_file_test
}  // namespace ddx::io
