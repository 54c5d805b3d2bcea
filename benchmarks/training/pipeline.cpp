#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/data/epoch.h"
#include "ddx/data/images/color.h"
#include "ddx/data/images/crop.h"
#include "ddx/data/images/flip.h"
#include "ddx/data/images/resize.h"
#include "ddx/data/prefetched.h"
#include "ddx/data/sets/cropped_image_files.h"
#include "ddx/data/sets/image_folder.h"
#include "ddx/data/training_epochs.h"
#include "ddx/io/image_tensor.h"
#include "ddx/io/jpeg.h"
#include "ddx/tensor.h"

#include "data/images/detail/crop_choice.h"
#include "data/images/detail/resampled_points.h"
#include "long_order.h"
#include "row.h"
#include "tables.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::bench {
namespace {

using data::CropOptions;
using data::detail::ChosenCrop;

constexpr std::int64_t side = 224;
constexpr std::int64_t default_batch = 32;

/// The part of a picture that a key chooses.
ChosenCrop crop_of(const io::JpegFile& file, RandomKey key) {
  return data::detail::random_crop_of({.height = static_cast<std::int64_t>(file.height()),
                                       .width = static_cast<std::int64_t>(file.width())},
                                      {}, key);
}

io::JpegPart part_of(const CropOptions& rectangle) {
  return {.top = static_cast<std::size_t>(rectangle.top),
          .left = static_cast<std::size_t>(rectangle.left),
          .height = static_cast<std::size_t>(rectangle.height),
          .width = static_cast<std::size_t>(rectangle.width)};
}

/// A sample by operations on tensors, which compute what the data set does in one pass.
Tensor<float> by_tensors(const data::LabelledFile& file, RandomKey key) {
  const auto [rectangle, is_flipped] = crop_of(io::JpegFile(file.file), key);
  const auto whole = io::to_tensor(io::read_jpeg(file.file));
  auto points = data::resized(data::cropped(whole, rectangle),
                              {.height = side, .width = side, .antialias = true});
  if (is_flipped) {
    points = data::flipped(points, data::Flip::LeftRight);
  }
  const data::ImageFileOptions options;
  return data::channels_normalized(points, options.mean, options.deviation);
}

std::vector<std::int64_t> first_samples(std::int64_t count, std::size_t files) {
  std::vector<std::int64_t> samples(std::min(static_cast<std::size_t>(count), files));
  std::iota(samples.begin(), samples.end(), std::int64_t{0});
  return samples;
}

/// The key of the i-th sample of a batch.
RandomKey key_of(std::size_t i) {
  return RandomKey(7).fold_in(i);
}

/// The stages one after the other, each with what the stage before it has made of some files.
class Stages {
 public:
  explicit Stages(std::vector<data::LabelledFile> files) : files_(std::move(files)) {
    for (std::size_t i = 0; i < files_.size(); ++i) {
      opened_.emplace_back(files_[i].file);
      crops_.push_back(crop_of(opened_[i], key_of(i)));
      parts_.push_back(opened_[i].part(part_of(crops_[i].rectangle)));
    }
    points_.resize(files_.size() * sample_size);
  }

  [[nodiscard]] std::size_t read() const {
    return std::accumulate(files_.begin(), files_.end(), std::size_t{0},
                           [](std::size_t sum, const auto& file) {
                             return sum + (io::JpegFile(file.file).width() > 0 ? 1 : 0);
                           });
  }
  [[nodiscard]] std::size_t decode_whole() const {
    std::size_t done = 0;
    for (const auto& file : opened_) {
      done += file.part({.height = file.height(), .width = file.width()}).width() > 0 ? 1 : 0;
    }
    return done;
  }
  [[nodiscard]] std::size_t decode() const {
    std::size_t done = 0;
    for (std::size_t i = 0; i < opened_.size(); ++i) {
      done += opened_[i].part(part_of(crops_[i].rectangle)).width() > 0 ? 1 : 0;
    }
    return done;
  }
  [[nodiscard]] std::size_t augment() {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const auto& part = parts_[i];
      data::detail::resample(part,
                             {.bottom = static_cast<double>(part.height()),
                              .right = static_cast<double>(part.width()),
                              .height = side,
                              .width = side,
                              .is_flipped = crops_[i].is_flipped},
                             std::span(points_).subspan(i * sample_size, sample_size));
    }
    return parts_.size();
  }
  [[nodiscard]] std::size_t collate() const {
    const auto count = static_cast<std::int64_t>(files_.size());
    return static_cast<std::size_t>(
        Tensor<float>({count, side, side, 3}, std::span<const float>(points_)).shape()[0]);
  }
  [[nodiscard]] std::size_t by_tensors() const {
    for (std::size_t i = 0; i < files_.size(); ++i) {
      (void)bench::by_tensors(files_[i], key_of(i));
    }
    return files_.size();
  }

