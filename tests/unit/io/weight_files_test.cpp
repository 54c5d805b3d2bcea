#include "ddx/io/weight_files.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/io/gguf_view.h"
#include "ddx/io/safetensors.h"
#include "ddx/io/stored_view.h"
#include "ddx/io/torch_file.h"

#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ddx::io {
namespace weight_files_test {

using ddx::testing::bytes_of;
using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;

using Bytes = std::vector<std::uint8_t>;

/// Arrays of one, two and three bytes.
TensorFile three_arrays() {
  TensorFile content;
  content.tensors["a"] = {DType::u8, Shape{1}, {1}};
  content.tensors["b"] = {DType::u8, Shape{2}, {2, 3}};
  content.tensors["c"] = {DType::u8, Shape{3}, {4, 5, 6}};
  content.metadata["format"] = "pt";
  return content;
}

void write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

void write_arrays(const TemporaryFolder& folder, const std::string& file,
                  const std::vector<std::string>& names) {
  TensorFile content;
  for (const auto& name : names) {
    content.tensors[name] = three_arrays().tensors.at(name);
  }
  write_safetensors(folder.path() / file, content);
}

/// The index of a folder that lists these files of arrays.
std::filesystem::path write_index(const TemporaryFolder& folder, const std::string& map) {
  auto file = folder.path() / "model.safetensors.index.json";
  write_text(file, R"({"metadata":{"total_size":6},"weight_map":)" + map + "}");
  return file;
}

StoredTensors all_of(const WeightFiles& weights) {
  StoredTensors arrays;
  for (const auto& [name, array] : weights.arrays()) {
    arrays[name] = weights.read(name);
    EXPECT_EQ(copy_of(array), arrays[name]) << name;
  }
  return arrays;
}

std::string error_of(const std::filesystem::path& path, const WeightFilesOptions& options = {}) {
  return message_of<EnvironmentError>([&] { (void)WeightFiles(path, options); });
}

TEST(WeightFiles, OneFileIsReadByItsNameOrItsFolder) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "model.safetensors";
  write_safetensors(file, three_arrays());
  for (const auto& path : {file, folder.path()}) {
    const WeightFiles weights(path);
    EXPECT_EQ(all_of(weights), three_arrays().tensors);
    EXPECT_EQ(weights.files(), (std::vector<std::filesystem::path>{file}));
    EXPECT_EQ(weights.file_of("b"), file);
  }
}

TEST(WeightFiles, SeveralFilesAreReadByTheirIndexOrItsFolder) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "more");
  write_arrays(folder, "one", {"a", "c"});
  write_arrays(folder, "more/two", {"b"});
  const auto index = write_index(folder, R"({"c":"one","b":"more/two","a":"one"})");
  for (const auto& path : {index, folder.path()}) {
    const WeightFiles weights(path);
    EXPECT_EQ(all_of(weights), three_arrays().tensors);
    EXPECT_EQ(weights.files(), (std::vector<std::filesystem::path>{folder.path() / "more/two",
                                                                   folder.path() / "one"}));
    EXPECT_EQ(weights.file_of("b"), folder.path() / "more/two");
    EXPECT_EQ(weights.file_of("c"), folder.path() / "one");
  }
}

TEST(WeightFiles, ArraysOfAnotherReaderAreWeights) {
  StoredTensors given = three_arrays().tensors;
  given["obstacle"].obstacle = "a text";
  given["real"] = {DType::f32, Shape{1}, {0, 0, 0x80, 0x3f}};
  const WeightFiles weights(given);
  EXPECT_TRUE(weights.files().empty());
  EXPECT_EQ(all_of(weights), given);
  weights.drop("b");
  EXPECT_EQ(weights.read("b"), given.at("b"));
  std::vector<std::uint8_t> one(8);
  weights.read_into("real", DType::f64, one);
  EXPECT_EQ(one, (Bytes{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}));
  const auto error = [](const auto& work) { return message_of<UsageError>(work); };
  EXPECT_EQ(error([&] { (void)weights.read("d"); }),
            "WeightFiles: no array that was given is called \"d\"");
  EXPECT_EQ(error([&] { (void)weights.file_of("a"); }),
            "WeightFiles: array \"a\" was given, it has no file");
  EXPECT_EQ(error([&] { weights.read_into("obstacle", DType::f32, one); }), "converted: a text");
  EXPECT_EQ(error([] { (void)WeightFiles(StoredTensors{{"x", {DType::f32, Shape{2}, {1}}}}); }),
            "WeightFiles: array \"x\" of dtype f32 and shape [2] takes 8 bytes, it has 1");
  EXPECT_EQ(error([] { (void)WeightFiles(StoredTensors{{"x", {DType::boolean, Shape{1}, {2}}}}); }),
            "WeightFiles: array \"x\": a truth value is neither 0 nor 1");
}

