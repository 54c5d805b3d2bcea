/// \file
/// What the memory path cannot serve yet, and what it must be given of the syntax tree.

#pragma once

#include "compiler/memory/memory_rules.h"
#include "compiler/request/request.h"
#include "compiler/support/context.h"

namespace ddx::compiler {

/// Why the memory path cannot serve a request.
enum class MemoryLimit {
  None,             ///< It can.
  NoAddresses,      ///< A selected argument, or the result, has numbers without addresses.
  GivenDerivative,  ///< The function reaches one whose derivative is given.
};

/// What keeps a request that is not promoted from the memory path.
///
/// That path reads and writes numbers by address, which a class with a tangent of its own making,
/// `ddx::Tensor` say, does not have. It differentiates what functions do, so it has no rule for
/// those whose derivatives are given: by DDX_DERIVATIVE_OF, and by ddx for the functions that the
/// compiler knows (`checkpointed`, `with_derivative`, `scan`, a gradient inside, ...). All code
/// that the function reaches by name is searched.
MemoryLimit memory_limit(const Context& context, const Request& request,
                         const clang::FunctionDecl* target);

/// Adds the functions of the unit to its table.
void add_memory_rules(const Context& context);

}  // namespace ddx::compiler
