/// \file
/// Image files as training batches: random parts of the pictures, at one size.

#pragma once

#include "ddx/core/random_key.h"
#include "ddx/data/image_dataset.h"
#include "ddx/data/sets/image_folder.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace ddx::data {

/// Which part of a picture becomes a sample.
struct ImageCropOptions {
  /// Of random parts: the least and the largest share of the picture's area.
  std::array<double, 2> area = {0.08, 1};
  /// Of random parts: the least and the largest width / height.
  std::array<double, 2> aspect_ratio = {3. / 4, 4. / 3};
  /// Of random parts: how many are mirrored.
  double flip_probability = 0.5;
  /// Without a key: the side of the part in the middle, as a share of the largest that has the
  /// sample's aspect ratio; above 0.
  double center = 0.875;
};

/// A data set of image files that are read on access. With a key, as in training, a sample is a
/// random part of its picture, resized with antialiasing, mirrored at random, and normalised;
/// without, as in validation, it is the middle of the picture. Only that part of a JPEG file is
/// decoded, at half, a quarter or an eighth of its size where that is not smaller than the sample.
///
/// Several threads may create batches. A batch is a function of its samples and its key only.
///
/// Source:  C. Szegedy et al., "Going deeper with convolutions", CVPR 2015, section 6.
/// Example:
///   const CroppedImageFiles pictures(read_image_folder("train").files);
///   const TrainingEpochs epochs(pictures, {.batch_size = 256});
///   const auto epoch = epochs[0];
///   Prefetched batches(epoch, 0, epoch.size(), {.threads = 8});
class CroppedImageFiles {
 public:
  /// Throws:  UsageError if a size is not in [1, 65500], a mean is not finite, a deviation is not
  ///          positive, a range is empty, the share of the middle does not lie in (0, 1], or the
  ///          probability of a flip does not lie in [0, 1].
  explicit CroppedImageFiles(std::vector<LabelledFile> files, const ImageFileOptions& options = {},
                             const ImageCropOptions& crop = {});

  /// The number of images.
  [[nodiscard]] std::int64_t size() const noexcept {
    return static_cast<std::int64_t>(files_.size());
  }

  /// The middle of these images, each in [0, size()).
  ///
  /// Throws:  UsageError if one does not exist; EnvironmentError if one cannot be read.
  [[nodiscard]] ImageBatch batch(std::span<const std::int64_t> samples) const;
  /// Random parts of these images, each in [0, size()).
  ///
  /// Throws:  UsageError if one does not exist; EnvironmentError if one cannot be read.
  [[nodiscard]] ImageBatch batch(std::span<const std::int64_t> samples, RandomKey key) const;

 private:
  std::vector<LabelledFile> files_;
  ImageFileOptions options_;
  ImageCropOptions crop_;
};

}  // namespace ddx::data
