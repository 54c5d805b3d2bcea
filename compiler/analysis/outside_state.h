/// \file
/// What a function depends on besides its arguments.

#pragma once

#include "compiler/support/context.h"

#include "clang/AST/Decl.h"
#include "clang/Basic/SourceLocation.h"

#include <optional>
#include <vector>

namespace ddx::compiler {

/// A use of what may be different, or do something a second time, when a function is called again
/// with the same arguments: a variable that outlives the call and may change, or a function of
/// which nothing is known.
struct OutsideState {
  const clang::ValueDecl* what = nullptr;  ///< A variable, or a function.
  clang::SourceLocation where;
};

/// Returns the first such use in `functions` and in all that they may call, virtual functions and
/// functions that are only named among it; and where `by_pointer` is true, whatever the unit makes
/// pointers from of the types that they call through. In doubt there is one; code of the standard
/// library and of ddx is trusted to depend on its arguments alone where its bodies are visible.
/// Cost: one walk over each function reached.
std::optional<OutsideState> find_outside_state(
    const Context& context, const std::vector<const clang::FunctionDecl*>& functions,
    bool by_pointer);

}  // namespace ddx::compiler
