/// \file
/// Named arrays in the archives of NumPy.

#pragma once

#include "ddx/io/stored_tensor.h"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace ddx::io {

/// Returns whether this library was built with libzip. Without it, the functions below throw.
[[nodiscard]] bool has_npz() noexcept;

/// How an `.npz` file is read.
struct NpzReadOptions {
  /// The most bytes that all its arrays may take; else the larger of 64 MiB and 100 times the file.
  std::optional<std::uint64_t> max_bytes = std::nullopt;
};

/// Reads an `.npz` file, compressed or not: a zip archive with a file `NAME.npy` for each array. An
/// array of a dtype that ddx has not, such as a text, says so (StoredTensor::obstacle).
///
/// Throws:  EnvironmentError where the file cannot be read, is damaged (checksums are compared) or
///          encrypted, holds a name twice or a file that is no array (as read_npy), or claims more
///          bytes than the limit; and where the library was built without libzip. Names the file
///          and the array.
/// Source:  NumPy, "numpy.lib.format"; PKWARE, ".ZIP file format specification", version 6.3.
[[nodiscard]] StoredTensors read_npz(const std::filesystem::path& file,
                                     const NpzReadOptions& options = {});

/// How an `.npz` file is written.
struct NpzWriteOptions {
  bool compressed = false;  ///< As `numpy.savez_compressed`; else as `numpy.savez`.
};

/// Writes an `.npz` file, atomically. Equal contents give equal bytes.
///
/// Throws:  UsageError where an array's bytes do not fit its dtype and shape, NumPy has no such
///          dtype, an array could not be read (StoredTensor::obstacle), or a name is empty.
///          EnvironmentError where the file cannot be written, and where
///          the library was built without libzip.
void write_npz(const std::filesystem::path& file, const StoredTensors& arrays,
               const NpzWriteOptions& options = {});

}  // namespace ddx::io
