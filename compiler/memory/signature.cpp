#include "compiler/memory/signature.h"

#include "compiler/memory/bits.h"
#include "compiler/memory/reals.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

namespace ddx::compiler::memory {

using namespace llvm;

Signature signature_of(const FunctionType* type) {
  const auto cotangent_of = [](Type* one) {
    return holds_reals(one) ? cotangent_type(one) : nullptr;
  };
  Signature signature;
  for (Type* parameter : type->params()) {
    signature.parameters.push_back(cotangent_of(parameter));
  }
  signature.result = cotangent_of(type->getReturnType());
  return signature;
}

bool is_plain(const FunctionType* type) {
  const Signature signature = signature_of(type);
  return signature.result == nullptr &&
         all_of(signature.parameters, [](const Type* one) { return one == nullptr; });
}

namespace {

/// Whether an address is that of a variable that is no integer.
bool is_in_object(const Value* address) {
  const auto* variable = dyn_cast<AllocaInst>(getUnderlyingObject(address));
  return variable != nullptr && !variable->getAllocatedType()->isIntOrPtrTy();
}

bool holds_object(const Argument& argument) {
  return is_bits(argument.getType()) && argument.hasOneUse() && [&] {
    const auto* store = dyn_cast<StoreInst>(*argument.user_begin());
    return store != nullptr && store->getValueOperand() == &argument &&
           is_in_object(store->getPointerOperand());
  }();
}

bool returns_object(const Function& primal) {
  return is_bits(primal.getReturnType()) && any_of(primal, [](const BasicBlock& block) {
           const auto* result = dyn_cast<ReturnInst>(block.getTerminator());
           const auto* load =
               result != nullptr ? dyn_cast<LoadInst>(result->getReturnValue()) : nullptr;
           return load != nullptr && is_in_object(load->getPointerOperand());
         });
}

}  // namespace

Signature signature_of(const Function& primal) {
  Signature signature = signature_of(primal.getFunctionType());
  for (const Argument& argument : primal.args()) {
    if (holds_object(argument)) {
      signature.parameters[argument.getArgNo()] = bits_cotangent_type(argument.getType());
      signature.has_bits = true;
    }
  }
  if (returns_object(primal)) {
    signature.result = bits_cotangent_type(primal.getReturnType());
    signature.has_bits = true;
  }
  return signature;
}

FunctionType* forward_type(FunctionType* primal) {
  SmallVector<Type*> parameters(primal->params());
  parameters.push_back(PointerType::getUnqual(primal->getContext()));
  return FunctionType::get(primal->getReturnType(), parameters, false);
}

FunctionType* reverse_type(LLVMContext& context, const Signature& signature) {
  SmallVector<Type*> results;
  for (Type* parameter : signature.parameters) {
    if (parameter != nullptr) {
      results.push_back(parameter);
    }
  }
  SmallVector<Type*> parameters{PointerType::getUnqual(context)};
  if (signature.result != nullptr) {
    parameters.push_back(signature.result);
  }
  Type* const result = results.empty() ? Type::getVoidTy(context)
                                       : static_cast<Type*>(StructType::get(context, results));
  return FunctionType::get(result, parameters, false);
}

}  // namespace ddx::compiler::memory
