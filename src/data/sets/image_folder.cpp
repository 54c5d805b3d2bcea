#include "ddx/data/sets/image_folder.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/data/detail/picture_files.h"
#include "ddx/data/images/resize.h"
#include "ddx/io/image_tensor.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::data {

ImageFolder read_image_folder(const std::filesystem::path& folder) try {
  constexpr auto operation = "read_image_folder";
  ImageFolder result;
  for (const auto& of_class : detail::folders_in(folder, operation)) {
    const auto label = static_cast<std::int32_t>(result.classes.size());
    result.classes.push_back(of_class.filename().string());
    for (const auto& file : detail::pictures_in(of_class, operation)) {
      result.files.push_back({.file = file, .label = label});
    }
  }
  if (result.files.empty()) {
    throw EnvironmentError(operation, folder.string() + " has " +
                                          std::to_string(result.classes.size()) +
                                          " folders of classes and no picture in them");
  }
  return result;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_image_folder");
}

ImageFolderSets read_image_folders(const std::filesystem::path& folder) try {
  ImageFolderSets sets{.training = read_image_folder(folder / "train"),
                       .validation = read_image_folder(folder / "val")};
  const auto& ours = sets.training.classes;
  const auto& theirs = sets.validation.classes;
  if (ours != theirs) {
    throw EnvironmentError("read_image_folders", folder.string() + ": the " +
                                                     std::to_string(ours.size()) +
                                                     " classes of train are not the " +
                                                     std::to_string(theirs.size()) + " of val");
  }
  return sets;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_image_folders");
}

ImageFileDataset::ImageFileDataset(std::vector<LabelledFile> files, const ImageFileOptions& options)
    : files_(std::move(files)), options_(options) {
  if (options.height < 1 || options.width < 1) {
    throw UsageError("ImageFileDataset", "pictures of " + std::to_string(options.height) + " by " +
                                             std::to_string(options.width) + " points");
  }
  for (const auto deviation : options.deviation) {
    if (!(deviation > 0)) {
      throw UsageError("ImageFileDataset", "a deviation is " + std::to_string(deviation));
    }
  }
}

ImageBatch ImageFileDataset::batch(std::span<const std::int64_t> samples) const {
  const auto count = static_cast<std::int64_t>(samples.size());
  std::vector<float> points;
  std::vector<std::int32_t> labels;
  for (const auto sample : samples) {
    const auto& entry = files_[static_cast<std::size_t>(sample)];
    const auto picture = resized(io::to_tensor(detail::read_picture(entry.file)),
                                 {.height = options_.height, .width = options_.width});
    const auto elements = picture.elements();
    for (std::size_t i = 0; i < elements.size(); ++i) {
      points.push_back((elements[i] - options_.mean[i % 3]) / options_.deviation[i % 3]);
    }
    labels.push_back(entry.label);
  }
  return {.images = Tensor<float>({count, options_.height, options_.width, 3},
                                  std::span<const float>(points), options_.device),
          .labels = Tensor<std::int32_t>({count}, std::span<const std::int32_t>(labels),
                                         options_.device)};
}

}  // namespace ddx::data
