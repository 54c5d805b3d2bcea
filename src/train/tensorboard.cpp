#include "ddx/train/tensorboard.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/core/file.h"
#include "ddx/io/append_file.h"
#include "ddx/io/folder.h"
#include "ddx/io/image.h"
#include "ddx/io/png.h"
#include "ddx/io/tfrecord.h"
#include "ddx/train/record.h"

#include "train/detail/wire.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <span>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ddx::train {
namespace {

using detail::Message;

constexpr const char* operation = "TensorBoardLog";

// Numbers of fields, by message.
constexpr std::uint32_t event_wall_time = 1;
constexpr std::uint32_t event_step = 2;
constexpr std::uint32_t event_file_version = 3;
constexpr std::uint32_t event_summary = 5;
constexpr std::uint32_t summary_value = 1;
constexpr std::uint32_t value_tag = 1;
constexpr std::uint32_t value_simple_value = 2;
constexpr std::uint32_t value_image = 4;
constexpr std::uint32_t value_histogram = 5;
constexpr std::uint32_t image_height = 1;
constexpr std::uint32_t image_width = 2;
constexpr std::uint32_t image_colorspace = 3;
constexpr std::uint32_t image_encoded = 4;
constexpr std::int64_t image_rgb = 3;
constexpr std::uint32_t histogram_min = 1;
constexpr std::uint32_t histogram_max = 2;
constexpr std::uint32_t histogram_count = 3;
constexpr std::uint32_t histogram_sum = 4;
constexpr std::uint32_t histogram_sum_of_squares = 5;
constexpr std::uint32_t histogram_limits = 6;
constexpr std::uint32_t histogram_buckets = 7;

double seconds(std::chrono::system_clock::time_point time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "localhost";
}

/// A name in the folder that is not taken; TensorBoard sorts the files by it.
std::filesystem::path new_file(const std::filesystem::path& folder,
                               const TensorBoardOptions& options) {
  if (options.buckets < 1) {
    throw UsageError(operation,
                     std::to_string(options.buckets) + " buckets, at least 1 is required");
  }
  io::prepare_folder(folder, operation);
  std::string time =
      std::to_string(static_cast<std::int64_t>(std::floor(seconds(options.clock()))));
  time.insert(0, 10 - std::min<std::size_t>(10, time.size()), '0');
  const std::string name =
      "events.out.tfevents." + time + "." + (options.host.empty() ? host_name() : options.host);
  auto file = folder / name;
  for (int number = 1; file_exists(file, operation); ++number) {
    file = folder / (name + "." + std::to_string(number));
  }
  return file;
}

void write(io::AppendFile& events, const Message& message) {
  events.append(io::tfrecord(message.content()));
}

/// An event with a summary of one value.
Message summary_of(const Message& content, std::int64_t step,
                   std::chrono::system_clock::time_point time) {
  return Message()
      .real(event_wall_time, seconds(time))
      .integer(event_step, step)
      .bytes(event_summary, Message().bytes(summary_value, content.content()).content());
}

}  // namespace

TensorBoardLog::TensorBoardLog(const std::filesystem::path& folder, TensorBoardOptions options) try
    : options_(std::move(options)), file_(new_file(folder, options_)), events_(file_, operation) {
  write(events_, Message()
                     .real(event_wall_time, seconds(options_.clock()))
                     .text(event_file_version, "brain.Event:2"));
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("TensorBoardLog");
}

void TensorBoardLog::scalar(const std::string& tag, double value, std::int64_t step) try {
  const auto content =
      Message().text(value_tag, tag).real(value_simple_value, static_cast<float>(value));
  write(events_, summary_of(content, step, options_.clock()));
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("TensorBoardLog");
}

void TensorBoardLog::histogram(const std::string& tag, std::span<const double> values,
                               std::int64_t step) try {
  const auto finite = std::count_if(values.begin(), values.end(),
                                    [](double value) { return std::isfinite(value); });
  if (values.empty() || static_cast<std::size_t>(finite) != values.size()) {
    throw UsageError(operation, "histogram \"" + tag + "\": " + std::to_string(finite) + " of " +
                                    std::to_string(values.size()) + " values are finite");
  }
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  const double min = *least;
  const double max = *greatest;
  // One value is one bucket.
  const auto count = min == max ? std::size_t{1} : static_cast<std::size_t>(options_.buckets);
  std::vector<double> limits(count);
  std::vector<double> buckets(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double share = static_cast<double>(i + 1) / static_cast<double>(count);
    limits[i] = i + 1 == count ? max : min * (1 - share) + max * share;
  }
  double sum = 0;
  double sum_of_squares = 0;
  for (const double value : values) {
    // The last limit is the greatest value. A bucket ends before its limit, except for the last.
    const auto place = std::upper_bound(limits.begin(), limits.end() - 1, value) - limits.begin();
    buckets[static_cast<std::size_t>(place)] += 1;
    sum += value;
    sum_of_squares += value * value;
  }
  const auto proto = Message()
                         .real(histogram_min, min)
                         .real(histogram_max, max)
                         .real(histogram_count, static_cast<double>(values.size()))
                         .real(histogram_sum, sum)
                         .real(histogram_sum_of_squares, sum_of_squares)
                         .reals(histogram_limits, limits)
                         .reals(histogram_buckets, buckets);
  const auto content = Message().text(value_tag, tag).bytes(value_histogram, proto.content());
  write(events_, summary_of(content, step, options_.clock()));
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("TensorBoardLog");
}

void TensorBoardLog::image(const std::string& tag, const io::Image& picture,
                           std::int64_t step) try {
  const auto proto = Message()
                         .integer(image_height, static_cast<std::int64_t>(picture.height()))
                         .integer(image_width, static_cast<std::int64_t>(picture.width()))
                         .integer(image_colorspace, image_rgb)
                         .bytes(image_encoded, io::encode_png(picture));
  const auto content = Message().text(value_tag, tag).bytes(value_image, proto.content());
  write(events_, summary_of(content, step, options_.clock()));
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("TensorBoardLog");
}

Sink TensorBoardLog::sink() {
  return [this](const Record& record) {
    for (const auto& [name, number] : record.values) {
      scalar(name, number, record.step);
    }
  };
}

}  // namespace ddx::train
