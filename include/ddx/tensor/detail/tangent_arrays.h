/// \file
/// What tangents need of untyped arrays.

#pragma once

#include "ddx/tensor/detail/array.h"

namespace ddx::detail {

/// into + from, of equal shapes; in place where `into` is unshared.
Array accumulated(Array into, const Array& from);

/// Zeros of the shape, dtype and device of `like`.
Array zeros_beside(const Array& like);

/// A one of the shape, dtype and device of `value`.
///
/// Throws:  UsageError where `value` has not exactly one element.
Array unit_seed_beside(const Array& value);

}  // namespace ddx::detail
