// Reverse rules for integers that hold the bits of reals.

#include "compiler/memory/bits.h"
#include "compiler/memory/reals.h"
#include "compiler/memory/reverse_sweep.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

constexpr unsigned doubles = member_f64;
constexpr unsigned floats = member_f32;

}  // namespace

/// Whether the cotangent of an operand is used: it is added to, or notes that bits were lost.
bool ReverseSweep::takes_part(const Value* operand) const {
  return activity_.is_active(operand) || lost_->is_lost_part(operand);
}

/// Fails at run time where a cotangent is not zero that belongs to bits which no operand has.
void ReverseSweep::expect_zero(Value* cotangent) {
  Value* const wide = builder_.CreateFPExt(cotangent, builder_.getDoubleTy());
  builder_.CreateCall(unit_.runtime("expect_zero"), {wide});
}

/// A bit cast between reals and integers, or between reals of two types by way of integers.
void ReverseSweep::reverse_bit_cast(CastInst& cast) {
  Value* const operand = cast.getOperand(0);
  const bool to_real = holds_reals(cast.getDestTy());
  if (!activity_.is_active(&cast)) {
    if (!to_real) {
      add(operand, lost_->lost_reals(cast, builder_));
    }
    return;
  }
  Type* const real = (to_real ? cast.getDestTy() : cast.getSrcTy())->getScalarType();
  const auto* vector = dyn_cast<FixedVectorType>(to_real ? cast.getDestTy() : cast.getSrcTy());
  const unsigned lanes = vector != nullptr ? vector->getNumElements() : 1;
  const unsigned member = real->isDoubleTy() ? doubles : floats;
  Value* const cotangent = take(&cast);
  if (to_real) {
    Value* bits = Constant::getNullValue(bits_cotangent_type(operand->getType()));
    for (unsigned i = 0; i < lanes; ++i) {
      Value* const lane =
          vector != nullptr ? builder_.CreateExtractElement(cotangent, i) : cotangent;
      bits = builder_.CreateInsertValue(bits, lane, {member, i});
    }
    add(operand, bits);
    return;
  }
  Value* reals = Constant::getNullValue(operand->getType());
  for (unsigned i = 0; i < lanes; ++i) {
    Value* const lane = builder_.CreateExtractValue(cotangent, {member, i});
    reals = vector != nullptr ? builder_.CreateInsertElement(reals, lane, i) : lane;
  }
  const unsigned other = member == doubles ? floats : doubles;
  const unsigned others = static_cast<unsigned>(
      cotangent->getType()->getStructElementType(other)->getArrayNumElements());
  for (unsigned i = 0; i < others; ++i) {
    expect_zero(builder_.CreateExtractValue(cotangent, {other, i}));
  }
  add(operand, add_cotangents(builder_, lost_->lost_reals(cast, builder_), reals));
}

/// Gives the cotangents of moved pieces to the operands that they come from.
void ReverseSweep::reverse_pieces(Instruction& instruction, ArrayRef<Piece> pieces) {
  Value* const cotangent = take(&instruction);
  SmallVector<Value*> sums(instruction.getNumOperands());
  const auto give = [&](unsigned operand, unsigned member, unsigned to, Value* amount) {
    if (!takes_part(instruction.getOperand(operand))) {
      return;
    }
    Value*& sum = sums[operand];
    if (sum == nullptr) {
      sum = Constant::getNullValue(bits_cotangent_type(instruction.getOperand(operand)->getType()));
    }
    Value* const old = builder_.CreateExtractValue(sum, {member, to});
    sum = builder_.CreateInsertValue(sum, builder_.CreateFAdd(old, amount), {member, to});
  };
  for (unsigned i = 0; i < pieces.size(); ++i) {
    if (pieces[i].operand >= 0) {
      give(static_cast<unsigned>(pieces[i].operand), floats, pieces[i].piece,
           builder_.CreateExtractValue(cotangent, {floats, i}));
    }
  }
  for (unsigned i = 0; i + 1 < pieces.size(); i += 2) {
    const Piece low = pieces[i];
    const Piece high = pieces[i + 1];
    Value* const amount = builder_.CreateExtractValue(cotangent, {doubles, i / 2});
    if (low.operand >= 0 && low.operand == high.operand && low.piece % 2 == 0 &&
        high.piece == low.piece + 1) {
      give(static_cast<unsigned>(low.operand), doubles, low.piece / 2, amount);
    } else if (low.operand >= 0 || high.operand >= 0) {
      expect_zero(amount);
    }
  }
  for (unsigned i = 0; i < sums.size(); ++i) {
    if (sums[i] != nullptr) {
      add(instruction.getOperand(i), sums[i]);
    }
  }
}

