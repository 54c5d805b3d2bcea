/// \file
/// The user's text, as messages quote it.

#pragma once

#include "clang/Basic/SourceLocation.h"
#include "clang/Sema/Sema.h"

#include <string>

namespace ddx::compiler {

/// What stands at `range`, in one line that is shortened to 60 characters.
std::string source_text(const clang::Sema& sema, clang::SourceRange range);

/// The same of the call whose name begins at `where`.
std::string call_text(const clang::Sema& sema, clang::SourceLocation where);

}  // namespace ddx::compiler
