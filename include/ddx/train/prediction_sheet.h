/// \file
/// A picture of images with the classes predicted for them.

#pragma once

#include "ddx/data/labelled_images.h"
#include "ddx/io/image.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace ddx::train {

/// The form of a prediction sheet.
struct SheetOptions {
  std::size_t columns = 10;
  std::size_t zoom = 2;  ///< Points per pixel, along each side.
};

/// The first images of a set in rows, each with the number predicted for it below: green where it
/// is the label, red elsewhere.
///
/// Throws:  UsageError where there are more predictions than images, none at all, a class above
///          255, or an option is 0.
[[nodiscard]] io::Image prediction_sheet(const data::LabelledImages& images,
                                         std::span<const std::int32_t> predicted,
                                         const SheetOptions& options = {});

}  // namespace ddx::train
