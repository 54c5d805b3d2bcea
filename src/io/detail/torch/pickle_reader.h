/// \file
/// Reading pickles of Python without running them.

#pragma once

#include "io/detail/refusal.h"
#include "io/detail/torch/content_budget.h"
#include "io/detail/torch/pickle_values.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace ddx::io::detail {

/// Whether a pickle may name this member of this module. All other names are refused.
using GlobalFilter = std::function<bool(std::string_view module, std::string_view name)>;

/// Reads a pickle: a program for a stack machine that builds values. This machine imports and calls
/// nothing; a call is a value. It knows the operations that weights need (protocols 2 to 5), and
/// refuses the others. Texts of the values are parts of `bytes`. All memory is taken from the
/// budget, and no operation recurses.
///
/// Source:  Python, `Lib/pickletools.py`, which describes each operation.
[[nodiscard]] PickleValues read_pickle(std::span<const std::uint8_t> bytes,
                                       const GlobalFilter& is_allowed, ContentBudget& budget,
                                       const Refusal& refuse);

}  // namespace ddx::io::detail
