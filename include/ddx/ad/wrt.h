/// \file
/// Which arguments a derivative is taken with respect to.

#pragma once

#include <cstddef>

namespace ddx {

/// The type of `ddx::wrt<...>`.
template <std::size_t... Positions>
struct Wrt {};

/// Selects arguments by position, counted from 0 after the function; the others are constants.
///
/// Example: auto dx = ddx::gradient(f, ddx::wrt<0>, x, steps);
template <std::size_t... Positions>
inline constexpr Wrt<Positions...> wrt{};

}  // namespace ddx
