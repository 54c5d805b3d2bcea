#include "compiler/memory/lives.h"

#include "compiler/memory/known_functions.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

constexpr StringLiteral marker = "ddx.begin";

/// The number of bytes that an allocation gives; null where the call is none. The zeros that calloc
/// gives are reals: their cotangents end at the call itself.
Value* size_of_allocation(CallBase& call) {
  const auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
  if (callee == nullptr || !call.getType()->isPointerTy()) {
    return nullptr;
  }
  const StringRef name = callee->getName();
  if (name == "malloc" || name.starts_with("_Znw") || name.starts_with("_Zna")) {
    return call.getArgOperand(0);
  }
  return name == "aligned_alloc" || name == "memalign" ? call.getArgOperand(1) : nullptr;
}

/// The place behind a call, in the block that follows where that is an invoke.
Instruction* place_behind(CallBase& call) {
  auto* invoke = dyn_cast<InvokeInst>(&call);
  if (invoke == nullptr) {
    return call.getNextNode();
  }
  BasicBlock* normal = invoke->getNormalDest();
  if (normal->getSinglePredecessor() == nullptr) {
    normal = SplitEdge(invoke->getParent(), normal);
  }
  return &*normal->getFirstInsertionPt();
}

/// Variables that could hold a real: all but single integers and pointers.
bool may_hold_reals(const AllocaInst& variable) {
  return !variable.getAllocatedType()->isIntOrPtrTy();
}

}  // namespace

bool is_begin_of_life(const CallBase& call) {
  const auto* callee = dyn_cast<Function>(call.getCalledOperand());
  return callee != nullptr && callee->getName() == marker;
}

void mark_lives(Function& function, Unit& unit) {
  LLVMContext& context = function.getContext();
  FunctionCallee begin = unit.module().getOrInsertFunction(
      marker, Type::getVoidTy(context), PointerType::getUnqual(context), Type::getInt64Ty(context));
  cast<Function>(begin.getCallee())->setDoesNotThrow();
  SmallVector<Instruction*> starts;
  for (Instruction& instruction : instructions(function)) {
    if (isa<CallBase>(instruction) || isa<AllocaInst>(instruction)) {
      starts.push_back(&instruction);
    }
  }
  const DataLayout& layout = unit.module().getDataLayout();
  for (Instruction* start : starts) {
    if (auto* variable = dyn_cast<AllocaInst>(start)) {
      const auto size = variable->getAllocationSize(layout);
      if (may_hold_reals(*variable) && size && !size->isScalable()) {
        IRBuilder<> builder(variable->getNextNode());
        builder.CreateCall(begin, {variable, builder.getInt64(size->getFixedValue())});
      }
      continue;
    }
    auto& call = cast<CallBase>(*start);
    if (Value* const size = size_of_allocation(call)) {
      IRBuilder<> builder(place_behind(call));
      builder.CreateCall(begin, {&call, size});
    }
  }
}

}  // namespace ddx::compiler::memory
