#include "compiler/memory/signature.h"

#include "compiler/memory/bits.h"
#include "compiler/memory/reals.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <cstdint>

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

/// Whether a real may lie among the bytes from `begin` to `end` of an object of a type. Unions and
/// structs without a name, which Clang makes of parts, may hold what their types do not show.
bool may_hold_reals(const DataLayout& layout, Type* type, std::uint64_t begin, std::uint64_t end) {
  if (begin >= end || begin >= layout.getTypeAllocSize(type)) {
    return false;
  }
  if (auto* array = dyn_cast<ArrayType>(type)) {
    Type* const element = array->getElementType();
    return element->isIntegerTy(8) ||
           may_hold_reals(layout, element, 0, layout.getTypeAllocSize(element));
  }
  auto* const record = dyn_cast<StructType>(type);
  if (record == nullptr) {
    return holds_reals(type);
  }
  if (record->isLiteral() || record->getName().starts_with("union.")) {
    return true;
  }
  const StructLayout& places = *layout.getStructLayout(record);
  for (unsigned i = 0; i < record->getNumElements(); ++i) {
    const std::uint64_t place = places.getElementOffset(i);
    if (place < end && may_hold_reals(layout, record->getElementType(i),
                                      begin > place ? begin - place : 0, end - place)) {
      return true;
    }
  }
  return false;
}

/// Whether the value of type `type` at an address is a part of a variable in which reals may lie.
bool is_in_object(const DataLayout& layout, const Value* address, Type* type,
                  std::uint64_t distance) {
  APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
  const auto* variable = dyn_cast<AllocaInst>(
      address->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true));
  if (variable == nullptr) {
    variable = dyn_cast<AllocaInst>(getUnderlyingObject(address));
    return variable != nullptr && !variable->getAllocatedType()->isIntOrPtrTy();
  }
  const std::uint64_t begin = offset.getZExtValue() + distance;
  return may_hold_reals(layout, variable->getAllocatedType(), begin,
                        begin + layout.getTypeStoreSize(type).getFixedValue());
}

bool holds_object(const Argument& argument) {
  return is_bits(argument.getType()) && argument.hasOneUse() && [&] {
    const auto* store = dyn_cast<StoreInst>(*argument.user_begin());
    return store != nullptr && store->getValueOperand() == &argument &&
           is_in_object(argument.getParent()->getParent()->getDataLayout(),
                        store->getPointerOperand(), argument.getType(), 0);
  }();
}

/// Whether a function returns what lies in such a variable: as an integer, or as a struct of
/// integers and reals.
bool returns_object(const Function& primal) {
  const DataLayout& layout = primal.getParent()->getDataLayout();
  const auto is_object = [&](const LoadInst& load) {
    const Value* const address = load.getPointerOperand();
    auto* const record = dyn_cast<StructType>(load.getType());
    if (record == nullptr) {
      return is_in_object(layout, address, load.getType(), 0);
    }
    const StructLayout& places = *layout.getStructLayout(record);
    for (unsigned i = 0; i < record->getNumElements(); ++i) {
      if (has_bits(record->getElementType(i)) &&
          is_in_object(layout, address, record->getElementType(i), places.getElementOffset(i))) {
        return true;
      }
    }
    return false;
  };
  return has_bits(primal.getReturnType()) && any_of(primal, [&](const BasicBlock& block) {
           const auto* result = dyn_cast<ReturnInst>(block.getTerminator());
           const auto* load =
               result != nullptr ? dyn_cast<LoadInst>(result->getReturnValue()) : nullptr;
           return load != nullptr && is_object(*load);
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
    signature.result = whole_cotangent_type(primal.getReturnType());
    signature.has_bits = true;
  }
  return signature;
}

bool returns_bits(const Signature& signature, Type* result) {
  return signature.result != nullptr && has_bits(result) &&
         signature.result == whole_cotangent_type(result);
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
