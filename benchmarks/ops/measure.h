/// \file
/// Verifies and times operations.

#pragma once

#include "operation.h"

#include <vector>

namespace ddx::bench {

/// Throws:  InternalError if a result on the cpu device differs from that of the naive device.
void verify(const Operation& operation);

/// Nanoseconds of one call: the mean of each of `samples` samples of about `seconds` each.
[[nodiscard]] std::vector<double> times_of(const Prepared& prepared, double seconds, int samples);

}  // namespace ddx::bench
