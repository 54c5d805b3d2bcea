/// \file
/// What the memory path cannot serve yet, and what it must be given of the syntax tree.

#pragma once

#include "compiler/memory/memory_rules.h"
#include "compiler/request/request.h"
#include "compiler/support/context.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/ArrayRef.h"

namespace ddx::compiler {

/// Why the memory path cannot serve a request.
enum class MemoryLimit {
  None,             ///< It can.
  NoAddresses,      ///< A selected argument, or the result, has numbers without addresses.
  GivenDerivative,  ///< The function reaches one whose derivative ddx gives in another way.
};

/// What keeps a request that is not promoted from the memory path.
///
/// That path finds numbers, and objects with tangents of their own making (tensors), by address; it
/// calls registered derivatives (given_derivatives.h). It has no rule for most functions of ddx
/// that take a function: `scan`, a gradient inside, ... `reached`: the functions
/// that it reaches by name.
MemoryLimit memory_limit(const Context& context, const Request& request,
                         llvm::ArrayRef<const clang::FunctionDecl*> reached);

/// Adds the functions of the unit to its table.
void add_memory_rules(const Context& context);

}  // namespace ddx::compiler
