/// \file
/// Weights in files of ONNX.

#pragma once

#include "ddx/io/stored_tensor.h"

#include <filesystem>

namespace ddx::io {

/// Reads the initialisers of the graph of an ONNX model, which are its weights, by their names.
/// Nothing of the graph is run, and its nodes are passed over, those that are constants too.
///
/// An array of a dtype that ddx has not, of texts, that is sparse, a segment of a larger one, or
/// whose elements lie in another file says so (StoredTensor::obstacle).
///
/// DTypes:  all of ddx.
/// Throws:  EnvironmentError where the file cannot be read, is no ONNX model or is damaged: a
///          length that reaches past its message, an initialiser without a name or a dtype, a name
///          that stands twice, elements that do not fit the shape or are in another list than those
///          of the dtype. Names the file, and the byte or the array.
/// Cost:    the memory of the arrays, and of one array twice where its elements are numbers of
///          variable length. The file is mapped: what MappedFile says of files that change holds
///          here.
/// Source:  ONNX 1.23, `onnx/onnx.proto`.
/// Example:
///   const auto weights = io::read_onnx("model.onnx");
[[nodiscard]] StoredTensors read_onnx(const std::filesystem::path& file);

}  // namespace ddx::io
