/// \file
/// Does the result of a function depend on what it is differentiated by?

#pragma once

#include "compiler/ir/ir.h"

namespace ddx::compiler {

/// True where the result of `function` may depend on its active parameters. Unlike activity, it
/// looks through calls: the derivatives of the callees have been chosen. In doubt: true.
bool result_depends(const ir::Function& function);

}  // namespace ddx::compiler
