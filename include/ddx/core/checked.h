/// \file
/// Arithmetic on extents, positions and counts that a caller chose: an error where a result does
/// not fit in 64 bits. Products of the extents of a `Shape` always fit and need none of it.

#pragma once

#include <cstdint>
#include <source_location>

namespace ddx {

namespace detail {
/// Throws:  UsageError that names the operation, both numbers and, where captured, the line.
[[noreturn]] void throw_overflow(std::int64_t a, const char* sign, std::int64_t b,
                                 const char* operation, const std::source_location& where);
}  // namespace detail

/// Returns a + b.
///
/// Throws:  UsageError where it does not fit in 64 bits. Names the operation, both numbers and,
///          where captured, the caller's line.
[[nodiscard]] inline std::int64_t checked_sum(std::int64_t a, std::int64_t b, const char* operation,
                                              const std::source_location& where = {}) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) [[unlikely]] {
    detail::throw_overflow(a, "+", b, operation, where);
  }
  return result;
}

/// Returns a - b.
///
/// Throws:  as checked_sum.
[[nodiscard]] inline std::int64_t checked_difference(std::int64_t a, std::int64_t b,
                                                     const char* operation,
                                                     const std::source_location& where = {}) {
  std::int64_t result = 0;
  if (__builtin_sub_overflow(a, b, &result)) [[unlikely]] {
    detail::throw_overflow(a, "-", b, operation, where);
  }
  return result;
}

/// Returns a * b.
///
/// Throws:  as checked_sum.
[[nodiscard]] inline std::int64_t checked_product(std::int64_t a, std::int64_t b,
                                                  const char* operation,
                                                  const std::source_location& where = {}) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) [[unlikely]] {
    detail::throw_overflow(a, "*", b, operation, where);
  }
  return result;
}

}  // namespace ddx
