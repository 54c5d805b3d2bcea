/// \file
/// Real numbers in the types of LLVM IR, and their cotangents.

#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Type.h"
#include "llvm/IR/Value.h"

namespace ddx::compiler::memory {

/// True for float, double and x86_fp80: the kinds that have cotangents in memory.
bool is_real(const llvm::Type* type);

/// True for a vector of fixed length whose elements are reals.
bool is_real_vector(const llvm::Type* type);

/// True when a value of this type holds a real.
bool holds_reals(const llvm::Type* type);

/// True when a value of this type holds a floating-point number that is not `is_real`: half,
/// bfloat, fp128.
bool holds_other_reals(const llvm::Type* type);

/// The type of cotangents of `type`: the same shape, with empty structs where there is no real.
llvm::Type* cotangent_type(llvm::Type* type);

/// The sum of two cotangents of values of `type`.
llvm::Value* add_cotangents(llvm::IRBuilder<>& builder, llvm::Value* a, llvm::Value* b);

/// True for a sum or difference with a constant that leaves no bits for a fraction: two to the
/// power of the bits of the fraction, or one and a half times that. It is how vector code rounds,
/// so its derivative is zero, as that of `floor`.
bool rounds_by_sum(const llvm::Instruction& instruction);

/// Suffix of the names of run-time functions for a real type: "f64", "f32" or "f80".
llvm::StringRef suffix_of(const llvm::Type* type);

/// Calls `visit(type, distance)` for each real of a value of `type` in memory; `distance` in bytes.
void for_each_real(
    const llvm::DataLayout& layout, llvm::Type* type,
    llvm::function_ref<void(llvm::ArrayRef<unsigned>, llvm::Type*, std::uint64_t)> visit);

}  // namespace ddx::compiler::memory
