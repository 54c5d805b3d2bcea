/// \file
/// Finding the operation that makes the first NaN.

#pragma once

#include "ddx/backend/debug_nans.h"

namespace ddx {

/// As backend::set_debug_nans and backend::DebugNans.
///
/// Example:
///   const DebugNans nans;
///   train();  // Throws where the first NaN is made, with the operation and the line.
using backend::DebugNans;
using backend::set_debug_nans;

}  // namespace ddx
