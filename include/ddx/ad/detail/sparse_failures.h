/// \file
/// The errors of sparse derivatives.

#pragma once

#include <cstddef>

namespace ddx::detail {

/// Throws: UsageError, of a sparsity pattern with another number of rows or columns (`what`) than
///         the function has numbers there.
[[noreturn, gnu::cold]] void throw_other_pattern_size(const char* operation, const char* what,
                                                      std::size_t pattern, std::size_t function);

/// Throws: UsageError, of a colouring that does not serve the operation.
[[noreturn, gnu::cold]] void throw_other_compression(const char* operation, const char* colouring);

/// Throws: UsageError, of an element of a sparse derivative that the function contradicts. `held`
///         says whether the pattern has it.
[[noreturn, gnu::cold]] void throw_wrong_element(const char* operation, std::size_t row,
                                                 std::size_t column, bool held, double value,
                                                 double expected);

}  // namespace ddx::detail
