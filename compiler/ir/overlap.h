/// \file
/// Which roots may name one object.

#pragma once

#include "compiler/ir/ir.h"

namespace ddx::compiler {

/// True for what exists outside the function: it may have several names.
bool is_outside(const ir::Root& root);

/// True for two parameters that nothing proves disjoint.
bool share_group(const ir::Root& a, const ir::Root& b);

/// True when a write through one of the names may change what the other names: parameters that are
/// not proved disjoint, and any of them and a global. Objects in memory are apart from all that has
/// a name.
bool overlap(const ir::Root& a, const ir::Root& b);

}  // namespace ddx::compiler
