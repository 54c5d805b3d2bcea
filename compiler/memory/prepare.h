/// \file
/// Brings a function into the form that is differentiated.

#pragma once

#include "compiler/memory/unit.h"

#include "llvm/IR/ValueMap.h"

namespace ddx::compiler::memory {

/// Makes a copy of `primal` in which arguments passed as hidden copies (`byval`) are copied by
/// instructions, small callees are inlined, variables whose address does not escape are values
/// (SROA), and every call that may throw is an invoke, so that each way out of the function is a
/// terminator.
llvm::Function* prepare(llvm::Function& primal, Unit& unit);

/// Copies the body of `from` into the empty function `to`, whose first parameters are those of
/// `from`. Attributes are dropped, except those of keep_attributes.
void clone_body(const llvm::Function& from, llvm::Function& to,
                llvm::ValueMap<const llvm::Value*, llvm::WeakTrackingVH>& values);

/// Gives `to` the attributes of `from` that choose the processor and the sanitizers.
void keep_attributes(const llvm::Function& from, llvm::Function& to);

/// Simplifies a generated function: adjoint variables become values, dead code goes.
void simplify(llvm::Function& made, llvm::FunctionAnalysisManager& analyses);

/// Lets the loops of a generated function end with their conditions, behind one in front of them.
void rotate_loops(llvm::Function& made, llvm::FunctionAnalysisManager& analyses);

}  // namespace ddx::compiler::memory
