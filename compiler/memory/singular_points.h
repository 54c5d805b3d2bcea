/// \file
/// Points where the slope of a function is infinite, or jumps, though its value is finite: sqrt at
/// 0. First derivatives take 0 for the slope there, and second derivatives NaN, as those of the
/// other path do (docs/reference/derivatives.md).

#pragma once

#include "compiler/memory/unit.h"
#include "compiler/rules/scalar_rules.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"

namespace ddx::compiler::memory {

/// In a function that is differentiated: the slope at such a point is NaN, and so is its own
/// derivative; a tangent of 0 no longer hides it. Slopes are only differentiated for second
/// derivatives.
void mark_singular_slopes(llvm::Function& function, Unit& unit);

/// True for the function of ddx whose calls mark_singular_slopes replaces.
bool is_slope_at_singularity(const llvm::Function& function);

/// True for the function that it calls instead: the identity of NaN.
bool is_singular_slope(const llvm::Function& function);

/// Emits the product of a tangent and a slope that may be infinite, zero where the first is; in
/// second derivatives the plain product. A tangent of 0 may be that of a square, whose root has
/// another one.
llvm::Value* create_root_scaled(llvm::IRBuilder<>& builder, Unit& unit, llvm::Value* tangent,
                                llvm::Value* slope);

/// Makes a product such as `k * r * r`, where `r` is the result of sqrt, cbrt, hypot or fabs, have
/// the derivative of the power: that of `k * s` for `r = sqrt(s)`, which is finite at `r = 0`. By
/// the product rule it would be 0 * inf. The value stays as it is.
void smooth_root_powers(llvm::Function& function, Unit& unit);

/// True for the function that smooth_root_powers calls: it returns its first argument, and has the
/// derivative of its second one.
bool is_smoothing(const llvm::Function& function);

/// The rule of that function.
const ScalarRule& smoothing_rule();

}  // namespace ddx::compiler::memory
