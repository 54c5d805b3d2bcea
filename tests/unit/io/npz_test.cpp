#include "ddx/io/npz.h"

#include "ddx/core/error.h"
#include "ddx/io/npy.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/tensor_conversion.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <vector>

namespace ddx::io {
namespace npz_test {

using ddx::testing::bytes_of;
using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;

const std::filesystem::path recordings = std::filesystem::path(DDX_GOLDENS) / "numpy";

/// The arrays of tests/goldens/make_numpy_files.py.
StoredTensors recorded() {
  return {{"weight", read_npy(recordings / "f4_little_rows.npy")},
          {"layer/bias", to_stored(Tensor<double>{0.5, -1.0})},
          {"steps", to_stored(Tensor<std::int64_t>(std::int64_t{7}))},
          {"ones", to_stored(ones<float>({40, 25}))}};
}

/// The message without "read_npz: FILE: ".
std::string read_error(const std::filesystem::path& file) {
  const auto message = message_of<EnvironmentError>([&] { (void)read_npz(file); });
  const std::string start = "read_npz: " + file.string() + ": ";
  return message.starts_with(start) ? message.substr(start.size()) : message;
}

/// Skipped where the library was built without libzip.
class Npz : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_npz()) {
      EXPECT_EQ(message_of<EnvironmentError>([] { (void)read_npz("a"); }),
                "read_npz: a: this ddx was built without libzip");
      GTEST_SKIP();
    }
  }
  TemporaryFolder folder_;
};

TEST_F(Npz, ReadsWhatNumPyWrote) {
  EXPECT_EQ(read_npz(recordings / "plain.npz"), recorded());
  EXPECT_EQ(read_npz(recordings / "packed.npz"), recorded());
}

TEST_F(Npz, WhatIsWrittenComesBack) {
  for (const bool compressed : {false, true}) {
    write_npz(folder_.path() / "a", recorded(), {.compressed = compressed});
    EXPECT_EQ(read_npz(folder_.path() / "a"), recorded());
    const auto first = bytes_of(folder_.path() / "a");
    write_npz(folder_.path() / "a", recorded(), {.compressed = compressed});
    EXPECT_EQ(bytes_of(folder_.path() / "a"), first);
    // 4000 equal bytes: only packed they take less.
    EXPECT_EQ(first.size() < 4000, compressed);
  }
  write_npz(folder_.path() / "a", {});
  EXPECT_EQ(read_npz(folder_.path() / "a"), StoredTensors());
}

TEST_F(Npz, DamageIsFound) {
  auto bytes = bytes_of(recordings / "plain.npz");
  // The bytes of 0.5 in layer/bias: only the checksum detects it.
  const std::vector<std::uint8_t> half{0, 0, 0, 0, 0, 0, 0xE0, 0x3F};
  const auto found = std::search(bytes.begin(), bytes.end(), half.begin(), half.end());
  ASSERT_NE(found, bytes.end());
  *found = 1;
  EXPECT_EQ(read_error(folder_.write("a", bytes)), "array \"layer/bias\": CRC error");
}

TEST_F(Npz, EveryTruncationIsAnError) {
  const auto whole = bytes_of(recordings / "packed.npz");
  for (std::size_t length = 0; length < whole.size(); length += 5) {
    const auto error = read_error(folder_.write("a", std::span(whole).first(length)));
    EXPECT_TRUE(error.starts_with("is no zip archive: ")) << length << ": " << error;
  }
}

TEST_F(Npz, EveryChangedByteIsReadOrRefused) {
  const auto whole = bytes_of(recordings / "packed.npz");
  for (std::size_t place = 0; place < whole.size(); place += 3) {
    auto bytes = whole;
    bytes[place] = static_cast<std::uint8_t>(bytes[place] ^ 0x41);
    EXPECT_NE(read_error(folder_.write("a", bytes)), "(another exception)") << place;
  }
}

TEST_F(Npz, WhatDoesNotFitIsNotWritten) {
  const auto error = [&](const StoredTensors& arrays) {
    return message_of<UsageError>([&] { write_npz(folder_.path() / "a", arrays); });
  };
  EXPECT_EQ(error({{"x", {DType::f32, Shape{2}, std::vector<std::uint8_t>(7)}}}),
            "write_npz: array \"x\" of dtype f32 and shape [2] takes 8 bytes, it has 7");
  EXPECT_EQ(error({{"", to_stored(Tensor<float>(1))}}),
            "write_npz: the name of an array is empty or has a zero byte");
  EXPECT_EQ(folder_.entry_count(), 0);
}

// tests/goldens/make_numpy_files.py: numpy.savez of a matrix, a text, an object and records.
TEST_F(Npz, AnArrayOfAnotherDTypeIsRefusedOnlyWhereItIsUsed) {
  const auto file = recordings / "with_others.npz";
  const auto arrays = read_npz(file);
  EXPECT_EQ(arrays.size(), 4U);
  EXPECT_EQ(to_tensor<float>(arrays.at("w")), (Tensor<float>{1.5F, 2.5F}));
  const auto of = [&](const std::string& name) {
    return "array \"" + name + "\" of " + file.string() + ": dtype \"";
  };
  EXPECT_EQ(arrays.at("name").obstacle, of("name") + "<U5\" is not supported");
  EXPECT_EQ(arrays.at("object").obstacle, of("object") + "|O\" is not supported");
  EXPECT_EQ(arrays.at("records").obstacle,
            of("records") + "[('a', '<i4'), ('b', '<f8', (2,))]\" is not supported");
  EXPECT_EQ(message_of<UsageError>([&] {
              (void)to_tensor<float>(arrays.at("name"));
            }).find("to_tensor: " + of("name") + "<U5\" is not supported"),
            0U);
  EXPECT_EQ(message_of<UsageError>([&] { write_npz(folder_.path() / "a", arrays); }),
            "write_npz: " + of("name") + "<U5\" is not supported");
}

// 66 MiB of zeros are packed into 66 kB.
TEST_F(Npz, ABombIsRefusedBeforeItIsUnpacked) {
  const auto file = folder_.path() / "a";
  constexpr std::size_t count = std::size_t{66} << 20;
  const StoredTensors arrays = {
      {"x", {DType::u8, Shape{std::int64_t{count}}, std::vector<std::uint8_t>(count)}}};
  write_npz(file, arrays, {.compressed = true});
  const auto size = std::to_string(std::filesystem::file_size(file));
  EXPECT_EQ(
      read_error(file),
      "array \"x\": claims 69206144 bytes, with those before it more than 67108864 bytes, the "
      "limit for a file of " +
          size + " bytes; NpzReadOptions::max_bytes raises it");
  EXPECT_EQ(read_npz(file, {.max_bytes = 70'000'000}), arrays);
  EXPECT_TRUE(message_of<EnvironmentError>([&] {
                (void)read_npz(recordings / "plain.npz", {.max_bytes = 100});
              }).ends_with("NpzReadOptions::max_bytes raises it"));
}

}  // namespace npz_test
}  // namespace ddx::io
