#include "compiler/memory/lost_bits.h"

#include "compiler/memory/bits.h"
#include "compiler/memory/reals.h"

#include "llvm/IR/IntrinsicInst.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

/// The operands whose bytes may be bytes of the result: all of a computation, since sums and
/// products join bytes too, but no address, condition or position.
SmallVector<Value*> moved_operands(Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case Instruction::Trunc:
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::BitCast:
    case Instruction::Freeze:
    case Instruction::ExtractElement:
    case Instruction::ExtractValue:
      return {instruction.getOperand(0)};
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::InsertElement:
    case Instruction::InsertValue:
    case Instruction::ShuffleVector:
      return {instruction.getOperand(0), instruction.getOperand(1)};
    case Instruction::Select:
      return {instruction.getOperand(1), instruction.getOperand(2)};
    case Instruction::PHI:
      return SmallVector<Value*>(cast<PHINode>(instruction).incoming_values());
    case Instruction::Call:
      switch (auto& call = cast<CallBase>(instruction); call.getIntrinsicID()) {
        case Intrinsic::bswap:
          return {call.getArgOperand(0)};
        case Intrinsic::fshl:
        case Intrinsic::fshr:
          return {call.getArgOperand(0), call.getArgOperand(1)};
        default:
          return {};
      }
    default:
      return {};
  }
}

/// Reals have derivatives of their own, and pointers have none.
bool has_room(const Value* value) {
  Type* const type = value->getType();
  return !isa<Constant>(value) && (type->isIntOrIntVectorTy() || type->isAggregateType());
}

bool casts_from_real(const Value* value) {
  const auto* cast = dyn_cast<BitCastInst>(value);
  return cast != nullptr && holds_reals(cast->getSrcTy());
}

bool casts_to_real(const Value* value) {
  const auto* cast = dyn_cast<BitCastInst>(value);
  return cast != nullptr && holds_reals(cast->getDestTy());
}

}  // namespace

bool is_origin_of_bits(const Value* value) {
  if (const auto* load = dyn_cast<LoadInst>(value)) {
    return may_read_bytes(*load) && !is_constant_memory(load->getPointerOperand());
  }
  if (const auto* call = dyn_cast<CallBase>(value)) {
    const Function* const callee = call->getCalledFunction();
    return !isa<IntrinsicInst>(call) &&
           (callee == nullptr || !callee->getName().starts_with("ddx.rt."));
  }
  return isa<Argument>(value) || casts_from_real(value);
}

/// Activity follows bits from the loads and casts that it knows of to those of their users that it
/// knows of.
bool LostBits::is_followed(Value* value, const Instruction& user) const {
  const bool follows = isa<StoreInst>(user) || casts_to_real(&user) ||
                       (is_bits(user.getType()) && activity_.is_active(&user));
  return follows && (isa<LoadInst>(value) || casts_from_real(value)) && is_bits(value->getType()) &&
         activity_.is_active(value);
}

SmallVector<Value*> LostBits::operands_of(Instruction& user) const {
  SmallVector<Value*> operands = moved_operands(user);
  erase_if(operands,
           [&](Value* operand) { return !has_room(operand) || is_followed(operand, user); });
  return operands;
}

bool may_hold_bits_of_reals(Value* value) {
  SmallVector<Value*> waiting{value};
  SmallPtrSet<Value*, 16> visited;
  while (!waiting.empty()) {
    Value* const next = waiting.pop_back_val();
    if (!has_room(next) || !visited.insert(next).second) {
      continue;
    }
    if (is_origin_of_bits(next)) {
      return true;
    }
    if (auto* instruction = dyn_cast<Instruction>(next)) {
      append_range(waiting, moved_operands(*instruction));
    }
  }
  return false;
}

void LostBits::find_origins(Value* value, const Instruction& user, Values& visited,
                            function_ref<void(Value*)> add) const {
  if (!has_room(value) || is_followed(value, user) || !visited.insert(value).second) {
    return;
  }
  SmallVector<Value*> waiting{value};
  while (!waiting.empty()) {
    Value* const next = waiting.pop_back_val();
    if (is_origin_of_bits(next)) {
      add(next);
      continue;
    }
    if (auto* instruction = dyn_cast<Instruction>(next)) {
      for (Value* operand : operands_of(*instruction)) {
        if (visited.insert(operand).second) {
          waiting.push_back(operand);
        }
      }
    }
  }
}

}  // namespace ddx::compiler::memory
