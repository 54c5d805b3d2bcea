#include "ddx/io/safetensors_view.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/io/safetensors.h"
#include "ddx/io/stored_conversion.h"
#include "ddx/io/stored_view.h"

#include "tests/support/temporary_folder.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::io {
namespace safetensors_view_test {

using ddx::testing::bytes_of;
using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;

using Bytes = std::vector<std::uint8_t>;

TensorFile two_arrays() {
  TensorFile content;
  content.tensors["w"] = {DType::u8, Shape{2, 3}, {1, 2, 3, 4, 5, 6}};
  content.tensors["b"] = {DType::boolean, Shape{2}, {0, 1}};
  content.metadata["made"] = "by hand";
  return content;
}

TEST(SafetensorsView, GivesWhatTheReaderOfWholeFilesGives) {
  const TemporaryFolder folder;
  auto content = two_arrays();
  content.tensors["none"] = {DType::f64, Shape{2, 0}, {}};
  content.tensors["scalar"] = {DType::u8, Shape{}, {9}};
  write_safetensors(folder.path() / "a", content, {.checksum = true});
  const SafetensorsView file(folder.path() / "a");
  EXPECT_EQ(file.metadata(), content.metadata);
  ASSERT_EQ(file.arrays().size(), content.tensors.size());
  for (const auto& [name, array] : content.tensors) {
    EXPECT_EQ(copy_of(file.arrays().at(name)), array) << name;
    EXPECT_EQ(file.read(name), array) << name;
  }
}

// Opening reads the header alone: the arrays take 1 TiB, in a file without blocks on the disk.
TEST(SafetensorsView, ReadsNoArrayThatIsNotUsed) {
  const TemporaryFolder folder;
  const std::string header =
      R"({"a":{"dtype":"U8","shape":[1099511627776],"data_offsets":[0,1099511627776]},)"
      R"("b":{"dtype":"U8","shape":[2],"data_offsets":[1099511627776,1099511627778]}})";
  Bytes bytes(8);
  bytes[0] = static_cast<std::uint8_t>(header.size());
  bytes.insert(bytes.end(), header.begin(), header.end());
  const auto path = folder.write("a", bytes);
  std::error_code error;
  std::filesystem::resize_file(path, bytes.size() + 1099511627778, error);
  if (error) {
    GTEST_SKIP() << "no files with holes here: " << error.message();
  }
  const SafetensorsView file(path);
  EXPECT_EQ(file.read("b"), (StoredTensor{DType::u8, Shape{2}, {0, 0}}));
  EXPECT_EQ(file.arrays().at("a").bytes.size(), 1099511627776U);
  EXPECT_EQ(file.arrays().at("a").bytes[1 << 30], 0U);
}

TEST(SafetensorsView, CopiesShareTheFileAndOutliveIt) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a";
  write_safetensors(path, two_arrays());
  std::optional<SafetensorsView> first(path);
  const SafetensorsView second = *first;
  EXPECT_EQ(first->arrays().at("w").bytes.data(), second.arrays().at("w").bytes.data());
  first.reset();
  // Atomic writes replace the file: what is mapped stays as it was.
  write_safetensors(path, {});
  EXPECT_EQ(second.read("w"), two_arrays().tensors.at("w"));
}

TEST(SafetensorsView, WhatIsDroppedIsReadAgain) {
  const TemporaryFolder folder;
  TensorFile content;
  content.tensors["w"] = {DType::u8, Shape{100'000}, Bytes(100'000, 7)};
  write_safetensors(folder.path() / "a", content);
  const SafetensorsView file(folder.path() / "a");
  EXPECT_EQ(file.read("w"), content.tensors.at("w"));
  file.drop("w");
  EXPECT_EQ(file.read("w"), content.tensors.at("w"));
}

/// The message without "SafetensorsView: FILE: ".
std::string open_error(const std::filesystem::path& file,
                       const SafetensorsViewOptions& options = {}) {
  const auto message = message_of<EnvironmentError>([&] { (void)SafetensorsView(file, options); });
  const std::string start = "SafetensorsView: " + file.string() + ": ";
  return message.starts_with(start) ? message.substr(start.size()) : message;
}

TEST(SafetensorsView, RefusesWhatTheReaderOfWholeFilesRefuses) {
  const TemporaryFolder folder;
  write_safetensors(folder.path() / "whole", two_arrays());
  const auto whole = bytes_of(folder.path() / "whole");
  const auto same = [&](const Bytes& bytes, const std::string& what) {
    const auto file = folder.write("a", bytes);
    auto expected = message_of<EnvironmentError>([&] { (void)read_safetensors(file); });
    const std::string start = "read_safetensors: " + file.string() + ": ";
    expected = expected.starts_with(start) ? expected.substr(start.size()) : expected;
    if (const auto option = expected.find("SafetensorsReadOptions"); option != std::string::npos) {
      expected.replace(option, std::string("SafetensorsReadOptions").size(),
                       "SafetensorsViewOptions");
    }
    EXPECT_EQ(open_error(file), expected) << what;
  };
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    same(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)),
         "the first " + std::to_string(length));
  }
  for (std::size_t place = 0; place + 8 < whole.size(); ++place) {  // All but the elements.
    for (const int flip : {1, 2, 4, 128}) {
      auto bytes = whole;
      bytes[place] = static_cast<std::uint8_t>(bytes[place] ^ flip);
      same(bytes, "byte " + std::to_string(place));
    }
  }
}

