/// \file
/// What text of expressions states without being parsed.

#pragma once

#include "llvm/ADT/StringRef.h"

namespace ddx::compiler {

/// True when `text` may call a function: a parenthesis behind a name that is no cast.
bool calls_function(llvm::StringRef text);

}  // namespace ddx::compiler
