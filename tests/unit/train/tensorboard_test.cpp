#include "ddx/train/tensorboard.h"

#include "ddx/core/error.h"
#include "ddx/io/image.h"
#include "ddx/io/png.h"
#include "ddx/io/tfrecord.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/temporary_folder.h"
#include "tests/support/tensorboard_log.h"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <span>
#include <vector>

namespace ddx::train {
namespace tensorboard_test {

using ddx::testing::bytes_of;
using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;

using Bytes = std::vector<std::uint8_t>;

/// The options of a log at second 1.5 of 1970.
TensorBoardOptions early() {
  return {.buckets = 2,
          .clock =
              [] { return std::chrono::system_clock::time_point(std::chrono::milliseconds(1500)); },
          .host = "here"};
}

/// The content of the file beyond its first events.
Bytes rest_of(const TensorBoardLog& log, std::uint64_t start) {
  const auto bytes = bytes_of(log.file());
  return {bytes.begin() + static_cast<std::ptrdiff_t>(start), bytes.end()};
}

/// The double 1.5 as the time of an event: field 1 of kind 1.
const Bytes time_bytes = {0x09, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F};

Bytes joined(std::initializer_list<Bytes> parts) {
  Bytes all;
  for (const auto& part : parts) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

TEST(TensorBoard, AFileBeginsWithItsVersion) {
  const TemporaryFolder folder;
  const TensorBoardLog log(folder.path() / "new" / "run", early());
  EXPECT_EQ(log.file(), folder.path() / "new" / "run" / "events.out.tfevents.0000000001.here");
  // Field 3 of kind 2: 13 bytes.
  const Bytes version = {0x1A, 13, 'b', 'r', 'a', 'i', 'n', '.', 'E', 'v', 'e', 'n', 't', ':', '2'};
  EXPECT_EQ(bytes_of(log.file()), io::tfrecord(joined({time_bytes, version})));
}

TEST(TensorBoard, AScalarIsInTheFileAtOnce) {
  const TemporaryFolder folder;
  TensorBoardLog log(folder.path(), early());
  const auto start = bytes_of(log.file()).size();
  log.scalar("a", 0.5, 300);
  // Event: step (2) 300 = 0b10'0101100, summary (5) of 10 bytes. Summary: value (1) of 8 bytes.
  // Value: tag (1) "a", simple_value (2) as float 0x3F000000.
  const Bytes event = {0x10, 0xAC, 0x02, 0x2A, 10, 0x0A, 8, 0x0A, 1, 'a', 0x15, 0, 0, 0, 0x3F};
  EXPECT_EQ(rest_of(log, start), io::tfrecord(joined({time_bytes, event})));
}

TEST(TensorBoard, AHistogramCountsInBucketsOfEqualWidth) {
  const TemporaryFolder folder;
  TensorBoardLog log(folder.path(), early());
  const auto start = bytes_of(log.file()).size();
  log.histogram("h", Tensor<float>{{0, 1}, {2, 0}}, 0);
  // Buckets [0, 1) and [1, 2]: 2 and 2 values. Their sum is 3, that of their squares 5.
  const Bytes histogram = joined({
      {0x09, 0, 0, 0, 0, 0, 0, 0, 0},        // min 0
      {0x11, 0, 0, 0, 0, 0, 0, 0, 0x40},     // max 2
      {0x19, 0, 0, 0, 0, 0, 0, 0x10, 0x40},  // num 4
      {0x21, 0, 0, 0, 0, 0, 0, 0x08, 0x40},  // sum 3
      {0x29, 0, 0, 0, 0, 0, 0, 0x14, 0x40},  // sum_squares 5
      {0x32, 16},                            // bucket_limit, packed
      {0, 0, 0, 0, 0, 0, 0xF0, 0x3F},        // 1
      {0, 0, 0, 0, 0, 0, 0, 0x40},           // 2
      {0x3A, 16},                            // bucket, packed
      {0, 0, 0, 0, 0, 0, 0, 0x40},           // 2
      {0, 0, 0, 0, 0, 0, 0, 0x40},           // 2
  });
  ASSERT_EQ(histogram.size(), 81U);
  const Bytes head = {0x10, 0, 0x2A, 88, 0x0A, 86, 0x0A, 1, 'h', 0x2A, 81};
  EXPECT_EQ(rest_of(log, start), io::tfrecord(joined({time_bytes, head, histogram})));
}

TEST(TensorBoard, EqualValuesAreOneBucket) {
  const TemporaryFolder folder;
  TensorBoardLog log(folder.path(), early());
  const std::vector<double> twice = {2, 2};
  log.histogram("h", std::span<const double>(twice), 0);
  const auto bytes = bytes_of(log.file());
  // At its end, before the checksum: limits {2} and counts {2}.
  const Bytes end = {0x32, 8, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x3A, 8, 0, 0, 0, 0, 0, 0, 0, 0x40};
  EXPECT_EQ(Bytes(bytes.end() - 24, bytes.end() - 4), end);
}

TEST(TensorBoard, APictureIsAPngWithItsSize) {
  const TemporaryFolder folder;
  TensorBoardLog log(folder.path(), early());
  const auto start = bytes_of(log.file()).size();
  const io::Image picture(3, 2, {1, 2, 3});
  log.image("i", picture, 1);
  const auto png = io::encode_png(picture);
  ASSERT_LT(png.size(), 110U);  // All lengths take one byte.
  const auto length = [&](std::size_t more) {
    return static_cast<std::uint8_t>(png.size() + more);
  };
  const Bytes head = {0x10, 1,    0x2A, length(15), 0x0A,     length(13), 0x0A,
                      1,    'i',  0x22, length(8),  0x08,     2,          0x10,
                      3,    0x18, 3,    0x22,       length(0)};
  EXPECT_EQ(rest_of(log, start), io::tfrecord(joined({time_bytes, head, png})));
}

TEST(TensorBoard, RecordsBecomeCurves) {
  const TemporaryFolder folder;
  TensorBoardLog sunk(folder.path() / "a", early());
  TensorBoardLog direct(folder.path() / "b", early());
  sunk.sink()({.epoch = 1, .step = 7, .values = {{"loss", 0.25}, {"accuracy", 1}}});
  direct.scalar("loss", 0.25, 7);
  direct.scalar("accuracy", 1, 7);
  EXPECT_EQ(bytes_of(sunk.file()), bytes_of(direct.file()));
}

TEST(TensorBoard, TwoLogsOfOneSecondAreTwoFiles) {
  const TemporaryFolder folder;
  const TensorBoardLog first(folder.path(), early());
  const TensorBoardLog second(folder.path(), early());
  EXPECT_NE(first.file(), second.file());
  EXPECT_EQ(bytes_of(first.file()), bytes_of(second.file()));
}

TEST(TensorBoard, TheFileThatTheReaderReadIsStillTheSame) {
  // tests/integration/tensorboard_test.py compares what TensorBoard's reader finds in it.
  const TemporaryFolder folder;
  EXPECT_EQ(bytes_of(ddx::testing::write_tensorboard_log(folder.path(), {.with_picture = false})),
            bytes_of(DDX_GOLDENS "/tensorboard.tfevents"));
}

TEST(TensorBoard, MistakesAreNamedAndNothingIsWritten) {
  const TemporaryFolder folder;
  TensorBoardLog log(folder.path(), early());
  const auto size = bytes_of(log.file()).size();
  EXPECT_EQ(message_of<UsageError>([&] { log.histogram("h", zeros<float>({0}), 0); }),
            "TensorBoardLog: histogram \"h\": 0 of 0 values are finite");
  EXPECT_EQ(
      message_of<UsageError>([&] { log.histogram("h", Tensor<float>{1, NAN, HUGE_VALF}, 0); }),
      "TensorBoardLog: histogram \"h\": 1 of 3 values are finite");
  EXPECT_EQ(message_of<UsageError>([&] { log.image("i", io::Image(0, 1, {}), 0); }),
            "encode_png: a picture of 0 by 1 points has no point");
  EXPECT_EQ(bytes_of(log.file()).size(), size);
  EXPECT_EQ(message_of<UsageError>([&] { TensorBoardLog(folder.path(), {.buckets = 0}); }),
            "TensorBoardLog: 0 buckets, at least 1 is required");
}

}  // namespace tensorboard_test
}  // namespace ddx::train
