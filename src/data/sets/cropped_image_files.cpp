#include "ddx/data/sets/cropped_image_files.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/data/detail/picture_files.h"
#include "ddx/data/image_dataset.h"
#include "ddx/data/images/crop.h"
#include "ddx/data/samples.h"
#include "ddx/data/sets/image_folder.h"
#include "ddx/io/image.h"
#include "ddx/io/jpeg.h"
#include "ddx/tensor/tensor.h"

#include "data/images/detail/crop_choice.h"
#include "data/images/detail/resampled_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::data {
namespace {

using detail::ChosenCrop;
using detail::PictureExtents;

PictureExtents extents_of(std::size_t height, std::size_t width) {
  return {.height = static_cast<std::int64_t>(height), .width = static_cast<std::int64_t>(width)};
}

/// The points of a part, and where that lies in them.
struct ReadCrop {
  io::Image image;
  detail::Resampling where;
};

/// The strongest reduction after which a part is not smaller than the sample.
std::size_t reduction_for(const CropOptions& part, const ImageFileOptions& sample) {
  std::int64_t reduction = 8;
  while (reduction > 1 &&
         (part.height < reduction * sample.height || part.width < reduction * sample.width)) {
    reduction /= 2;
  }
  return static_cast<std::size_t>(reduction);
}

/// Reads the part of a JPEG file.
ReadCrop jpeg_crop(const io::JpegFile& file, const CropOptions& part,
                   const ImageFileOptions& sample) {
  const std::size_t reduction = reduction_for(part, sample);
  auto image = file.part({.top = static_cast<std::size_t>(part.top),
                          .left = static_cast<std::size_t>(part.left),
                          .height = static_cast<std::size_t>(part.height),
                          .width = static_cast<std::size_t>(part.width),
                          .reduction = reduction});
  const auto r = static_cast<double>(reduction);
  const auto first_row = static_cast<double>(static_cast<std::size_t>(part.top) / reduction);
  const auto first_column = static_cast<double>(static_cast<std::size_t>(part.left) / reduction);
  return {.image = std::move(image),
          .where = {.top = static_cast<double>(part.top) / r - first_row,
                    .left = static_cast<double>(part.left) / r - first_column,
                    .bottom = static_cast<double>(part.top + part.height) / r - first_row,
                    .right = static_cast<double>(part.left + part.width) / r - first_column}};
}

/// Reads a picture, and what `choose` takes of it, into `into`.
template <class Choose>
void read_crop(const std::filesystem::path& file, const ImageFileOptions& sample,
               const Choose& choose, std::span<float> into) {
  std::optional<ReadCrop> crop;
  ChosenCrop chosen;
  if (detail::is_jpeg_name(file)) {
    const io::JpegFile jpeg(file);
    chosen = choose(extents_of(jpeg.height(), jpeg.width()));
    crop = jpeg_crop(jpeg, chosen.rectangle, sample);
  } else {
    auto image = detail::read_picture(file);
    chosen = choose(extents_of(image.height(), image.width()));
    const auto& part = chosen.rectangle;
    crop = ReadCrop{.image = std::move(image),
                    .where = {.top = static_cast<double>(part.top),
                              .left = static_cast<double>(part.left),
                              .bottom = static_cast<double>(part.top + part.height),
                              .right = static_cast<double>(part.left + part.width)}};
  }
  auto where = crop->where;
  where.height = sample.height;
  where.width = sample.width;
  where.is_flipped = chosen.is_flipped;
  for (std::size_t c = 0; c < where.scale.size(); ++c) {
    where.scale[c] = 1 / (255 * sample.deviation[c]);
    where.shift[c] = -sample.mean[c] / sample.deviation[c];
  }
  detail::resample(crop->image, where, into);
}

/// Throws:  UsageError if the least is not above `above`, or larger than the largest.
void check_range(const std::string& name, const std::array<double, 2>& range, double most) {
  if (!(range[0] > 0 && range[0] <= range[1] && range[1] <= most)) {
    throw UsageError("CroppedImageFiles", "the " + name + " from " + std::to_string(range[0]) +
                                              " to " + std::to_string(range[1]) +
                                              ", a range within (0, " + std::to_string(most) +
                                              "] is required");
  }
}

/// Throws:  UsageError if a value does not lie in [0, 1], or in (0, 1].
void check_share(const std::string& name, double share, bool may_be_zero) {
  if (!(share >= 0 && share <= 1) || (share == 0 && !may_be_zero)) {
    throw UsageError("CroppedImageFiles", "the " + name + " is " + std::to_string(share) +
                                              ", it must lie in " + (may_be_zero ? "[" : "(") +
                                              "0, 1]");
  }
}

/// A batch whose pictures `read(sample, points)` reads.
template <class Read>
ImageBatch batch_of(std::span<const std::int64_t> samples, const std::vector<LabelledFile>& files,
                    const ImageFileOptions& options, const Read& read) try {
  detail::check_places("CroppedImageFiles", samples, files.size());
  const auto count = static_cast<std::int64_t>(samples.size());
  const auto size = static_cast<std::size_t>(3 * options.height * options.width);
  std::vector<float> points(samples.size() * size);
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    read(i, files[static_cast<std::size_t>(samples[i])].file,
         std::span(points).subspan(i * size, size));
    labels.push_back(files[static_cast<std::size_t>(samples[i])].label);
  }
  return {.images = Tensor<float>({count, options.height, options.width, 3},
                                  std::span<const float>(points), options.device),
          .labels =
              Tensor<std::int32_t>({count}, std::span<const std::int32_t>(labels), options.device)};
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("CroppedImageFiles");
}

}  // namespace

