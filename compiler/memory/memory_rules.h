/// \file
/// What the front end states of functions of the unit, for the memory path.

#pragma once

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <functional>

namespace ddx::compiler {

/// Functions of a unit that the memory path must not differentiate from their bodies, by mangled
/// name. Filled while the entries are written, read when code is generated.
struct MemoryRules {
  unsigned entries = 0;          ///< Written so far: each has the next number in its labels.
  llvm::StringSet<> constants;   ///< Their results are constant: `without_derivative`.
  llvm::StringSet<> registered;  ///< They have registered derivatives.

  /// The place of the first call of `callee` in the definition of `function`, or of the definition
  /// where there is no such call; invalid where the unit defines none. Both are mangled names;
  /// "asm" represents assembly. For
  /// messages without debug location: the first call walks over the unit.
  std::function<clang::SourceLocation(llvm::StringRef function, llvm::StringRef callee)> locate;
};

}  // namespace ddx::compiler
