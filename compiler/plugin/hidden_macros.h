/// \file
/// Hides the macros of the user from the text of derivatives.

#pragma once

#include "clang/Basic/IdentifierTable.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/SmallVector.h"

#include <utility>

namespace ddx::compiler {

/// The text of derivatives, and the headers that it includes, are read at the end of the unit, but
/// must not be expanded by the macros of the user: `#define T(x)` would change every template that
/// has a parameter of this name. Macros of system headers and of ddx stay, and those with names
/// that configure system headers.
class HiddenMacros {
 public:
  /// Removes the macros.
  ///
  /// Cost: proportional to the number of macros of the unit.
  void hide(clang::Preprocessor& preprocessor);

  /// Defines them again.
  void restore(clang::Preprocessor& preprocessor);

 private:
  llvm::SmallVector<std::pair<clang::IdentifierInfo*, clang::MacroInfo*>> hidden_;
};

}  // namespace ddx::compiler
