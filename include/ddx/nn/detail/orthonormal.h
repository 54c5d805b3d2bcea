/// \file
/// Orthonormal columns from independent ones.

#pragma once

#include <cstddef>
#include <vector>

namespace ddx::nn::detail {

/// The Q of the decomposition matrix = Q R with orthonormal columns and a diagonal of R that is not
/// negative. Row-major; there are at least as many rows as columns. A column that depends on those
/// before it gives one that is orthogonal to them all the same.
///
/// Cost:   O(rows columns^2).
/// Source: A. Householder, "Unitary triangularization of a nonsymmetric matrix", 1958.
std::vector<double> orthonormal_columns(std::vector<double> matrix, std::size_t rows,
                                        std::size_t columns);

}  // namespace ddx::nn::detail
