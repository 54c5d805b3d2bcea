#include "ddx/io/tensor_bundle.h"

#include "ddx/core/error.h"
#include "ddx/io/npy.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/tensor_conversion.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/temporary_folder.h"
#include "tests/support/tensor_bundle_files.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ddx::io {
namespace tensor_bundle_test {

using ddx::testing::bundle_entry;
using ddx::testing::bundle_header;
using ddx::testing::Bytes;
using ddx::testing::bytes_of;
using ddx::testing::message_of;
using ddx::testing::table_block;
using ddx::testing::table_file;
using ddx::testing::TableRows;
using ddx::testing::TemporaryFolder;
using ddx::testing::WireMessage;
using ddx::testing::write_bundle;

const std::filesystem::path goldens = DDX_GOLDENS;
const std::filesystem::path recordings = goldens / "tensor_bundles";

/// An array of make_numpy_files.py, which make_tensor_bundles.py has too.
StoredTensor from_numpy(const std::string& name) {
  return read_npy(goldens / "numpy" / (name + "_little_rows.npy"));
}

TEST(TensorBundle, ReadsACheckpointOfObjects) {
  const TensorBundle bundle(recordings / "object");
  const std::string value = "/.ATTRIBUTES/VARIABLE_VALUE";
  EXPECT_EQ(bundle.read("weight" + value), from_numpy("f4"));
  EXPECT_EQ(to_tensor<double>(bundle.read("layer/bias" + value)), (Tensor<double>{0.5, -1.0}));
  EXPECT_EQ(to_tensor<std::int64_t>(bundle.read("step" + value)).item(), 7);
  EXPECT_EQ(bundle.entries().size(), 4U);
  EXPECT_EQ(
      bundle.entries().at("weight" + value),
      (BundleEntry{.type = "DT_FLOAT", .dtype = DType::f32, .shape = {2, 3, 4}, .obstacle = ""}));
  EXPECT_EQ(bundle.entries().at("_CHECKPOINTABLE_OBJECT_GRAPH"),
            (BundleEntry{.type = "DT_STRING",
                         .dtype = std::nullopt,
                         .shape = {},
                         .obstacle = "ddx has no type DT_STRING"}));
}

TEST(TensorBundle, ReadsAllTypes) {
  const TensorBundle bundle(recordings / "types");
  const StoredTensors expected = {{"float32", from_numpy("f4")},
                                  {"float64", from_numpy("f8")},
                                  {"int32", from_numpy("i4")},
                                  {"int64", from_numpy("i8")},
                                  {"uint8", from_numpy("u1")},
                                  {"bool", from_numpy("b1")},
                                  {"scalar", to_stored(Tensor<double>(2.5))},
                                  {"empty", {DType::f32, Shape{0, 3}, {}}}};
  EXPECT_EQ(bundle.read_all(), expected);
  EXPECT_EQ(bundle.entries().at("complex64").obstacle, "ddx has no type DT_COMPLEX64");
  EXPECT_EQ(bundle.entries().at("text").shape, Shape{2});
}

TEST(TensorBundle, ReadsNamesThatShareTheirBeginnings) {
  const auto arrays = TensorBundle(recordings / "names").read_all();
  ASSERT_EQ(arrays.size(), 40U);
  for (int i = 0; i < 40; ++i) {
    const auto number = static_cast<float>(i);
    const auto name =
        "model/layer_0" + std::string(i < 10 ? "0" : "") + std::to_string(i) + "/kernel";
    EXPECT_EQ(to_tensor<float>(arrays.at(name)), (Tensor<float>{number, -number})) << name;
  }
}

TEST(TensorBundle, ReadsSeveralDataFiles) {
  const TensorBundle bundle(recordings / "shards");
  EXPECT_EQ(to_tensor<std::int32_t>(bundle.read("a")), (Tensor<std::int32_t>{1, 2}));
  EXPECT_EQ(to_tensor<double>(bundle.read("b")), Tensor<double>(Shape{1, 1}, {3.0}));
}

/// The message without "TensorBundle: PREFIX".
std::string read_error(const std::filesystem::path& prefix, const std::string& name = "") {
  const auto message = message_of<EnvironmentError>([&] {
    const TensorBundle bundle(prefix);
    (void)(name.empty() ? bundle.read_all() : StoredTensors{{name, bundle.read(name)}});
  });
  const std::string start = "TensorBundle: " + prefix.string();
  return message.starts_with(start) ? message.substr(start.size()) : message;
}

TEST(TensorBundle, SaysWhatItCannotRead) {
  EXPECT_EQ(read_error(recordings / "slices", "rows"), ": array \"rows\": it is stored in slices");
  EXPECT_TRUE(TensorBundle(recordings / "slices").read_all().empty());
  EXPECT_EQ(read_error(recordings / "types", "text"),
            ": array \"text\": ddx has no type DT_STRING");
  const TensorBundle bundle(recordings / "shards");
  EXPECT_EQ(message_of<UsageError>([&] { (void)bundle.read("c"); }),
            "TensorBundle: " + (recordings / "shards").string() + " has no array \"c\"");
}

const Bytes two_bytes = {7, 9};

/// The rows of a bundle with the array "x" of two bytes.
TableRows small_rows() {
  return {{"", bundle_header().bytes()}, {"x", bundle_entry(4, {2}, 0, two_bytes).bytes()}};
}

TEST(TensorBundle, ReadsSeveralBlocksCompressedOrNot) {
  const TemporaryFolder folder;
  auto rows = small_rows();
  const std::vector<TableRows> blocks = {{rows[0]}, {rows[1]}};
  for (const bool packed : {false, true}) {
    const std::uint8_t kind = packed ? 1 : 0;
    const auto prefix = write_bundle(folder, table_file(blocks, kind), two_bytes);
    if (packed && !has_snappy()) {
      EXPECT_NE(read_error(prefix).find("this ddx was built without snappy"), std::string::npos);
      continue;
    }
    EXPECT_EQ(TensorBundle(prefix).read("x"), (StoredTensor{DType::u8, Shape{2}, two_bytes}));
  }
}

TEST(TensorBundle, ATruncatedIndexIsRefused) {
  const TemporaryFolder folder;
  const auto whole = bytes_of(recordings / "shards.index");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto cut = std::span(whole).first(length);
    const auto error = read_error(write_bundle(folder, Bytes(cut.begin(), cut.end()), {}));
    EXPECT_TRUE(error == ".index: does not end as a table" ||
                error == ".index: has " + std::to_string(length) + " bytes, a table has 48 or more")
        << length << ": " << error;
  }
}

