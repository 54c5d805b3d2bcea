#include "compiler/memory/lost_bits.h"

#include "compiler/memory/activity.h"
#include "compiler/memory/bits.h"
#include "compiler/memory/reals.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

#include <optional>

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

/// Reals have derivatives of their own, and pointers have none.
bool has_room(const Value* value) {
  Type* const type = value->getType();
  return !isa<Constant>(value) && (type->isIntOrIntVectorTy() || type->isAggregateType());
}

bool casts_from_real(const Value* value) {
  const auto* cast = dyn_cast<BitCastInst>(value);
  return cast != nullptr && holds_reals(cast->getSrcTy());
}

/// The bits up to the highest one of `bits`: sums carry upwards.
APInt up_to_highest(const APInt& bits) {
  return APInt::getLowBitsSet(bits.getBitWidth(), bits.getActiveBits());
}

/// Of the result of a shift by a constant.
APInt shifted_back(const Instruction& shift, unsigned amount, const APInt& bits) {
  switch (shift.getOpcode()) {
    case Instruction::Shl:
      return bits.lshr(amount);
    case Instruction::LShr:
      return bits.shl(amount);
    default: {  // The sign fills the places above.
      APInt before = bits.shl(amount);
      if (bits.getActiveBits() + amount > bits.getBitWidth()) {
        before.setSignBit();
      }
      return before;
    }
  }
}

/// As moved_bits, of an operation on integers that are no vectors; none where all bits matter.
std::optional<APInt> bits_of_operand(const Instruction& user, const APInt& bits) {
  const unsigned width = user.getNumOperands() > 0
                             ? user.getOperand(0)->getType()->getScalarSizeInBits()
                             : bits.getBitWidth();
  const APInt* constant = nullptr;
  switch (user.getOpcode()) {
    case Instruction::Trunc:
      return bits.zext(width);
    case Instruction::ZExt:
      return bits.trunc(width);
    case Instruction::SExt: {
      APInt before = bits.trunc(width);
      if (bits.getActiveBits() > width) {
        before.setSignBit();
      }
      return before;
    }
    case Instruction::Freeze:
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::PHI:
    case Instruction::Select:
      return bits;
    case Instruction::And:
      return PatternMatch::match(user.getOperand(1), PatternMatch::m_APInt(constant))
                 ? bits & *constant
                 : bits;
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      if (PatternMatch::match(user.getOperand(1), PatternMatch::m_APInt(constant)) &&
          constant->ult(width)) {
        return shifted_back(user, static_cast<unsigned>(constant->getZExtValue()), bits);
      }
      return std::nullopt;
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
      return up_to_highest(bits);
    default:
      return std::nullopt;
  }
}

/// The operands whose bits may be bits of the result: all of a computation, since sums and products
/// join bytes too, but no address, condition or position.
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

}  // namespace

APInt all_bits_of(const Value& value) {
  return APInt::getAllOnes(value.getType()->isIntegerTy() ? value.getType()->getIntegerBitWidth()
                                                          : 1);
}

SmallVector<BitsOf> moved_bits(Instruction& user, const APInt& bits) {
  SmallVector<BitsOf> moved;
  for (Value* operand : moved_operands(user)) {
    if (!has_room(operand)) {
      continue;
    }
    const bool are_integers = user.getType()->isIntegerTy() && operand->getType()->isIntegerTy();
    const std::optional<APInt> known = are_integers ? bits_of_operand(user, bits) : std::nullopt;
    const APInt before = known ? *known : all_bits_of(*operand);
    if (!before.isZero()) {
      moved.push_back({operand, before});
    }
  }
  return moved;
}

const CallBase* call_of_part(const Value& value) {
  const Value* whole = &value;
  while (const auto* part = dyn_cast<ExtractValueInst>(whole)) {
    whole = part->getAggregateOperand();
  }
  return whole != &value && value.getType()->isIntegerTy() ? dyn_cast<CallBase>(whole) : nullptr;
}

bool is_origin_of_bits(const Value* value) {
  if (const CallBase* call = call_of_part(*value)) {
    return is_origin_of_bits(call);
  }
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

void find_origins(const BitsOf& integer, VisitedBits& visited,
                  function_ref<void(const BitsOf&)> add) {
  SmallVector<BitsOf> waiting;
  const auto visit = [&](const BitsOf& next) {
    if (has_room(next.value) && visited.insert({next.value, next.bits}).second) {
      waiting.push_back(next);
    }
  };
  visit(integer);
  while (!waiting.empty()) {
    const BitsOf next = waiting.pop_back_val();
    if (is_origin_of_bits(next.value)) {
      add(next);
    } else if (auto* instruction = dyn_cast<Instruction>(next.value)) {
      for (const BitsOf& moved : moved_bits(*instruction, next.bits)) {
        visit(moved);
      }
    }
  }
}

bool lie_in(const BitsOf& integer, unsigned distance, unsigned bytes) {
  return !integer.value->getType()->isIntegerTy() ||
         !integer.bits.extractBits(8 * bytes, 8 * distance).isZero();
}

std::pair<std::uint64_t, std::uint64_t> bytes_of(const BitsOf& integer, const DataLayout& layout) {
  if (!integer.value->getType()->isIntegerTy()) {
    return {0, layout.getTypeStoreSize(integer.value->getType()).getFixedValue()};
  }
  const std::uint64_t begin = integer.bits.countr_zero() / 8;
  return {begin, (integer.bits.getActiveBits() + 7) / 8 - begin};
}

bool may_hold_bits_of_reals(Value* value) {
  VisitedBits visited;
  bool found = false;
  find_origins({value, all_bits_of(*value)}, visited, [&](const BitsOf&) { found = true; });
  return found;
}

}  // namespace ddx::compiler::memory
