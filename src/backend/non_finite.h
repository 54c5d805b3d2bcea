/// \file
/// Elements that are NaN or infinite, and who makes them.

#pragma once

#include "ddx/ops/kernel.h"
#include "ddx/ops/site.h"

#include "core/call_stack/origin.h"

#include <atomic>
#include <optional>
#include <string>

namespace ddx::backend {

namespace detail {
extern std::atomic<bool> debug_nans;
}  // namespace detail

[[nodiscard]] inline bool are_nans_debugged() noexcept {
  return detail::debug_nans.load(std::memory_order_relaxed);
}

/// Whether a call can be blamed for what is not finite in its results: NaNs are looked for, it has
/// operands, and all their elements are finite. To be asked before the kernel runs, which may write
/// over an operand.
[[nodiscard]] bool can_be_blamed(const ops::Call& call) noexcept;

/// What a call made that is not finite: the first such element, its type, and those of the
/// operands. None where all is finite.
[[nodiscard]] std::optional<std::string> non_finite_result(const ops::Call& call);

/// Throws:  UsageError with the operation, the facts, and where it was called: as the origin says,
///          which may be null, or else as the site does.
[[noreturn]] void throw_non_finite(const ops::Site& site, const std::string& facts,
                                   const Origin* origin);

}  // namespace ddx::backend
