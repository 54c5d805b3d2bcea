/// \file
/// Where to take snapshots of a long computation that is run backwards with few of them.
///
/// With `s` snapshots, that of the start among them, and no step run more than `r` times again,
/// binomial(s, r) steps can be reversed, and no schedule can do more.
///
/// Source:  A. Griewank and A. Walther, "Algorithm 799: Revolve", ACM TOMS 26 (2000).

#pragma once

#include <cstddef>

namespace ddx::detail {

/// Represents every larger count.
inline constexpr std::size_t most_steps = std::size_t{1} << 62;

/// Returns C(s + r, s), at most most_steps.
constexpr std::size_t binomial(std::size_t s, std::size_t r) {
  std::size_t value = 1;
  const std::size_t few = s < r ? s : r;
  const std::size_t many = s < r ? r : s;
  for (std::size_t i = 1; i <= few; ++i) {
    __extension__ using Wide = unsigned __int128;
    const Wide next = static_cast<Wide>(value) * (many + i) / i;
    if (next >= most_steps) {
      return most_steps;
    }
    value = static_cast<std::size_t>(next);
  }
  return value;
}

/// Returns how often a step must be run again at most, to reverse `steps` of them with `snapshots`.
constexpr std::size_t repetitions(std::size_t steps, std::size_t snapshots) {
  std::size_t low = 0;
  std::size_t high = steps;  // Enough for any number of snapshots but none.
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (binomial(snapshots, middle) >= steps) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// Returns the number of steps from the last snapshot to the next, where `steps` of them are to be
/// reversed and `snapshots` may be held, the last among them: both at least 2.
///
/// Any number does that leaves no part more than its share of the repetitions; this is the least.
constexpr std::size_t stride(std::size_t steps, std::size_t snapshots) {
  const std::size_t r = repetitions(steps, snapshots);
  const std::size_t after = binomial(snapshots - 1, r);  // What the others can do.
  const std::size_t before = r >= 2 ? binomial(snapshots, r - 2) : 0;
  const std::size_t least = steps > after + before ? steps - after : before;
  return least > 1 ? least : 1;
}

}  // namespace ddx::detail
