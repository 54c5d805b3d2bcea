/// \file
/// What a call of LLVM IR is to the memory path.

#pragma once

#include "compiler/memory/unit.h"
#include "compiler/rules/scalar_rules.h"

#include "llvm/IR/InstrTypes.h"

namespace ddx::compiler::memory {

/// How a call is differentiated.
struct CallKind {
  enum Kind {
    Ignored,     ///< It stays, and has no derivative.
    Scalar,      ///< A function of reals with a row in scalar.def.
    Scaling,     ///< The product with a slope, in a derivative.
    Copy,        ///< memcpy or memmove.
    Fill,        ///< memset.
    ZeroFilled,  ///< calloc.
    Begin,       ///< The life of an object begins (mark_lives).
    Reallocation,
    RunTime,   ///< Of a sweep: as External::RunTime.
    Object,    ///< Of a class whose tangents are of its own making: `operation`.
    Constant,  ///< It stays; objects that it returns through memory are constants.
    Derived,   ///< Its body is differentiated.
    Indirect,  ///< Through a pointer.
    Rejected   ///< It cannot be differentiated.
  };

  Kind kind;
  const ScalarRule* rule = nullptr;                       ///< Scalar.
  Diagnostic reason = Diagnostic::UnsupportedHiddenBody;  ///< Rejected.
  std::string fact = {};
  ObjectOperation operation = ObjectOperation::Make;
};

/// Classifies a call.
CallKind kind_of(const llvm::CallBase& call, const Unit& unit);

}  // namespace ddx::compiler::memory
