#include "compiler/memory/vector_intrinsics.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

constexpr unsigned lane_bits = 128;  ///< Horizontal instructions work in lanes of this size.

unsigned count_of(const Type* type) {
  return cast<FixedVectorType>(type)->getNumElements();
}

/// The sums or differences of neighbours: of the first operand, then of the second one, lane by
/// lane.
Value* horizontal(IRBuilder<>& builder, CallInst& call, bool is_sum) {
  const unsigned count = count_of(call.getType());
  const unsigned lane = lane_bits / call.getType()->getScalarSizeInBits();
  SmallVector<int> even;
  SmallVector<int> odd;
  for (unsigned first = 0; first < count; first += lane) {
    for (const unsigned operand : {first, count + first}) {
      for (unsigned i = 0; i < lane; i += 2) {
        even.push_back(static_cast<int>(operand + i));
        odd.push_back(static_cast<int>(operand + i + 1));
      }
    }
  }
  Value* const left =
      builder.CreateShuffleVector(call.getArgOperand(0), call.getArgOperand(1), even);
  Value* const right =
      builder.CreateShuffleVector(call.getArgOperand(0), call.getArgOperand(1), odd);
  return is_sum ? builder.CreateFAdd(left, right) : builder.CreateFSub(left, right);
}

/// Differences and sums in turn.
Value* alternating(IRBuilder<>& builder, CallInst& call) {
  SmallVector<int> places;
  const unsigned count = count_of(call.getType());
  for (unsigned i = 0; i < count; ++i) {
    places.push_back(static_cast<int>(i % 2 == 0 ? i : count + i));
  }
  Value* const first = call.getArgOperand(0);
  Value* const second = call.getArgOperand(1);
  return builder.CreateShuffleVector(builder.CreateFSub(first, second),
                                     builder.CreateFAdd(first, second), places);
}

/// The second operand where the two are equal or unordered.
Value* extremum(IRBuilder<>& builder, CallInst& call, bool is_greatest) {
  Value* const first = call.getArgOperand(0);
  Value* const second = call.getArgOperand(1);
  return builder.CreateSelect(
      is_greatest ? builder.CreateFCmpOGT(first, second) : builder.CreateFCmpOLT(first, second),
      first, second);
}

/// The second operand where the sign of the third one is set.
Value* by_sign(IRBuilder<>& builder, CallInst& call) {
  Type* const type = call.getType();
  Type* const bits = VectorType::get(builder.getIntNTy(type->getScalarSizeInBits()),
                                     cast<VectorType>(type)->getElementCount());
  Value* const mask = builder.CreateBitCast(call.getArgOperand(2), bits);
  return builder.CreateSelect(builder.CreateICmpSLT(mask, Constant::getNullValue(bits)),
                              call.getArgOperand(1), call.getArgOperand(0));
}

/// Null where the mode is known at run time only, or is that of the processor's state.
Value* rounded(IRBuilder<>& builder, CallInst& call) {
  const auto* mode = dyn_cast<ConstantInt>(call.getArgOperand(1));
  if (mode == nullptr || mode->getZExtValue() > 15) {
    return nullptr;
  }
  constexpr Intrinsic::ID modes[] = {Intrinsic::nearbyint, Intrinsic::floor, Intrinsic::ceil,
                                     Intrinsic::trunc};
  const std::uint64_t bits = mode->getZExtValue();
  return builder.CreateUnaryIntrinsic((bits & 4) != 0 ? Intrinsic::rint : modes[bits & 3],
                                      call.getArgOperand(0));
}

/// The elements of `first` and `second` at constant places; null for other places.
Value* permuted(IRBuilder<>& builder, Value* first, Value* second, const Value* places) {
  const auto* constant = dyn_cast<Constant>(places);
  if (constant == nullptr) {
    return nullptr;
  }
  const unsigned count = count_of(first->getType());
  SmallVector<int> mask;
  for (unsigned i = 0; i < count; ++i) {
    const auto* place = dyn_cast_or_null<ConstantInt>(constant->getAggregateElement(i));
    if (place == nullptr) {
      return nullptr;
    }
    mask.push_back(
        static_cast<int>(place->getZExtValue() % (second == nullptr ? count : 2 * count)));
  }
  return second == nullptr ? builder.CreateShuffleVector(first, mask)
                           : builder.CreateShuffleVector(first, second, mask);
}

/// What the call computes; null for other functions.
Value* replacement_of(CallInst& call) {
  const Function* callee = call.getCalledFunction();
  StringRef name = callee != nullptr ? callee->getName() : "";
  if (!name.consume_front("llvm.x86.") || !call.getType()->isFPOrFPVectorTy() ||
      !isa<FixedVectorType>(call.getType())) {
    return nullptr;
  }
  IRBuilder<> builder(&call);
  const StringRef operation = name.split('.').second;  // Behind "sse2.", "avx."
  const bool is_packed = !name.ends_with(".ss") && !name.ends_with(".sd");
  if (operation.starts_with("hadd.p") || operation.starts_with("hsub.p")) {
    return horizontal(builder, call, operation.starts_with("hadd"));
  }
  if (operation.starts_with("addsub.")) {
    return alternating(builder, call);
  }
  if (is_packed && (operation.starts_with("max.p") || operation.starts_with("min.p"))) {
    return extremum(builder, call, operation.starts_with("max"));
  }
  if (operation.starts_with("blendv")) {
    return by_sign(builder, call);
  }
  if (is_packed && operation.starts_with("round.p")) {
    return rounded(builder, call);
  }
  if (operation.starts_with("permvar.") || operation == "permps") {
    return permuted(builder, call.getArgOperand(0), nullptr, call.getArgOperand(1));
  }
  if (operation.starts_with("vpermi2var.")) {
    return permuted(builder, call.getArgOperand(0), call.getArgOperand(2), call.getArgOperand(1));
  }
  return nullptr;
}

}  // namespace

void replace_vector_intrinsics(Function& function) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    auto* call = dyn_cast<CallInst>(&instruction);
    if (Value* const result = call != nullptr ? replacement_of(*call) : nullptr) {
      call->replaceAllUsesWith(result);
      call->eraseFromParent();
    }
  }
}

}  // namespace ddx::compiler::memory