TEST(TensorBundle, AChangedByteOfABlockIsFound) {
  const TemporaryFolder folder;
  const auto whole = table_file({small_rows()});
  const auto block = table_block(small_rows()).size();
  for (std::size_t place = 0; place < block + 5; ++place) {
    auto index = whole;
    index[place] = static_cast<std::uint8_t>(index[place] ^ 4);
    EXPECT_EQ(read_error(write_bundle(folder, index, two_bytes)),
              ".index: the block at byte 0 is damaged: its checksum differs")
        << place;
  }
  for (std::size_t place = block + 5; place < whole.size(); ++place) {
    auto index = whole;
    index[place] = static_cast<std::uint8_t>(index[place] ^ 4);
    EXPECT_NE(read_error(write_bundle(folder, index, two_bytes)), "(another exception)") << place;
  }
}

TEST(TensorBundle, DamagedDataIsFound) {
  const TemporaryFolder folder;
  const auto index = table_file({small_rows()});
  EXPECT_EQ(read_error(write_bundle(folder, index, {7, 8})),
            ": array \"x\": is damaged: its checksum differs");
  EXPECT_EQ(read_error(write_bundle(folder, index, {7})),
            ".data-00000-of-00001: has 1 bytes, array \"x\" takes 2 from byte 0");
  const auto prefix = write_bundle(folder, index, {7, 8});
  EXPECT_EQ(TensorBundle(prefix, {.verify_checksums = false}).read("x").bytes, (Bytes{7, 8}));
  std::filesystem::remove(folder.path() / "a.data-00000-of-00001");
  EXPECT_EQ(read_error(prefix), ".data-00000-of-00001: cannot be read: No such file or directory");
}

TEST(TensorBundle, AnIndexThatBreaksTheFormatIsRefused) {
  struct Case {
    const char* why;
    TableRows rows;
    std::string message;
  };
  const auto x = [](const WireMessage& entry) {
    return TableRows{{"", bundle_header().bytes()}, {"x", entry.bytes()}};
  };
  const auto header = [](const WireMessage& message) { return TableRows{{"", message.bytes()}}; };
  const std::uint64_t unknown = ~std::uint64_t{0};
  const Case cases[] = {
      {"no header", {small_rows()[1]}, ".index: has no header"},
      {"big-endian", header(bundle_header().number(2, 1)), ".index: its elements are big-endian"},
      {"from the future", header(bundle_header().message(3, WireMessage().number(2, 5))),
       ".index: is for readers of version 5 or later, this is 1"},
      {"no files", header(WireMessage().number(2, 0)), ".index: names 0 data files"},
      {"many files", header(WireMessage().number(1, 100000)), ".index: names 100000 data files"},
      {"twice",
       {small_rows()[0], small_rows()[1], small_rows()[1]},
       ".index: the keys of the table are not in ascending order"},
      {"no message",
       {small_rows()[0], {"x", {255}}},
       ".index, entry \"x\", byte 1: the message ends inside a number"},
      {"a number as shape", x(WireMessage().number(2, 3)),
       ".index, entry \"x\", byte 1: field 2 is not a message"},
      {"bytes and shape differ", x(bundle_entry(1, {2}, 0, two_bytes)),
       ": array \"x\": an array of shape [2] and elements of 4 bytes takes 8 bytes, there are 2"},
      {"another file", x(bundle_entry(4, {2}, 0, two_bytes).number(3, 1)),
       ": array \"x\": lies in data file 1 of 1"},
      {"behind the file", x(bundle_entry(4, {2}, 1, two_bytes)),
       ".data-00000-of-00001: has 2 bytes, array \"x\" takes 2 from byte 1"},
      {"far behind the file", x(bundle_entry(4, {2}, unknown, two_bytes)),
       ".data-00000-of-00001: has 2 bytes, array \"x\" takes 2 from byte 18446744073709551615"},
      {"no truth values", x(bundle_entry(10, {2}, 0, two_bytes)),
       ": array \"x\": a truth value is neither 0 nor 1"},
  };
  const TemporaryFolder folder;
  for (const auto& c : cases) {
    EXPECT_EQ(read_error(write_bundle(folder, table_file({c.rows}), two_bytes)), c.message)
        << c.why;
  }
  const auto obstacle = [&](const WireMessage& entry) {
    const auto prefix = write_bundle(folder, table_file({x(entry)}), two_bytes);
    return TensorBundle(prefix).entries().at("x").obstacle;
  };
  EXPECT_EQ(obstacle(bundle_entry(99, {2}, 0, two_bytes)), "ddx has no type DataType 99");
  EXPECT_EQ(obstacle(bundle_entry(4, std::vector<std::uint64_t>(9, 1), 0, two_bytes)),
            "it has 9 axes, at most 8 are supported");
  EXPECT_EQ(obstacle(bundle_entry(4, {unknown}, 0, two_bytes)), "an extent is not known");
  EXPECT_EQ(obstacle(bundle_entry(4, {1U << 30, 1U << 30}, 0, two_bytes)),
            "an extent is too large");
  EXPECT_EQ(obstacle(WireMessage().number(1, 4).message(2, WireMessage().number(3, 1))),
            "its number of axes is not known");
}

