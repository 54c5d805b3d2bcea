/// \file
/// Pointers that exchange their targets, while what they are named in is lowered.

#pragma once

#include "compiler/lower/binding.h"
#include "compiler/lower/swapped_pointers.h"

#include <optional>
#include <vector>

namespace ddx::compiler {

struct PointerPermutation {
  SwappedPointers pointers;
  ir::Path state;                 ///< Holds the number of the state.
  std::vector<Binding> targets;   ///< None: something else moves the pointers.
  std::optional<unsigned> known;  ///< The state, where that is no matter of run time.
};

}  // namespace ddx::compiler
