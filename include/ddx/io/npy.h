/// \file
/// Arrays in the files of NumPy.

#pragma once

#include "ddx/io/stored_tensor.h"

#include <bit>
#include <cstdint>
#include <filesystem>

namespace ddx::io {

/// Reads a `.npy` file: format versions 1 to 3, elements in row-major ("C") or column-major
/// ("Fortran") order, of either byte order. Trusts nothing in it.
///
/// DTypes:  those that NumPy and ddx share; no objects, texts, records or complex numbers.
/// Throws:  EnvironmentError where the file cannot be read, is truncated, has bytes behind the
///          array, breaks the format, or holds another dtype or more than 8 axes. Names the file
///          and what is wrong.
/// Source:  NumPy, "numpy.lib.format"
///          (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html).
[[nodiscard]] StoredTensor read_npy(const std::filesystem::path& file);

/// In which order a file lists the elements of an array.
enum class ElementOrder : std::uint8_t {
  RowMajor,     ///< The last index runs fastest, as in C.
  ColumnMajor,  ///< The first index runs fastest, as in Fortran.
};

/// How a `.npy` file is written.
struct NpyWriteOptions {
  ElementOrder order = ElementOrder::RowMajor;
  std::endian byte_order = std::endian::little;
};

/// Writes a `.npy` file of format version 1, atomically: the bytes that `numpy.save` would write.
///
/// Throws:  UsageError where the array's bytes do not fit its dtype and shape, or NumPy has no such
///          dtype. EnvironmentError where the file cannot be written.
void write_npy(const std::filesystem::path& file, const StoredTensor& array,
               const NpyWriteOptions& options = {});

}  // namespace ddx::io
