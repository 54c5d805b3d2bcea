/// \file
/// A log that the tests read with TensorBoard's own reader.

#pragma once

#include "ddx/io/image.h"
#include "ddx/tensor/tensor.h"
#include "ddx/train/tensorboard.h"

#include <chrono>
#include <cstdint>
#include <filesystem>

namespace ddx::testing {

/// What stands in the log.
struct TensorBoardContent {
  bool with_picture = true;  ///< Its bytes depend on the version of zlib.
};

/// Writes scalars, a histogram and a picture, at fixed times, and returns the file.
inline std::filesystem::path write_tensorboard_log(const std::filesystem::path& folder,
                                                   const TensorBoardContent& content = {}) {
  std::int64_t second = 1'700'000'000;
  train::TensorBoardLog log(
      folder,
      {.buckets = 4,
       .clock =
           [&] { return std::chrono::system_clock::time_point(std::chrono::seconds(second++)); },
       .host = "golden"});
  log.scalar("loss", 0.75, 1);
  log.scalar("loss", 0.5, 200);
  log.scalar("accuracy", 0.1, std::int64_t{1} << 40);
  log.histogram("weights", Tensor<float>{-2, -1, 0, 0.5F, 1, 1.5F, 2}, 3);
  if (content.with_picture) {
    io::Image picture(3, 2, {10, 20, 30});
    picture.set(2, 1, {255, 0, 7});
    log.image("picture", picture, 4);
  }
  return log.file();
}

}  // namespace ddx::testing