CroppedImageFiles::CroppedImageFiles(std::vector<LabelledFile> files,
                                     const ImageFileOptions& options, const ImageCropOptions& crop)
    : files_(std::move(files)), options_(options), crop_(crop) {
  constexpr std::int64_t most = 65500;
  constexpr double largest_ratio = 1e3;
  if (std::min(options.height, options.width) < 1 ||
      std::max(options.height, options.width) > most) {
    throw UsageError("CroppedImageFiles", "samples of " + std::to_string(options.height) + " by " +
                                              std::to_string(options.width) + " points");
  }
  for (const auto mean : options.mean) {
    if (!std::isfinite(mean)) {
      throw UsageError("CroppedImageFiles", "a mean is " + std::to_string(mean));
    }
  }
  for (const auto deviation : options.deviation) {
    if (!(deviation > 0)) {
      throw UsageError("CroppedImageFiles", "a deviation is " + std::to_string(deviation));
    }
  }
  check_range("area", crop.area, 1);
  check_range("aspect ratio", crop.aspect_ratio, largest_ratio);
  check_share("probability of a flip", crop.flip_probability, true);
  check_share("share of the middle", crop.center, false);
}

ImageBatch CroppedImageFiles::batch(std::span<const std::int64_t> samples) const {
  const PictureExtents sample{.height = options_.height, .width = options_.width};
  return batch_of(samples, files_, options_,
                  [&](std::size_t, const auto& file, std::span<float> points) {
                    read_crop(
                        file, options_,
                        [&](const PictureExtents& picture) {
                          return detail::middle_of(picture, sample, crop_.center);
                        },
                        points);
                  });
}

ImageBatch CroppedImageFiles::batch(std::span<const std::int64_t> samples, RandomKey key) const {
  return batch_of(samples, files_, options_,
                  [&](std::size_t i, const auto& file, std::span<float> points) {
                    read_crop(
                        file, options_,
                        [&](const PictureExtents& picture) {
                          return detail::random_crop_of(picture, crop_, key.fold_in(i));
                        },
                        points);
                  });
}

}  // namespace ddx::data
