/// \file
/// Which parameters of a function, and whether its result, have cotangents.

#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"

namespace ddx::compiler::memory {

/// The cotangents that the sweeps of a function exchange; null for what has none.
struct Signature {
  llvm::SmallVector<llvm::Type*> parameters;
  llvm::Type* result = nullptr;

  /// Whether bits of reals are passed as integers.
  bool has_bits = false;
};

/// The signature of calls through pointers to functions of a type: reals have cotangents.
Signature signature_of(const llvm::FunctionType* type);

/// Whether neither parameters nor result hold reals.
bool is_plain(const llvm::FunctionType* type);

/// That of a function with a body. An integer that its body stores to a variable in which a real
/// may lie, or loads from one to return it, holds the bits of a small object.
Signature signature_of(const llvm::Function& primal);

/// Whether the cotangent of a result of type `result` includes those of bits.
bool returns_bits(const Signature& signature, llvm::Type* result);

/// The types of the sweeps of a function.
llvm::FunctionType* forward_type(llvm::FunctionType* primal);
llvm::FunctionType* reverse_type(llvm::LLVMContext& context, const Signature& signature);

}  // namespace ddx::compiler::memory
