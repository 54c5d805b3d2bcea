// Kinds of files beside PyTorch: see tests/support/recorded_packaged_model.h.

#include "ddx/models/files/file_kind.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/models/files/file_kind_options.h"
#include "ddx/tensor/softmax.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/configured_folder.h"
#include "tests/support/recorded_packaged_model.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::models {
namespace file_kind_test {

using ddx::testing::message_of;
using ddx::testing::thrown;

using Bytes = std::vector<std::int32_t>;

const FileKindOptions small{
    .kinds = 6, .end = 16, .features = 4, .group = 4, .channels = 5, .kernel = 3};

TEST(FileKind, HasTheScoresAndTheGradientOfPyTorch) {
  ddx::testing::expect_recorded_packaged_model<FileKind>(
      "file_kind", small,
      [](auto, Device device) {
        const auto content =
            ddx::testing::recorded_packaged_model("file_kind").at("content").get<Bytes>();
        return Tensor<std::int32_t>({2, 32}, content, device);
      },
      [](const auto& model, const auto& content) { return model(content); },
      [](const auto& scores) {
        return softmax_cross_entropy(
            scores, Tensor<std::int32_t>({2}, std::vector<std::int32_t>{1, 4}, scores.device()));
      });
}

Bytes read(const std::string& content) {
  return file_bytes(std::vector<std::uint8_t>(content.begin(), content.end()), {.end = 4});
}

TEST(FileKind, ReadsBothEndsWithoutBlanks) {
  EXPECT_EQ(read("abcdefgh"), (Bytes{'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'}));
  EXPECT_EQ(read("abcdef"), (Bytes{'a', 'b', 'c', 'd', 'c', 'd', 'e', 'f'}));
  EXPECT_EQ(read(" \t\n\v\f\rabcdef\n"), (Bytes{'a', 'b', 'c', 'd', 'c', 'd', 'e', 'f'}));
  EXPECT_EQ(read("  ab"), (Bytes{'a', 'b', 256, 256, ' ', ' ', 'a', 'b'}));
  EXPECT_EQ(read("ab\n\n"), (Bytes{'a', 'b', '\n', '\n', 256, 256, 'a', 'b'}));
  EXPECT_EQ(read(""), (Bytes{256, 256, 256, 256, 256, 256, 256, 256}));
  EXPECT_EQ(read("  "), (Bytes{256, 256, 256, 256, 256, 256, 256, 256}));
  EXPECT_EQ(read("\xff"), (Bytes{255, 256, 256, 256, 256, 256, 256, 255}));
  // Of 4096 bytes at each end.
  const std::string blanks(4095, ' ');
  EXPECT_EQ(read(blanks + "abc"), (Bytes{'a', 256, 256, 256, ' ', 'a', 'b', 'c'}));
  EXPECT_EQ(read("abc" + blanks), (Bytes{'a', 'b', 'c', ' ', 256, 256, 256, 'c'}));
  const ddx::testing::TemporaryFolder folder;
  const std::vector<std::uint8_t> content{'x', 'y', 'z', '.'};
  EXPECT_EQ(file_bytes(folder.write("a", content), {.end = 2}), (Bytes{'x', 'y', 'z', '.'}));
  EXPECT_EQ(file_bytes(folder.write("empty", {}), {.end = 1}), (Bytes{256, 256}));
  EXPECT_NE(message_of<EnvironmentError>([&] {
              (void)file_bytes(folder.path() / "b");
            }).find("file_bytes: "),
            std::string::npos);
}

TEST(FileKind, HasThePublishedNumberOfParameters) {
  FileKind<float> model;
  // 257 x 64 + 64, two of 2 x 512, 5 x 256 x 512 + 512, 512 x 214 + 214.
  EXPECT_EQ(ddx::testing::parameters_of(model), 784'214U);
}

TEST(FileKind, OptionsComeFromTheConfiguration) {
  using ddx::testing::ConfiguredFolder;
  const ConfiguredFolder folder(
      R"({"beg_size": 8, "end_size": 8, "mid_size": 0, "target_labels_space": ["a", "b", "c"]})");
  EXPECT_EQ(folder.options<FileKindOptions>(), (FileKindOptions{.kinds = 3, .end = 8}));
  const auto error = [](const std::string& text) {
    return ConfiguredFolder(text).error<FileKindOptions>();
  };
  EXPECT_EQ(error(R"({"target_labels_space": ["a"], "mid_size": 8})"),
            "mid_size is 8, only 0 is supported");
  EXPECT_EQ(error(R"({"target_labels_space": ["a"], "end_size": 8})"),
            "end_size is 8, only 1024 is supported");
  EXPECT_EQ(error(R"({"target_labels_space": ["a"], "block_size": 8})"),
            "block_size is 8, only 4096 is supported");
}

TEST(FileKind, MistakesAreAnError) {
  EXPECT_EQ(message_of<UsageError>([] { FileKind<float>({.end = 3}); }),
            "FileKind: 2 end is 6, no multiple of group, which is 4");
  EXPECT_EQ(message_of<UsageError>([] { FileKind<float>({.end = 8}); }),
            "FileKind: 2 end / group is 4, at least 5 is required");
  EXPECT_EQ(message_of<UsageError>([] { FileKind<float>({.kinds = 0}); }),
            "FileKind: kinds is 0, at least 1 is required");
  const FileKind<float> model(small);
  EXPECT_EQ(thrown<UsageError>([&] { (void)model(zeros<std::int32_t>({1, 16})); }),
            "FileKind: the content is [1, 16], expected [n, 32] (here)");
}

}  // namespace file_kind_test
}  // namespace ddx::models
