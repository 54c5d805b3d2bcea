/// \file
/// One array of an ONNX model.

#pragma once

#include "ddx/io/stored_tensor.h"

#include "io/detail/wire_reader.h"

#include <string>

namespace ddx::io::detail {

/// An array and its name. The obstacle does not name the array.
struct OnnxTensor {
  std::string name;
  StoredTensor array;
};

/// Reads a message `TensorProto`.
///
/// Throws:  EnvironmentError where it is damaged; names the file, and the byte or the array.
/// Source:  ONNX 1.23, `onnx/onnx.proto`.
[[nodiscard]] OnnxTensor read_onnx_tensor(WireReader reader);

}  // namespace ddx::io::detail
