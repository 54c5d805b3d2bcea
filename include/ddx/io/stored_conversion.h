/// \file
/// Stored arrays with elements of another dtype.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/stored_view.h"

#include <cstdint>
#include <span>

namespace ddx::io {

/// The array with elements of another floating-point dtype, each rounded once to the nearest, ties
/// to even. What is too large becomes infinite, a NaN stays one. To its own dtype an array of any
/// dtype is copied.
///
/// DTypes:  f16, bf16, f32, f64.
/// Throws:  UsageError where the array could not be read (its obstacle), its bytes are not as many
///          as its shape says, or one of two different dtypes is another. Names both dtypes.
/// Cost:    from f16 and bf16 to f32 4 ns for each element, most of it for new memory.
/// Example:
///   const auto weight = io::to_tensor<float>(io::converted(weights.arrays().at(name),
///   DType::f32));
[[nodiscard]] StoredTensor converted(const StoredView& array, DType dtype);

/// The same for an array with bytes of its own.
///
/// Throws:  as above.
[[nodiscard]] StoredTensor converted(const StoredTensor& array, DType dtype);

/// Writes what `converted` returns into memory, which may begin at any address.
///
/// Throws:  as `converted`, and where the memory has not the bytes of all elements.
void convert_into(const StoredView& array, DType dtype, std::span<std::uint8_t> elements);

}  // namespace ddx::io
