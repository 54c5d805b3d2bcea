/// \file
/// What tangents need of untyped arrays.

#pragma once

#include "ddx/core/device.h"
#include "ddx/tensor/detail/array.h"

namespace ddx::detail {

/// into + from, of equal shapes; in place where `into` is unshared. The two may be one array. If
/// the sum throws, `into` is unchanged.
Array accumulated(Array&& into, const Array& from);

/// The real and imaginary parts of complex elements as one more axis, of extent 2; shares storage.
/// A symbolic zero becomes a pair of zeros on `device`.
Array pairs_of(Array x, Device device);

/// Zeros of the shape, dtype and device of `like`.
Array zeros_beside(const Array& like);

/// `tangent` on the device of `primal`, but where a function is staged: then it stays.
Array taken_beside(const Array& tangent, const Array& primal);

/// A one of the shape, dtype and device of `value`.
///
/// Throws:  UsageError where `value` has not exactly one element.
Array unit_seed_beside(const Array& value);

}  // namespace ddx::detail
