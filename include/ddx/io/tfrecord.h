/// \file
/// The frames of a TFRecord file.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ddx::io {

/// One record as it stands in a TFRecord file: its length (8 bytes), the masked CRC-32C of these (4
/// bytes), the content, its masked CRC-32C (4 bytes); all little-endian. The mask of c is (c
/// rotated right by 15) + 0xA282EAD8.
///
/// Source:  TensorFlow, "TFRecord and tf.train.Example"
///          (https://www.tensorflow.org/tutorials/load_data/tfrecord).
[[nodiscard]] std::vector<std::uint8_t> tfrecord(std::span<const std::uint8_t> content);

}  // namespace ddx::io
