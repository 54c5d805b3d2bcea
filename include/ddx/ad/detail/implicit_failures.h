/// \file
/// The errors of implicit functions.

#pragma once

#include <cstddef>

namespace ddx::detail {

/// Throws: UsageError, of a function that returns `results` numbers for `unknowns` unknowns.
[[noreturn, gnu::cold]] void throw_unknown_count(const char* operation, std::size_t unknowns,
                                                 std::size_t results);

/// Throws: UsageError, of a residual of which one number is `residual`.
[[noreturn, gnu::cold]] void throw_residual(std::size_t index, double residual, double tolerance);

/// Throws: UsageError, of a Jacobian whose elimination meets a pivot of `pivot`, at most `least`.
[[noreturn, gnu::cold]] void throw_singular(std::size_t index, std::size_t count, double pivot,
                                            double least);

/// Throws: UsageError, of an iteration (`what`) whose last step still changed a number.
[[noreturn, gnu::cold]] void throw_no_convergence(const char* what, double change, double tolerance,
                                                  std::size_t iterations);

}  // namespace ddx::detail
