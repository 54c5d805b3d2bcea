/// \file
/// What is measured.

#pragma once

#include "ddx/core/device.h"

#include "row.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace ddx::bench {

/// What a table is measured with.
struct Setting {
  std::filesystem::path images;   ///< Folders of classes with JPEG files.
  std::filesystem::path records;  ///< A file of CIFAR-10.
  Device device = {};             ///< Of the steps.
  std::int64_t batch = 0;         ///< Examples in a step; 0: the table's own number.
  int threads = 1;                ///< Of the pipeline.
  double seconds = 0;             ///< Of a row.
};

/// The stages from a file to a batch, one after the other and all together.
[[nodiscard]] std::vector<Row> pipeline_rows(const Setting& setting);
/// ResNet-56 on records of CIFAR-10, which are padded, cropped and mirrored at random.
[[nodiscard]] std::vector<Row> cifar_rows(const Setting& setting);
/// ResNet-50 on the pictures of the pipeline.
[[nodiscard]] std::vector<Row> imagenet_rows(const Setting& setting);

/// Throws:  InternalError where a batch is not that which operations on tensors make of whole
///          pictures.
void verify_pipeline(const Setting& setting);
/// Throws:  InternalError where a small network's losses on the device are not those of the naive
///          device, or do not fall.
void verify_cifar(const Setting& setting);
/// Throws:  InternalError where ResNet-50 has not torchvision's number of parameters or, with
///          weights that follow from their names, not its loss.
void verify_imagenet(const Setting& setting);

}  // namespace ddx::bench
