/// \file
/// Images sorted into folders by class: ImageNet, Imagenette, Imagewoof and similar sets.

#pragma once

#include "ddx/core/device.h"
#include "ddx/data/image_dataset.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace ddx::data {

/// An image file, and its class.
struct LabelledFile {
  std::filesystem::path file;
  std::int32_t label = 0;

  friend bool operator==(const LabelledFile&, const LabelledFile&) = default;
};

/// The images below a folder.
struct ImageFolder {
  std::vector<std::string>
      classes;  ///< The names of the sub-folders, sorted: a label is an index here.
  std::vector<LabelledFile> files;  ///< Sorted by class and name.
};

/// Lists the images (.jpg, .jpeg, .png, in small or capital letters) of a folder whose sub-folders
/// are the classes. No image is opened.
///
/// Throws:  EnvironmentError if the folder cannot be read, or holds no class or no picture.
[[nodiscard]] ImageFolder read_image_folder(const std::filesystem::path& folder);

/// A training set and the validation set with the same classes.
struct ImageFolderSets {
  ImageFolder training;
  ImageFolder validation;
};

/// Lists the folders `train` and `val` of Imagenette, Imagewoof, or ImageNet in that format; the
/// names of their classes are those of WordNet, such as "n01440764".
///
/// Throws:  EnvironmentError as read_image_folder, and where a class of one folder is not in the
///          other.
/// Source:  fast.ai, "Imagenette" (https://github.com/fastai/imagenette); O. Russakovsky et al.,
///          "ImageNet large scale visual recognition challenge", IJCV 115 (2015).
[[nodiscard]] ImageFolderSets read_image_folders(const std::filesystem::path& folder);

/// How image files become tensors.
struct ImageFileOptions {
  std::int64_t height = 224;
  std::int64_t width = 224;
  /// (byte / 255 - mean) / deviation, for red, green and blue; those of ImageNet.
  std::array<float, 3> mean = {0.485F, 0.456F, 0.406F};
  std::array<float, 3> deviation = {0.229F, 0.224F, 0.225F};
  Device device = {};
};

/// A data set of images that are read on access and resized to one size.
class ImageFileDataset {
 public:
  /// Throws:  UsageError if a size is below 1 or a deviation is 0.
  explicit ImageFileDataset(std::vector<LabelledFile> files, const ImageFileOptions& options = {});

  /// The number of images.
  [[nodiscard]] std::int64_t size() const noexcept {
    return static_cast<std::int64_t>(files_.size());
  }

  /// These images, each in [0, size()).
  ///
  /// Throws:  EnvironmentError if one cannot be read.
  [[nodiscard]] ImageBatch batch(std::span<const std::int64_t> samples) const;

  /// The files with their classes.
  [[nodiscard]] const std::vector<LabelledFile>& files() const noexcept { return files_; }

 private:
  std::vector<LabelledFile> files_;
  ImageFileOptions options_;
};

}  // namespace ddx::data
