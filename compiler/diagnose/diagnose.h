/// \file
/// The stage that keeps the compiler total: every construct it does not know, and that touches an
/// active value, is an error.

#pragma once

#include "compiler/ir/ir.h"
#include "compiler/support/context.h"

#include <set>
#include <utility>
#include <vector>

namespace ddx::compiler {

/// The calls that led to the function at hand, outermost first: callee and place.
using CallChain = std::vector<std::pair<const clang::FunctionDecl*, clang::SourceLocation>>;

/// Where the user has been warned: a function is lowered for each of its derivatives.
using Warned = std::set<clang::SourceLocation>;

/// Reports each rejected statement of `function` with the chain of calls, and warns of what is
/// accepted but seldom meant. Returns true when nothing was rejected.
bool diagnose(ir::Function& function, const Context& context, const CallChain& chain,
              Warned& warned);

}  // namespace ddx::compiler