TEST(WeightFiles, FieldsOfTheIndexThatAreNotKnownAreIgnored) {
  const TemporaryFolder folder;
  write_arrays(folder, "one", {"a"});
  const auto index = folder.path() / "i.json";
  write_text(index, R"({"x":[{"weight_map":{"a":"two","b":1}},null,[[-1,2.5e3,true]]],"y":"z",)"
                    R"("weight_map":{"a":"one"},"metadata":{"weight_map":3,"total_size":1.0}})");
  EXPECT_EQ(WeightFiles(index).read("a"), three_arrays().tensors.at("a"));
}

// As the hub's library keeps downloads: names are links to files elsewhere.
TEST(WeightFiles, LinksAreFollowed) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "blobs");
  std::filesystem::create_directory(folder.path() / "snapshot");
  write_arrays(folder, "blobs/17", {"a"});
  std::filesystem::create_symlink("../blobs/17", folder.path() / "snapshot" / "model.safetensors");
  EXPECT_EQ(WeightFiles(folder.path() / "snapshot").read("a"), three_arrays().tensors.at("a"));
}

TEST(WeightFiles, CopiesOutliveTheFirst) {
  const TemporaryFolder folder;
  write_arrays(folder, "one", {"a"});
  std::optional<WeightFiles> first(write_index(folder, R"({"a":"one"})"));
  const WeightFiles second = *first;
  first.reset();
  second.drop("a");
  EXPECT_EQ(second.read("a"), three_arrays().tensors.at("a"));
}

// Files of torch.save (tests/goldens/make_torch_files.py), in one and in several.
TEST(WeightFiles, FilesOfTorchAreReadAsThoseOfSafetensors) {
  const std::filesystem::path recorded = std::filesystem::path(DDX_GOLDENS) / "torch_files";
  const TemporaryFolder folder;
  std::filesystem::copy_file(recorded / "strided.pth", folder.path() / "pytorch_model.bin");
  const auto expected = read_torch(recorded / "strided.pth");
  ASSERT_GT(expected.size(), 1U);
  const auto expect_arrays = [](const WeightFiles& weights, const StoredTensors& arrays) {
    EXPECT_EQ(weights.arrays().size(), arrays.size());
    for (int i = 0; i < 2; ++i) {  // Dropped arrays are read again.
      for (const auto& [name, array] : arrays) {
        EXPECT_TRUE(weights.arrays().at(name).bytes.empty());
        EXPECT_EQ(weights.read(name), array) << name;
        Bytes elements(array.bytes.size());
        weights.read_into(name, array.dtype, elements);
        EXPECT_EQ(elements, array.bytes) << name;
        if (array.shape.rank() > 0 && array.shape[0] > 1 && !array.shape.is_empty()) {
          Bytes last(array.bytes.size() / static_cast<std::size_t>(array.shape[0]));
          weights.read_rows_into(name, array.shape[0] - 1, array.dtype, last);
          EXPECT_TRUE(std::equal(last.rbegin(), last.rend(), array.bytes.rbegin())) << name;
        }
        weights.drop(name);
      }
    }
  };
  expect_arrays(WeightFiles(folder.path()), expected);
  std::filesystem::rename(folder.path() / "pytorch_model.bin", folder.path() / "p-1-of-2.bin");
  std::filesystem::copy_file(recorded / "parameters.pth", folder.path() / "p-2-of-2.bin");
  auto both = read_torch(recorded / "parameters.pth");
  nlohmann::json map;
  for (const auto& [name, array] : both) {
    map[name] = "p-2-of-2.bin";
  }
  for (const auto& [name, array] : expected) {
    map[name] = "p-1-of-2.bin";
    both[name] = array;
  }
  std::ofstream(folder.path() / "pytorch_model.bin.index.json")
      << nlohmann::json{{"weight_map", map}};
  const WeightFiles weights(folder.path());
  expect_arrays(weights, both);
  EXPECT_EQ(weights.files().size(), 2U);
  write_arrays(folder, "model.safetensors", {"a"});
  EXPECT_EQ(WeightFiles(folder.path()).arrays().size(), 1U);  // As transformers chooses.
}

