/// \file
/// Tensors in files of PyTorch.

#pragma once

#include "ddx/io/stored_tensor.h"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace ddx::io {

/// How a file of `torch.save` is read.
struct TorchReadOptions {
  /// The most bytes that its arrays and the values around them may take; else the larger of 64 MiB
  /// and 100 times the file. Tensors that share elements take more than the file has.
  std::optional<std::uint64_t> max_bytes = std::nullopt;
};

/// Reads the tensors of a file that `torch.save` wrote (`.pth`, `.pt`, `.bin`): a zip archive with
/// a pickle, a program that builds Python objects. Nothing of it is run: it may name what weights
/// consist of (tensors, parameters, dictionaries), and a file that names anything else is refused.
///
/// The tensors may lie in dictionaries, lists and tuples; the name of each is the path to it, with
/// points between: "state_dict.layer.0.weight". The name of a tensor that is the whole object is
/// empty. Other values are passed over. Tensors with strides come in row-major order, those that
/// share elements as arrays of their own. An array of a dtype that ddx has not, or that PyTorch
/// stored as a conjugate, says so (StoredTensor::obstacle).
///
/// DTypes:  all of ddx.
/// Throws:  EnvironmentError where the file cannot be read, is damaged (checksums are compared), is
///          of the format before PyTorch 1.6 or a program of TorchScript, has big-endian elements,
///          names a class or a function that is not on the list, has a tensor that its storage does
///          not hold, or takes more memory than the limit; and where the library was built without
///          libzip (has_npz). Names the file, and the array or the byte of the pickle.
/// Cost:    the memory of the arrays and of the largest storage. The file is mapped: what
/// MappedFile
///          says of files that change holds here.
/// Source:  PyTorch 2.15, `torch/serialization.py`, `torch/_weights_only_unpickler.py`; Python,
///          `Lib/pickletools.py`.
/// Example:
///   auto weights = io::read_torch("pytorch_model.bin");
[[nodiscard]] StoredTensors read_torch(const std::filesystem::path& file,
                                       const TorchReadOptions& options = {});

}  // namespace ddx::io
