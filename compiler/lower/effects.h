/// \file
/// What an expression that is carried over as text reads and writes.

#pragma once

#include "compiler/ir/ir.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace ddx::compiler {

/// Found without lowering the expression.
struct Effects {
  llvm::SmallVector<ir::Root*, 4> reads;
  llvm::SmallVector<ir::Root*, 4> writes;
  llvm::SmallVector<const clang::FunctionDecl*, 1>
      callees;              ///< May write what their parameters do not show.
  bool lowers = false;      ///< Must be lowered: may write reals, or calls a closure.
  bool costly = false;      ///< Not to be evaluated twice.
  bool by_address = false;  ///< May write what it does not name.
};

/// True for text that names no real, but a part of an object with reals: the object may vary, and
/// what comes of the part does not.
bool reads_a_part(const Effects& found);

}  // namespace ddx::compiler