TEST(WeightFiles, ArraysOfGgufAreThoseOfTheirView) {
  const auto file = std::filesystem::path(DDX_GOLDENS) / "gguf" / "values.gguf";
  const GgufView view(file);
  for (const WeightFiles& weights : {WeightFiles(file), WeightFiles(view)}) {
    EXPECT_EQ(weights.arrays().size(), view.arrays().size());
    EXPECT_EQ(weights.files(), (std::vector<std::filesystem::path>{file}));
    EXPECT_EQ(weights.read("Q5_K"), view.read("Q5_K"));
    EXPECT_TRUE(weights.arrays().at("Q5_K").bytes.empty());
    EXPECT_EQ(weights.arrays().at("F16").bytes.size(), 12U);
    EXPECT_EQ(weights.group_bits("Q4_0"), 4);
    EXPECT_EQ(weights.group_bits("F32"), std::nullopt);
    EXPECT_FALSE(weights.arrays().at("other").obstacle.empty());
  }
}

TEST(WeightFiles, RowsAreReadWithoutTheOthers) {
  const TemporaryFolder folder;
  TensorFile content;
  content.tensors["m"] = {DType::f32, Shape{2, 1}, Bytes{0, 0, 128, 63, 0, 0, 0, 64}};  // 1 and 2.
  write_safetensors(folder.path() / "model.safetensors", content);
  const WeightFiles weights(folder.path());
  Bytes row(2);
  weights.read_rows_into("m", 1, DType::bf16, row);
  EXPECT_EQ(row, (Bytes{0, 64}));
  EXPECT_EQ(message_of<UsageError>([&] { weights.read_rows_into("m", 2, DType::bf16, row); }),
            "WeightFiles: array \"m\" has 2 rows of 2 bytes as bf16, not 2 bytes from row 2 on");
  EXPECT_EQ(weights.group_bits("m"), std::nullopt);
  EXPECT_EQ(message_of<UsageError>([&] { weights.read_groups("m", 0, row, row); }),
            "WeightFiles: array \"m\" is not in groups of numbers with a scale");
}

TEST(WeightFiles, AFolderHasOneFileOrAnIndex) {
  const TemporaryFolder folder;
  EXPECT_EQ(error_of(folder.path()),
            "WeightFiles: " + folder.path().string() +
                ": has neither model.safetensors nor pytorch_model.bin, nor an index of them");
  write_arrays(folder, "model.safetensors", {"a"});
  (void)write_index(folder, R"({"a":"model.safetensors"})");
  EXPECT_EQ(error_of(folder.path()),
            "WeightFiles: " + folder.path().string() +
                ": has both model.safetensors and model.safetensors.index.json");
}

TEST(WeightFiles, AFileOrAnArrayThatDoesNotMatchTheIndexIsNamed) {
  const TemporaryFolder folder;
  write_arrays(folder, "one", {"a", "c"});
  write_arrays(folder, "two", {"b", "c"});
  const auto error = [&](const std::string& map) { return error_of(write_index(folder, map)); };
  const auto start = [&](const std::string& file) {
    return "WeightFiles: " + (folder.path() / file).string() + ": ";
  };
  EXPECT_EQ(error(R"({"a":"one","c":"one","b":"three"})"),
            start("model.safetensors.index.json") + "lists \"three\", which is missing");
  EXPECT_EQ(error(R"({"a":"one","c":"one","b":"one"})"),
            start("one") + "has no array \"b\", which model.safetensors.index.json lists there");
  EXPECT_EQ(error(R"({"a":"one"})"),
            start("one") + "has array \"c\", which model.safetensors.index.json does not list");
  EXPECT_EQ(error(R"({"a":"one","c":"one","b":"two"})"),
            start("two") + "has array \"c\", which model.safetensors.index.json lists in one");
}

TEST(WeightFiles, ADamagedFileOfTheIndexIsNamed) {
  const TemporaryFolder folder;
  write_text(folder.path() / "one", "short");
  EXPECT_EQ(error_of(write_index(folder, R"({"a":"one"})")),
            "SafetensorsView: " + (folder.path() / "one").string() +
                ": ends at byte 5, inside the length of its header");
}

