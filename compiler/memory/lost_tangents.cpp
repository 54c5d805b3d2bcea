#include "compiler/memory/lost_tangents.h"

#include "llvm/IR/IRBuilder.h"

namespace ddx::compiler::memory {

using namespace llvm;

Value* LostTangents::of(Value* value, const Instruction& user) {
  if (without_origin_.contains(value)) {
    return nullptr;
  }
  LostBits::Values visited;
  bool found = false;
  bits_.find_origins(value, user, visited, [&](Value*) { found = true; });
  if (!found) {
    without_origin_.insert(visited.begin(), visited.end());
    return nullptr;
  }
  return flag_of(value);
}

Value* LostTangents::of_loads(Value* value, const Instruction& user) {
  LostBits::Values visited;
  bool found = false;
  bits_.find_origins(value, user, visited, [&](Value* origin) {
    found = found || !(isa<Argument>(origin) || isa<CallBase>(origin));
  });
  return found ? of(value, user) : nullptr;
}

void LostTangents::complete() {
  while (!phis_.empty()) {
    const auto [phi, flag] = phis_.pop_back_val();
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      Value* const incoming = of(phi->getIncomingValue(i), *phi);
      flag->addIncoming(incoming != nullptr ? incoming : ConstantInt::get(flag->getType(), 0),
                        phi->getIncomingBlock(i));
    }
  }
}

Value* LostTangents::flag_of(Value* value) {
  if (const auto known = flags_.find(value); known != flags_.end()) {
    return known->second;
  }
  Value* const flag = compute(value);
  flags_[value] = flag;
  return flag;
}

/// Computes the flag behind the definition of the value.
Value* LostTangents::compute(Value* value) {
  IRBuilder<> builder(value->getContext());
  if (isa<Argument>(value)) {
    BasicBlock& entry = directory_.getParent()->getEntryBlock();
    builder.SetInsertPoint(&entry, entry.getFirstInsertionPt());
    return flag_of_origin(value, builder);
  }
  auto* const instruction = cast<Instruction>(value);
  if (auto* phi = dyn_cast<PHINode>(instruction)) {
    PHINode* const flag =
        PHINode::Create(builder.getInt32Ty(), phi->getNumIncomingValues(), "", phi->getIterator());
    phis_.emplace_back(phi, flag);
    return flag;
  }
  if (auto* invoke = dyn_cast<InvokeInst>(instruction)) {
    builder.SetInsertPoint(invoke->getNormalDest(), invoke->getNormalDest()->getFirstInsertionPt());
  } else {
    builder.SetInsertPoint(instruction->getNextNode());
  }
  if (is_origin_of_bits(instruction)) {
    return flag_of_origin(instruction, builder);
  }
  Value* sum = nullptr;
  for (Value* operand : bits_.operands_of(*instruction)) {
    if (Value* const flag = of(operand, *instruction)) {
      sum = sum == nullptr ? flag : builder.CreateOr(sum, flag);
    }
  }
  return sum;
}

Value* LostTangents::flag_of_origin(Value* value, IRBuilder<>& builder) {
  if (auto* load = dyn_cast<LoadInst>(value)) {
    const TypeSize size = unit_.module().getDataLayout().getTypeStoreSize(load->getType());
    return builder.CreateCall(unit_.runtime("find_bits"), {&directory_, load->getPointerOperand(),
                                                           builder.getInt64(size.getFixedValue())});
  }
  if (auto* cast = dyn_cast<BitCastInst>(value)) {
    Value* const tangent = tangent_of_(cast->getOperand(0));
    Value* has_tangent = builder.CreateFCmpUNE(tangent, Constant::getNullValue(tangent->getType()));
    if (has_tangent->getType()->isVectorTy()) {
      has_tangent = builder.CreateOrReduce(has_tangent);
    }
    return builder.CreateZExt(has_tangent, builder.getInt32Ty());
  }
  return builder.CreateCall(unit_.runtime("find_passed_bits"), {&directory_});
}

}  // namespace ddx::compiler::memory
