/// \file
/// Calls of ddx that take a function.

#pragma once

#include "compiler/lower/calls/call_rule.h"
#include "compiler/lower/part.h"

#include "clang/AST/Decl.h"

namespace ddx::compiler {

/// True for a function of ddx that is handed a function and differentiated by a rule of its own:
/// `checkpointed`, `with_derivative`, `scan`, ..., and a gradient or a pullback inside
/// differentiated code. Also for calls of compiled functions, which no rule differentiates.
bool is_functor_call(const clang::FunctionDecl* callee);

/// Lowers calls of such functions as calls of the function that they receive, except for those
/// whose bodies say all.
class FunctorCalls : Part, public CallRule {
 public:
  using Part::Part;

  /// Also calls of a `ddx::Pullback`.
  std::optional<ir::Value*> lower_by_rule(const CallSite& site) override;

 private:
  ir::Value* call_pullback(const CallSite& site);
};

}  // namespace ddx::compiler
