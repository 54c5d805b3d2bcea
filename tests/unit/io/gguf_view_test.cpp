#include "ddx/io/gguf_view.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/float16.h"
#include "ddx/core/shape.h"
#include "ddx/io/npy.h"
#include "ddx/io/stored_conversion.h"
#include "ddx/io/stored_tensor.h"

#include "tests/support/gguf_bytes.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::io {
namespace gguf_view_test {

using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;
using ddx::testing::gguf::Bytes;
using ddx::testing::gguf::entry;
using ddx::testing::gguf::file_of;
using ddx::testing::gguf::joined;
using ddx::testing::gguf::number;
using ddx::testing::gguf::text;

/// What the package gguf wrote (tests/goldens/make_gguf_files.py).
std::filesystem::path recorded(const std::string& name) {
  return std::filesystem::path(DDX_GOLDENS) / "gguf" / name;
}

std::string error_of(const Bytes& bytes, const GgufViewOptions& options = {}) {
  const TemporaryFolder folder;
  const auto file = folder.write("a.gguf", bytes);
  const auto message = message_of<EnvironmentError>([&] { (void)GgufView(file, options); });
  const std::string start = "GgufView: " + file.string() + ": ";
  return message.starts_with(start) ? message.substr(start.size()) : message;
}

TEST(GgufView, BlocksAreMultipliedOutAsThePackageDoes) {
  const GgufView file(recorded("values.gguf"));
  const auto values = read_npy(recorded("blocks.npy"));
  const std::vector<std::string> types{"Q4_0", "Q4_1", "Q5_0", "Q5_1",
                                       "Q8_0", "Q4_K", "Q5_K", "Q6_K"};
  ASSERT_EQ(values.shape, (Shape{8, 256}));
  for (std::size_t i = 0; i < types.size(); ++i) {
    constexpr std::ptrdiff_t row = 1024;
    const auto begin = values.bytes.begin() + static_cast<std::ptrdiff_t>(i) * row;
    const auto array = file.read(types[i]);
    EXPECT_EQ(array, (StoredTensor{DType::f32, Shape{1, 256}, Bytes(begin, begin + row)}))
        << types[i];
    EXPECT_EQ(file.arrays().at(types[i]).type, types[i]);
    Bytes half(512);
    file.read_into(types[i], DType::bf16, half);
    EXPECT_EQ(half, converted(array, DType::bf16).bytes) << types[i];
  }
  EXPECT_EQ(file.read("rows"), read_npy(recorded("rows.npy")));
  file.drop("rows");
  EXPECT_EQ(file.read("rows"), read_npy(recorded("rows.npy")));
}

// Rows of 64 elements are two groups of 32.
TEST(GgufView, GroupsHaveTheNumbersAndScalesOfTheirBlocks) {
  const GgufView file(recorded("values.gguf"));
  for (const auto& [name, bits, zero] : {std::tuple{"Q8_0", 8, 128}, std::tuple{"Q4_0", 4, 8}}) {
    ASSERT_EQ(file.group_bits(name), bits);
    const std::size_t bytes = 4U * static_cast<std::size_t>(bits);
    Bytes numbers(6 * bytes);
    Bytes scales(12);
    file.read_groups(name, 2, numbers, scales);
    const auto elements = file.read(name);
    for (std::size_t i = 0; i < 6 * 32; ++i) {
      Half scale;
      std::memcpy(&scale, scales.data() + i / 32 * 2, 2);
      const std::size_t in_group = i % 32;
      const unsigned byte = numbers[i / 32 * bytes + (bits == 8 ? in_group : in_group % 16)];
      const unsigned stored = bits == 8 ? byte : in_group < 16 ? byte & 15U : byte >> 4U;
      float element = 0;
      std::memcpy(&element, elements.bytes.data() + (64 + i) * 4, 4);
      EXPECT_EQ(static_cast<float>(static_cast<int>(stored) - zero) * static_cast<float>(scale),
                element)
          << name << " " << i;
    }
  }
  EXPECT_EQ(file.group_bits("Q6_K"), std::nullopt);
  const auto error = [&](const std::string& name, std::int64_t first, std::size_t numbers,
                         std::size_t scales) {
    Bytes to_numbers(numbers);
    Bytes to_scales(scales);
    return message_of<UsageError>([&] { file.read_groups(name, first, to_numbers, to_scales); });
  };
  EXPECT_EQ(error("Q6_K", 0, 32, 2),
            "GgufView: array \"Q6_K\" is of the type Q6_K, not in groups as Q8_0 and Q4_0");
  EXPECT_EQ(error("Q8_0", 0, 31, 2),
            "GgufView: array \"Q8_0\" has 32 bytes of numbers to 2 of a scale, the memory has 31 "
            "and 2 bytes");
  EXPECT_EQ(error("Q8_0", 7, 64, 4), "GgufView: array \"Q8_0\" has 8 groups, not 2 from 7 on");
  EXPECT_EQ(error("Q8_0", -1, 32, 2), "GgufView: array \"Q8_0\" has 8 groups, not 1 from -1 on");
}

TEST(GgufView, RowsAreReadWithoutTheOthers) {
  const GgufView file(recorded("values.gguf"));
  const auto all = file.read("rows");
  Bytes second(256);
  file.read_rows_into("rows", 1, DType::f32, second);
  EXPECT_EQ(second, Bytes(all.bytes.begin() + 256, all.bytes.end()));
  Bytes plain(3 * 8);
  file.read_rows_into("BF16", 1, DType::f64, plain);
  EXPECT_EQ(plain, joined({number(3.0), number(4.0), number(5.0)}));
  file.read_rows_into("rows", 2, DType::f32, std::span<std::uint8_t>());
  EXPECT_EQ(message_of<UsageError>([&] { file.read_rows_into("rows", 2, DType::f32, second); }),
            "GgufView: array \"rows\" has 2 rows of 256 bytes as f32, not 256 bytes from row 2 on");
}

TEST(GgufView, PlainArraysKeepTheirDTypesAndHaveTheirExtentsReversed) {
  const GgufView file(recorded("values.gguf"));
  const std::vector<std::pair<std::string, DType>> types{
      {"F32", DType::f32}, {"F16", DType::f16}, {"F64", DType::f64}, {"I8", DType::i8},
      {"I16", DType::i16}, {"I32", DType::i32}, {"I64", DType::i64}, {"BF16", DType::bf16}};
  for (const auto& [name, dtype] : types) {
    Bytes expected;
    visit(dtype, [&](auto zero) {
      for (int i = 0; i < 6; ++i) {
        expected = joined({expected, number(static_cast<decltype(zero)>(static_cast<float>(i)))});
      }
    });
    const Shape shape = name == "BF16" ? Shape{2, 3} : Shape{1, 2, 3};
    EXPECT_EQ(file.read(name), (StoredTensor{dtype, shape, expected})) << name;
  }
}

TEST(GgufView, MetadataOfEveryTypeIsRead) {
  const auto metadata = GgufView(recorded("values.gguf")).metadata();
  const auto is = [&](const std::string& name, const auto& value) {
    return metadata.at("test." + name) == GgufValue{value};
  };
  EXPECT_TRUE(is("u8", std::int64_t{255}));
  EXPECT_TRUE(is("i8", std::int64_t{-128}));
  EXPECT_TRUE(is("u16", std::int64_t{65535}));
  EXPECT_TRUE(is("i16", std::int64_t{-32768}));
  EXPECT_TRUE(is("u32", std::int64_t{4294967295}));
  EXPECT_TRUE(is("i32", std::int64_t{-2147483648}));
  EXPECT_TRUE(is("u64", std::numeric_limits<std::uint64_t>::max()));
  EXPECT_TRUE(is("i64", std::numeric_limits<std::int64_t>::min()));
  EXPECT_TRUE(is("f32", static_cast<double>(0.1F)));
  EXPECT_TRUE(is("f64", 0.1));
  EXPECT_TRUE(is("bool", true));
  EXPECT_TRUE(is("text", std::string("\xC3\xA4"
                                     "b")));
  EXPECT_TRUE(
      is("list", std::vector<GgufValue>{{std::string("a")}, {std::string()}, {std::string("bc")}}));
  EXPECT_TRUE(is("numbers",
                 std::vector<GgufValue>{{std::int64_t{1}}, {std::int64_t{-2}}, {std::int64_t{3}}}));
  EXPECT_EQ(metadata.at("general.architecture"), GgufValue{std::string("llama")});
  EXPECT_EQ(metadata.at("general.alignment"), GgufValue{std::int64_t{64}});
}

TEST(GgufView, AnArrayOfAnotherTypeHasAnObstacle) {
  const GgufView file(recorded("values.gguf"));
  const auto obstacle =
      "array \"other\" of " + recorded("values.gguf").string() + ": type Q2_K is not supported";
  EXPECT_EQ(file.arrays().at("other").obstacle, obstacle);
  EXPECT_EQ(message_of<UsageError>([&] { (void)file.read("other"); }), "GgufView: " + obstacle);
  Bytes memory(1024);
  EXPECT_EQ(message_of<UsageError>([&] { file.read_into("other", DType::f32, memory); }),
            "GgufView: " + obstacle);
  EXPECT_EQ(message_of<UsageError>([&] { (void)file.read("none"); }),
            "GgufView: " + recorded("values.gguf").string() + " has no array \"none\"");
  memory.resize(8);
  EXPECT_EQ(message_of<UsageError>([&] { file.read_into("Q4_0", DType::f32, memory); }),
            "GgufView: array \"Q4_0\" takes 1024 bytes as f32, the memory has 8");
}

TEST(GgufView, EveryTruncatedFileIsRefused) {
  const TemporaryFolder folder;
  const auto whole = ddx::testing::bytes_of(recorded("values.gguf"));
  const GgufView view(folder.write("whole.gguf", whole));
  std::size_t data_end = 0;
  for (const auto& [name, array] : view.arrays()) {
    data_end = std::max(data_end, array.bytes.size());
  }
  ASSERT_GT(data_end, 0U);
  // Behind the last array there may be padding to the alignment, 64 bytes here.
  for (std::size_t size = 0; size + 64 < whole.size(); size += size < 1500 ? 1 : 61) {
    const auto part = folder.write("part.gguf", std::span(whole).first(size));
    EXPECT_THROW((void)GgufView(part), EnvironmentError) << size;
  }
}

TEST(GgufView, FaultsOfHeadersAreNamed) {
  EXPECT_EQ(error_of({'G', 'G', 'M', 'L'}), "does not begin with \"GGUF\"");
  EXPECT_EQ(error_of(file_of({}, {}, 0, 1)), "is of version 1, only 2 and 3 are supported");
  EXPECT_EQ(error_of(file_of({}, {}, 0, 3U << 24)),
            "is big-endian, only little-endian is supported");
  auto many = file_of({}, {});
  many[16] = 1;
  EXPECT_EQ(error_of(many), "byte 24: 1 metadata do not fit in the 0 bytes that are left");
  many = file_of({}, {});
  many[15] = 0x80;
  EXPECT_EQ(error_of(many),
            "byte 24: 9223372036854775808 arrays do not fit in the 0 bytes that are left");
  const auto key = [](std::string_view name, std::uint32_t type, const Bytes& value) {
    return joined({text(name), number(type), value});
  };
  EXPECT_EQ(error_of(file_of({key("a", 13, number(1.0))}, {})),
            "byte 37: metadata of the unknown type 13");
  EXPECT_EQ(error_of(file_of({key("a", 7, {2})}, {})),
            "byte 38: a truth value is 2, neither 0 nor 1");
  EXPECT_EQ(error_of(file_of({key("a", 7, {1}), key("a", 7, {1})}, {})),
            "byte 52: the key \"a\" stands twice");
  EXPECT_EQ(error_of(file_of({key("a", 8, number(~std::uint64_t{0}))}, {})),
            "byte 45: the file ends inside a text of 18446744073709551615 bytes, 0 are left");
  EXPECT_EQ(error_of(file_of({key("general.alignment", 4, number<std::uint32_t>(24))}, {})),
            "byte 57: general.alignment is 24, not a power of two of type UINT32");
  EXPECT_EQ(
      error_of(file_of(
          {key("a", 9, joined({number<std::uint32_t>(0), number(std::uint64_t{1} << 62)}))}, {})),
      "byte 49: 4611686018427387904 elements of a list do not fit in the 0 bytes that are "
      "left");
  Bytes deep = number<std::uint32_t>(0);
  deep = joined({deep, number<std::uint64_t>(1), {0}});
  for (int i = 0; i < 8; ++i) {
    deep = joined({number<std::uint32_t>(9), number<std::uint64_t>(1), deep});
  }
  EXPECT_EQ(error_of(file_of({key("a", 9, deep)}, {})),
            "byte 133: more than 8 lists in each other");
  EXPECT_EQ(error_of(file_of({key("a", 8, text("long"))}, {}), {.max_bytes = 4}),
            "its arrays and values take more than 4 bytes, the limit for a file of 49 bytes; "
            "GgufViewOptions::max_bytes raises it");
}

TEST(GgufView, FaultsOfArraysAreNamed) {
  EXPECT_EQ(error_of(file_of({}, {entry("a", {2}, 4, 0)}, 8)), "array \"a\": the unknown type 4");
  EXPECT_EQ(error_of(file_of({}, {entry("a", std::vector<std::uint64_t>(9, 1), 0, 0)}, 8)),
            "array \"a\": 9 axes, at most 8 are supported");
  EXPECT_EQ(error_of(file_of({}, {entry("a", {33}, 2, 0)}, 64)),
            "array \"a\": rows of 33 elements are no whole blocks of 32, which Q4_0 has");
  EXPECT_EQ(error_of(file_of(
                {}, {entry("a", {std::uint64_t{1} << 32, std::uint64_t{1} << 32}, 0, 0)}, 8)),
            "array \"a\": an extent of 4294967296 is too large");
  EXPECT_EQ(error_of(file_of({}, {entry("a", {2}, 0, 8)}, 64)),
            "array \"a\": its offset 8 is no multiple of 32");
  EXPECT_EQ(error_of(file_of({}, {entry("a", {2}, 0, 32)}, 36)),
            "array \"a\": 8 bytes at offset 32 do not lie in the 36 bytes of data");
  EXPECT_EQ(error_of(file_of({}, {entry("a", {2}, 0, ~std::uint64_t{0} - 31)}, 36)),
            "array \"a\": 8 bytes at offset 18446744073709551584 do not lie in the 36 bytes of "
            "data");
  EXPECT_EQ(error_of(file_of({}, {entry("a", {9}, 0, 0), entry("b", {2}, 0, 32)}, 64)),
            "array \"b\": overlaps array \"a\"");
  EXPECT_EQ(error_of(file_of({}, {entry("a", {2}, 0, 0), entry("a", {2}, 0, 32)}, 64)),
            "array \"a\": stands twice");
}

}  // namespace gguf_view_test
}  // namespace ddx::io