TEST(TensorBundle, ATableThatBreaksTheFormatIsRefused) {
  const TemporaryFolder folder;
  const auto error = [&](const std::function<void(Bytes&)>& change) {
    auto index = table_file({small_rows()});
    change(index);
    const auto prefix = write_bundle(folder, index, two_bytes);
    const auto message = message_of<EnvironmentError>(
        [&] { (void)TensorBundle(prefix, {.verify_checksums = false}); });
    const std::string start = "TensorBundle: " + prefix.string() + ".index: ";
    return message.starts_with(start) ? message.substr(start.size()) : message;
  };
  const auto block = table_block(small_rows()).size();
  EXPECT_EQ(error([&](auto& index) { index[block] = 2; }),
            "the block at byte 0 is compressed in a way of number 2; 0 (not) and 1 (snappy) are "
            "supported");
  EXPECT_EQ(error([](auto& index) { index[0] = 3; }),
            "a key shares 3 bytes and adds 0, the one before has 0");
  EXPECT_EQ(error([](auto& index) { index[2] = 127; }),
            "a key or value of 127 bytes reaches beyond its block");
  EXPECT_EQ(error([&](auto& index) { index[block - 1] = 9; }), "the block at byte 0 is too short");
  EXPECT_EQ(
      error([](auto& index) { std::fill(index.end() - 48, index.end() - 8, std::uint8_t{255}); }),
      "a number in the table has no end");
  // Behind the block and its trailer stand an empty one of 8 bytes with its trailer, and the index.
  EXPECT_EQ(error([](auto& index) { index[index.size() - 45] = 127; }),
            "the block at byte " + std::to_string(block + 5 + 8 + 5) +
                " of 127 bytes reaches beyond the file");
}

// Each row of 6 bytes has a key of 60,000: all but two bytes are those of the key before it.
TEST(TensorBundle, AnIndexWhoseNamesTakeManyTimesItsSizeIsRefused) {
  const TemporaryFolder folder;
  constexpr std::size_t shared = 60'000;
  Bytes block = {0};
  ddx::testing::append(block, ddx::testing::varint(shared + 2));
  block.push_back(0);
  block.resize(block.size() + shared + 2, 'a');
  for (int i = 0; i < 2000; ++i) {
    ddx::testing::append(block, ddx::testing::varint(shared));
    block.push_back(2);
    block.push_back(0);
    block.push_back(static_cast<std::uint8_t>('b' + i / 100));
    block.push_back(static_cast<std::uint8_t>('a' + i % 100));
  }
  ddx::testing::append(block, ddx::testing::little_endian(0, 4));
  ddx::testing::append(block, ddx::testing::little_endian(1, 4));
  const auto prefix = write_bundle(folder, ddx::testing::table_file_of_block(block), {});
  const auto error = read_error(prefix);
  EXPECT_TRUE(error.starts_with(".index: its rows take more than 67108864 bytes")) << error;
  EXPECT_TRUE(error.ends_with("BundleOptions::max_index_bytes raises it")) << error;
  EXPECT_EQ(message_of<EnvironmentError>(
                [&] { (void)TensorBundle(prefix, {.max_index_bytes = std::uint64_t{1} << 30}); }),
            "TensorBundle: " + prefix.string() + ".index: has no header");
}

}  // namespace tensor_bundle_test
}  // namespace ddx::io
