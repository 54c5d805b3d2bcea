/// \file
/// Initial values that are no operation of tensors, as lists in row-major order. Each is a function
/// of the key and the shape.

#pragma once

#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"

#include <source_location>
#include <vector>

namespace ddx::nn::detail {

/// Orthogonal rows or columns, whichever are fewer, of length `gain`: the Q of
/// random_normal<double>, with the signs that make R's diagonal positive, so that all such matrices
/// are equally likely.
///
/// Throws: UsageError where the rank is below 2.
/// Source: F. Mezzadri, "How to generate random matrices from the classical compact groups", 2007.
std::vector<double> orthogonal_numbers(RandomKey key, const Shape& shape, double gain,
                                       const std::source_location& where);

/// Ones on the diagonal, zeros beside it.
///
/// Throws: UsageError where the rank is not 2.
std::vector<double> identity_numbers(const Shape& shape, const std::source_location& where);

}  // namespace ddx::nn::detail