/// And, or, exclusive or: masks, signs and selections, lane by lane.
void ReverseSweep::reverse_logic(BinaryOperator& operation) {
  const StringRef name = operation.getOpcode() == Instruction::And  ? "and"
                         : operation.getOpcode() == Instruction::Or ? "or"
                                                                    : "xor";
  Value* const cotangent = take(&operation);
  const unsigned pieces = pieces_of(operation.getType());
  for (unsigned side = 0; side < 2; ++side) {
    if (!takes_part(operation.getOperand(side))) {
      continue;
    }
    Value* sum = Constant::getNullValue(bits_cotangent_type(operation.getType()));
    for (const unsigned member : {doubles, floats}) {
      const unsigned width = member == doubles ? 64 : 32;
      const unsigned lanes = member == doubles ? pieces / 2 : pieces;
      Type* const integers = FixedVectorType::get(builder_.getIntNTy(width), lanes);
      if (lanes == 0) {
        continue;
      }
      const auto split = [&](unsigned operand) {
        return builder_.CreateBitCast(value_of(operation.getOperand(operand)), integers);
      };
      Value* const own = split(side);
      Value* const other = split(1 - side);
      Function* const rule =
          unit_.runtime(("bits_" + name + (member == doubles ? "_f64" : "_f32")).str());
      for (unsigned i = 0; i < lanes; ++i) {
        Value* const amount = builder_.CreateCall(
            rule, {builder_.CreateExtractValue(cotangent, {member, i}),
                   builder_.CreateExtractElement(own, i), builder_.CreateExtractElement(other, i)});
        sum = builder_.CreateInsertValue(sum, amount, {member, i});
      }
    }
    add(operation.getOperand(side), sum);
  }
}

/// An instruction that computes integers: reversed where these hold bits of reals.
void ReverseSweep::reverse_bits(Instruction& instruction) {
  if (!activity_.is_active(&instruction)) {
    return;
  }
  if (const auto pieces = moved_pieces(instruction)) {
    reverse_pieces(instruction, *pieces);
    return;
  }
  auto* logic = dyn_cast<BinaryOperator>(&instruction);
  if (logic != nullptr && logic->isBitwiseLogicOp()) {
    reverse_logic(*logic);
    return;
  }
  unit_.errors().report(instruction, Diagnostic::UnsupportedBitCast);
}

void ReverseSweep::reverse_load_of_bits(LoadInst& load) {
  if (!activity_.is_active(&load)) {
    return;
  }
  Value* const cotangent = take(&load);
  Value* const address = value_of(load.getPointerOperand());
  for_each_lane(cotangent->getType(), [&](unsigned member, unsigned lane, unsigned distance) {
    builder_.CreateCall(
        unit_.runtime(member == doubles ? "add_if_f64" : "add_if_f32"),
        {sweep_, builder_.CreateConstGEP1_64(builder_.getInt8Ty(), address, distance),
         builder_.CreateExtractValue(cotangent, {member, lane})});
  });
}

/// Bytes that are not followed. A constant ends what was there.
void ReverseSweep::reverse_store_of_bytes(StoreInst& store) {
  const std::uint64_t size = unit_.module()
                                 .getDataLayout()
                                 .getTypeStoreSize(store.getValueOperand()->getType())
                                 .getFixedValue();
  if (isa<Constant>(store.getValueOperand()) && size >= sizeof(float)) {
    clear(value_of(store.getPointerOperand()), builder_.getInt64(size));
    return;
  }
  note_bytes(*store.getValueOperand(), store.getPointerOperand());
}

/// Notes that the integer `value`, which was written to `address`, was read as a real.
void ReverseSweep::note_bytes(const Value& value, Value* address) {
  const TypeSize size = unit_.module().getDataLayout().getTypeStoreSize(value.getType());
  lost_->note(
      builder_.CreateCall(unit_.runtime("take_bits"),
                          {sweep_, value_of(address), builder_.getInt64(size.getFixedValue())}),
      builder_);
}

void ReverseSweep::reverse_store_of_bits(StoreInst& store) {
  Value* const value = store.getValueOperand();
  Value* const address = value_of(store.getPointerOperand());
  Value* cotangent = Constant::getNullValue(bits_cotangent_type(value->getType()));
  for_each_lane(cotangent->getType(), [&](unsigned member, unsigned lane, unsigned distance) {
    Value* const amount = builder_.CreateCall(
        unit_.runtime(member == doubles ? "take_if_f64" : "take_if_f32"),
        {sweep_, builder_.CreateConstGEP1_64(builder_.getInt8Ty(), address, distance)});
    cotangent = builder_.CreateInsertValue(cotangent, amount, {member, lane});
  });
  add(value, cotangent);
}

}  // namespace ddx::compiler::memory