TEST(WeightFiles, APathThatLeavesTheFolderIsRefused) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "sub");
  write_arrays(folder, "one", {"a"});
  const auto absolute = (folder.path() / "one").string();
  for (const std::string& path :
       {std::string("../one"), std::string("sub/../one"), absolute, std::string("./one"),
        std::string("sub//one"), std::string(), std::string(".."), std::string("one/")}) {
    const auto index = write_index(folder, R"({"a":")" + path + R"("})");
    EXPECT_EQ(error_of(index), "WeightFiles: " + index.string() + ": array \"a\": its file \"" +
                                   path + "\" is no path within the folder of the index");
  }
  const auto index = write_index(folder, R"({"a":"one\u0000"})");
  EXPECT_EQ(error_of(index), "WeightFiles: " + index.string() + ": array \"a\": its file " +
                                 R"("one\u0000" is no path within the folder of the index)");
}

TEST(WeightFiles, AnIndexThatBreaksTheFormatIsRefused) {
  const TemporaryFolder folder;
  write_arrays(folder, "one", {"a"});
  const auto index = folder.path() / "i.json";
  const std::pair<std::string, std::string> cases[] = {
      {"", "byte 0: not JSON"},
      {"{", "byte 1: not JSON"},
      {"{} x", "byte 3: not JSON"},
      {std::string("{}\0", 3), "byte 2: not JSON"},
      {"[]", "is no JSON object"},
      {"3", "is no JSON object"},
      {"{}", "has no weight_map"},
      {R"({"x":1e999})", "holds a number that is too large"},
      {R"({"weight_map":3})", "weight_map is not an object"},
      {R"({"weight_map":["a"]})", "weight_map is not an object"},
      {R"({"weight_map":{},"weight_map":{}})", "has two fields weight_map"},
      {R"({"weight_map":{"a":1}})", R"(array "a": its file is not a string)"},
      {R"({"weight_map":{"a":{}}})", R"(array "a": its file is not a string)"},
      {R"({"weight_map":{"a":["one"]}})", R"(array "a": its file is not a string)"},
      {R"({"weight_map":{"a":"one","a":"one"}})", R"(array "a": named twice)"},
      {R"({"weight_map":)" + std::string(100'000, '['), "weight_map is not an object"},
      {R"({"x":)" + std::string(100'000, '['), "byte 100005: not JSON"},
  };
  for (const auto& [text, message] : cases) {
    write_text(index, text);
    EXPECT_EQ(error_of(index), "WeightFiles: " + index.string() + ": " + message)
        << text.substr(0, 100);
  }
}

TEST(WeightFiles, ALongIndexOrHeaderIsRefused) {
  const TemporaryFolder folder;
  write_arrays(folder, "one", {"a"});
  const auto index = write_index(folder, R"({"a":"one"})");
  EXPECT_NE(error_of(index, {.max_index_bytes = 10}).find(index.string()), std::string::npos);
  EXPECT_NE(error_of(index, {.max_header_bytes = 10}).find("at most 10 are accepted"),
            std::string::npos);
}

TEST(WeightFiles, AnArrayThatIsNotThereIsAnError) {
  const TemporaryFolder folder;
  write_arrays(folder, "model.safetensors", {"a"});
  const WeightFiles weights(folder.path());
  const auto expected = "WeightFiles: " + folder.path().string() + " has no array \"x\"";
  EXPECT_EQ(message_of<UsageError>([&] { (void)weights.read("x"); }), expected);
  EXPECT_EQ(message_of<UsageError>([&] { (void)weights.file_of("x"); }), expected);
  EXPECT_EQ(message_of<UsageError>([&] { weights.drop("x"); }), expected);
}

TEST(WeightFiles, WhatFitsIsWrittenIntoOneFile) {
  const TemporaryFolder folder;
  write_weight_files(folder.path() / "new", three_arrays(), {.max_file_bytes = 6});
  EXPECT_EQ(read_safetensors(folder.path() / "new" / "model.safetensors"), three_arrays());
  EXPECT_EQ(all_of(WeightFiles(folder.path() / "new")), three_arrays().tensors);
}

TEST(WeightFiles, WhatDoesNotFitIsWrittenIntoSeveralFiles) {
  const TemporaryFolder folder;
  write_weight_files(folder.path(), three_arrays(), {.max_file_bytes = 3, .checksum = true});
  EXPECT_EQ(folder.entry_count(), 3);
  const auto text = bytes_of(folder.path() / "model.safetensors.index.json");
  EXPECT_EQ(nlohmann::json::parse(text),
            nlohmann::json::parse(R"({"metadata":{"total_size":6},"weight_map":{)"
                                  R"("a":"model-00001-of-00002.safetensors",)"
                                  R"("b":"model-00001-of-00002.safetensors",)"
                                  R"("c":"model-00002-of-00002.safetensors"}})"));
  for (const auto* const file :
       {"model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"}) {
    const auto content =
        read_safetensors(folder.path() / file, {.checksum = ChecksumUse::Required});
    EXPECT_EQ(content.metadata, three_arrays().metadata);
  }
  EXPECT_EQ(all_of(WeightFiles(folder.path(), {.checksum = ChecksumUse::Required})),
            three_arrays().tensors);
}

TEST(WeightFiles, AnArrayBeyondTheLimitHasAFileOfItsOwn) {
  const TemporaryFolder folder;
  write_weight_files(folder.path(), three_arrays(), {.max_file_bytes = 1, .stem = "x"});
  const WeightFiles weights(folder.path() / "x.safetensors.index.json");
  EXPECT_EQ(all_of(weights), three_arrays().tensors);
  EXPECT_EQ(weights.file_of("c"), folder.path() / "x-00003-of-00003.safetensors");
}

TEST(WeightFiles, NoArraysAreOneFile) {
  const TemporaryFolder folder;
  write_weight_files(folder.path(), {});
  EXPECT_TRUE(WeightFiles(folder.path()).arrays().empty());
}

// Also from several files to as many others, whose names are the same.
TEST(WeightFiles, FilesOfAnEarlierCallAreReplacedOrRemoved) {
  const TemporaryFolder folder;
  write_text(folder.path() / "model-1-of-2.safetensors", "");
  write_text(folder.path() / "other-00001-of-00002.safetensors", "");
  auto content = three_arrays();
  for (const std::uint64_t most : {3U, 1U, 6U, 3U, 3U, 6U, 1U}) {
    content.tensors["b"].bytes[0] += 1;
    write_weight_files(folder.path(), content, {.max_file_bytes = most});
    EXPECT_EQ(all_of(WeightFiles(folder.path())), content.tensors) << most;
    EXPECT_EQ(folder.entry_count(), 2 + (most == 3 ? 3 : most == 1 ? 4 : 1)) << most;
  }
}

TEST(WeightFiles, WhatCannotBeWrittenLeavesTheFolderAsItWas) {
  const TemporaryFolder folder;
  write_weight_files(folder.path(), three_arrays());
  const auto error = [&](const TensorFile& content, const WeightFilesWriteOptions& options) {
    return message_of<UsageError>([&] { write_weight_files(folder.path(), content, options); });
  };
  auto content = three_arrays();
  content.tensors["c"].bytes.pop_back();
  EXPECT_EQ(error(content, {.max_file_bytes = 3}),
            "write_weight_files: array \"c\" of dtype u8 and shape [3] takes 3 bytes, it has 2");
  content.tensors["c"] = {DType::c128, Shape{0}, {}};
  EXPECT_EQ(error(content, {.max_file_bytes = 1}),
            "write_weight_files: c: the format has no element type for c128");
  content = three_arrays();
  content.tensors["\xff"] = content.tensors["a"];
  EXPECT_EQ(error(content, {}), "write_weight_files: a name or remark is not UTF-8");
  EXPECT_EQ(error(three_arrays(), {.max_file_bytes = 0}),
            "write_weight_files: WeightFilesWriteOptions::max_file_bytes is 0");
  for (const std::string stem : {"", "a/b"}) {
    EXPECT_EQ(error(three_arrays(), {.stem = stem}),
              "write_weight_files: the stem is empty or no file name");
  }
  // The second of two files cannot be replaced; neither is.
  std::filesystem::create_directory(folder.path() / "model-00002-of-00002.safetensors");
  EXPECT_EQ(message_of<EnvironmentError>(
                [&] { write_weight_files(folder.path(), three_arrays(), {.max_file_bytes = 3}); }),
            "write_weight_files: cannot write " +
                (folder.path() / "model-00002-of-00002.safetensors").string() + ": Is a directory");
  EXPECT_EQ(all_of(WeightFiles(folder.path())), three_arrays().tensors);
  EXPECT_EQ(folder.entry_count(), 2);
}

}  // namespace weight_files_test
}  // namespace ddx::io
