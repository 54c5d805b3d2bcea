/// \file
/// Small sets in the form of MNIST.

#pragma once

#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ddx::testing {

/// An IDX file of labels.
inline std::vector<std::uint8_t> idx_labels(const std::vector<std::uint8_t>& values) {
  std::vector<std::uint8_t> bytes = {0, 0, 8, 1, 0, 0, 0, static_cast<std::uint8_t>(values.size())};
  bytes.insert(bytes.end(), values.begin(), values.end());
  return bytes;
}

/// An IDX file of one-point images of these values.
inline std::vector<std::uint8_t> idx_images(const std::vector<std::uint8_t>& values) {
  std::vector<std::uint8_t> bytes = {0, 0, 8, 3, 0, 0, 0, static_cast<std::uint8_t>(values.size()),
                                     0, 0, 0, 1, 0, 0, 0, 1};
  bytes.insert(bytes.end(), values.begin(), values.end());
  return bytes;
}

/// The four files, with two images of the classes 7 and 9 in each set.
inline void write_small_mnist(const TemporaryFolder& folder) {
  for (const std::string part : {"train", "t10k"}) {
    (void)folder.write(part + "-images-idx3-ubyte", idx_images({11, 22}));
    (void)folder.write(part + "-labels-idx1-ubyte", idx_labels({7, 9}));
  }
}

}  // namespace ddx::testing