 private:
  static constexpr auto sample_size = static_cast<std::size_t>(3 * side * side);

  std::vector<data::LabelledFile> files_;
  std::vector<io::JpegFile> opened_;
  std::vector<ChosenCrop> crops_;
  std::vector<io::Image> parts_;
  std::vector<float> points_;
};

std::vector<data::LabelledFile> spread_files(const Setting& setting, std::size_t most) {
  const auto all = data::read_image_folder(setting.images).files;
  std::vector<data::LabelledFile> chosen;
  const std::size_t step = std::max<std::size_t>(1, all.size() / most);
  for (std::size_t i = 0; i < all.size() && chosen.size() < most; i += step) {
    chosen.push_back(all[i]);
  }
  return chosen;
}

/// Whole batches, by as many threads as there are processors.
Row batches_row(const data::CroppedImageFiles& files, const Setting& setting) {
  const std::int64_t batch_size = setting.batch == 0 ? default_batch : setting.batch;
  const data::TrainingEpochs epochs(files, {.batch_size = batch_size, .order = long_order});
  const auto epoch = epochs[0];
  data::Prefetched batches(epoch, 0, epoch.size(),
                           {.threads = setting.threads, .ahead = 2 * setting.threads});
  return measured_rate({.name = "pipeline.batches", .device = "", .threads = setting.threads},
                       setting.seconds, [&] {
                         constexpr std::int64_t at_once = 16;
                         for (std::int64_t i = 0; i < at_once; ++i) {
                           (void)batches.next();
                         }
                         return at_once * batch_size;
                       });
}

}  // namespace

void verify_pipeline(const Setting& setting) {
  constexpr std::size_t compared = 16;
  const auto files = spread_files(setting, compared);
  const RandomKey key(7);
  const auto samples = first_samples(compared, files.size());
  const auto batch = data::CroppedImageFiles(files).batch(samples, key);
  const auto values = batch.images.elements();
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto expected = by_tensors(files[i], key.fold_in(i));
    if (batch.labels.elements()[i] != files[i].label) {
      throw InternalError("bench pipeline", fmt::format("sample {} has another label", i));
    }
    for (std::size_t k = 0; k < expected.count(); ++k) {
      const double ours = values[i * expected.count() + k];
      const double theirs = expected.elements()[k];
      if (!(std::abs(ours - theirs) <= 1e-4 * (1 + std::abs(theirs)))) {
        throw InternalError("bench pipeline",
                            fmt::format("element {} of {} is {}, by operations on tensors {}", k,
                                        files[i].file.string(), ours, theirs));
      }
    }
  }
}

std::vector<Row> pipeline_rows(const Setting& setting) {
  constexpr std::size_t measured = 64;
  std::vector<Row> rows;
  // Stages and operations on tensors are single threads' work; more of them say nothing new.
  if (setting.threads == 1) {
    Stages stages(spread_files(setting, measured));
    const auto add = [&](const std::string& name, const auto& activity) {
      rows.push_back(measured_rate({.name = "pipeline." + name, .device = "", .threads = 1},
                                   setting.seconds, activity));
    };
    add("read", [&] { return stages.read(); });
    add("decode_whole", [&] { return stages.decode_whole(); });
    add("decode", [&] { return stages.decode(); });
    add("augment", [&] { return stages.augment(); });
    add("collate", [&] { return stages.collate(); });
    add("by_tensors", [&] { return stages.by_tensors(); });
  }
  const data::CroppedImageFiles files(data::read_image_folder(setting.images).files);
  rows.push_back(batches_row(files, setting));
  return rows;
}

}  // namespace ddx::bench
