/// \file
/// Slopes of scalar functions, times a cotangent or a tangent.

#pragma once

#include "compiler/memory/unit.h"
#include "compiler/rules/scalar_rules.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"

namespace ddx::compiler::memory {

/// What a slope is multiplied by.
enum class Factor { Cotangent, Tangent };

/// Emits the product of `amount` and the slope of `call`, to which `rule` applies, by its operand
/// `index`. `value_of` gives operands and result of the call where the code is emitted. Null where
/// nothing flows; where there is no slope, too, which is reported.
llvm::Value* times_slope(llvm::IRBuilder<>& builder, Unit& unit, llvm::CallBase& call,
                         const ScalarRule& rule, unsigned index, Factor factor, llvm::Value* amount,
                         llvm::function_ref<llvm::Value*(llvm::Value*)> value_of);

/// Emits the product of two reals, zero where the first is: also where the second is infinite.
///
/// A call of a function of its own, so that this product can be differentiated in turn.
llvm::Value* create_scaled(llvm::IRBuilder<>& builder, Unit& unit, llvm::Value* amount,
                           llvm::Value* slope);

/// True for the function that create_scaled calls.
bool is_scaling(const llvm::Function& function);

}  // namespace ddx::compiler::memory