TEST(SafetensorsView, AnAbsentFileIsAnError) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a";
  EXPECT_EQ(open_error(file), "SafetensorsView: cannot read " + file.string() + ": no such file");
}

TEST(SafetensorsView, ALongHeaderIsRefused) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a";
  write_safetensors(file, two_arrays());
  EXPECT_TRUE(open_error(file, {.max_header_bytes = 16})
                  .ends_with("at most 16 are accepted; SafetensorsViewOptions::max_header_bytes is "
                             "the limit"));
}

TEST(SafetensorsView, AChecksumIsComparedAsChosen) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a";
  write_safetensors(file, two_arrays());
  EXPECT_EQ(open_error(file, {.checksum = ChecksumUse::Required}), "has no checksum");
  write_safetensors(file, two_arrays(), {.checksum = true});
  EXPECT_EQ(open_error(file, {.checksum = ChecksumUse::Required}), "(no exception)");
  auto bytes = bytes_of(file);
  bytes.back() = 7;
  (void)folder.write("a", bytes);
  EXPECT_TRUE(open_error(file, {.checksum = ChecksumUse::IfPresent}).starts_with("is damaged, or"));
  EXPECT_EQ(SafetensorsView(file).read("w").bytes.back(), 7);
}

TEST(SafetensorsView, ATruthValueThatIsNoneIsRefusedWhenItIsRead) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a";
  write_safetensors(path, two_arrays());
  auto bytes = bytes_of(path);
  bytes[bytes.size() - 7] = 2;
  const SafetensorsView file(folder.write("a", bytes));
  EXPECT_EQ(file.read("w"), two_arrays().tensors.at("w"));
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)file.read("b"); }),
            "SafetensorsView: " + path.string() + ": array \"b\": a BOOL is neither 0 nor 1");
}

TEST(SafetensorsView, ReadsIntoMemoryInBlocks) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a";
  TensorFile content = two_arrays();
  constexpr std::size_t count = 5'000'000;  // 10 MB: three blocks.
  auto& large = content.tensors["large"];
  large = {DType::bf16, Shape{count}, Bytes(2 * count)};
  for (std::size_t i = 0; i < 2 * count; ++i) {
    large.bytes[i] = static_cast<std::uint8_t>(i * 37 % 101);
  }
  write_safetensors(path, content);
  const SafetensorsView file(path);
  Bytes memory(4 * count);
  file.read_into("large", DType::f32, memory);
  EXPECT_EQ(memory, converted(large, DType::f32).bytes);
  Bytes same(6);
  file.read_into("w", DType::u8, same);
  EXPECT_EQ(same, content.tensors.at("w").bytes);
  EXPECT_EQ(file.read("large"), large);
  EXPECT_EQ(message_of<UsageError>([&] { file.read_into("w", DType::u8, memory); }),
            "convert_into: the elements take 6 bytes, the memory has 20000000");
  EXPECT_EQ(message_of<UsageError>([&] { file.read_into("x", DType::u8, memory); }),
            "SafetensorsView: " + path.string() + " has no array \"x\"");
}

TEST(SafetensorsView, AnArrayOfAnotherDTypeHasAnObstacle) {
  const TemporaryFolder folder;
  const std::string header = R"({"x":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[0,1]}})";
  Bytes bytes(8);
  bytes[0] = static_cast<std::uint8_t>(header.size());
  bytes.insert(bytes.end(), header.begin(), header.end());
  bytes.push_back(1);
  const auto path = folder.write("a", bytes);
  const SafetensorsView file(path);
  const auto& x = file.arrays().at("x");
  EXPECT_EQ(x.obstacle, "array \"x\" of " + path.string() + ": dtype \"F8_E4M3\" is not supported");
  EXPECT_TRUE(x.bytes.empty());
  EXPECT_EQ(file.read("x").obstacle, x.obstacle);
  file.drop("x");
}

TEST(SafetensorsView, AnArrayThatIsNotThereIsAnError) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a";
  write_safetensors(path, two_arrays());
  const SafetensorsView file(path);
  const auto expected = "SafetensorsView: " + path.string() + " has no array \"x\"";
  EXPECT_EQ(message_of<UsageError>([&] { (void)file.read("x"); }), expected);
  EXPECT_EQ(message_of<UsageError>([&] { file.drop("x"); }), expected);
}

}  // namespace safetensors_view_test
}  // namespace ddx::io
