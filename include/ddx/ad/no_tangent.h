/// \file
/// The tangent of what cannot change smoothly.

#pragma once

namespace ddx {

/// The tangent of a value that cannot change smoothly: an integer, a flag, a string.
struct NoTangent {
  friend constexpr bool operator==(NoTangent, NoTangent) = default;
};

}  // namespace ddx
