/// \file
/// The stage that keeps the compiler total: every construct it does not know, and that touches an
/// active value, is an error.

#pragma once

#include "compiler/ir/ir.h"
#include "compiler/support/context.h"

#include <utility>
#include <vector>

namespace ddx::compiler {

/// The calls that led to the function at hand, outermost first: callee and place.
using CallChain = std::vector<std::pair<const clang::FunctionDecl*, clang::SourceLocation>>;

/// Reports each rejected statement of `function` with the chain of calls. Returns true when there
/// was none.
bool diagnose(ir::Function& function, const Context& context, const CallChain& chain);

/// The same for what is known of a call only once the derivative of its callee is.
bool diagnose_calls(ir::Function& function, const Context& context, const CallChain& chain);

}  // namespace ddx::compiler
