/// \file
/// Which values are printed where they are used.

#pragma once

#include "compiler/ir/ir.h"

namespace ddx::compiler {

/// Counts how often, where and in which way each value of `function` is used.
void count_uses(ir::Function& function);

/// Decides which values of `block` are printed where they are used instead of being named: those
/// with one use of which nothing is saved, with only pure definitions between, whose expression
/// does not become too deep. Precondition: count_uses.
void decide_folding(ir::Block& block);

}  // namespace ddx::compiler
