/// \file
/// What the sweeps of a derivative have in common.

#pragma once

#include "compiler/ir/ir.h"

#include <string>

namespace ddx::compiler {

/// The sweep that a text stands in: the same value has different names in the two.
enum class Sweep { Forward, Reverse };

/// What an adjoint begins with. Minus zero alone leaves all that is added to it as it is, so that
/// the optimiser drops the first sum: 0.0 + x is another number than x where x is minus zero.
constexpr const char* nothing_yet = "-0.0";

/// True when `level` keeps anything for an iteration.
inline bool has_residuals(const ir::Level& level) {
  return !level.slots.empty();
}

/// `counter` of a counted loop with the loop's offset added, as its condition has it.
std::string shifted(const ir::Statement& loop, const std::string& counter);

}  // namespace ddx::compiler
