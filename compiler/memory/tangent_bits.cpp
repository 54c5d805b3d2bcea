// Rules of forward mode for integers that hold the bits of reals.

#include "compiler/memory/bits.h"
#include "compiler/memory/reals.h"
#include "compiler/memory/tangent_sweep.h"

#include "llvm/Analysis/ValueTracking.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

unsigned lanes_of(Type* tangent, unsigned member) {
  return static_cast<unsigned>(tangent->getStructElementType(member)->getArrayNumElements());
}

}  // namespace

/// A bit cast between reals and integers.
void TangentSweep::cast_bits(CastInst& cast) {
  if (!activity_->is_active(&cast)) {
    return;
  }
  const bool to_real = holds_reals(cast.getDestTy());
  Type* const reals = to_real ? cast.getDestTy() : cast.getSrcTy();
  const auto* vector = dyn_cast<FixedVectorType>(reals);
  const unsigned lanes = vector != nullptr ? vector->getNumElements() : 1;
  const unsigned member = reals->getScalarType()->isDoubleTy() ? member_f64 : member_f32;
  Value* const from = tangent_of(cast.getOperand(0));
  Value* tangent = Constant::getNullValue(whole_cotangent_type(cast.getDestTy()));
  for (unsigned i = 0; i < lanes; ++i) {
    if (to_real) {
      Value* lane = builder_.CreateExtractValue(from, {member, i});
      if (member == member_f64) {
        lane = add_nan_of_halves(lane, from, i);
      }
      tangent = vector != nullptr ? builder_.CreateInsertElement(tangent, lane, i) : lane;
    } else {
      Value* const lane = vector != nullptr ? builder_.CreateExtractElement(from, i) : from;
      tangent = builder_.CreateInsertValue(tangent, lane, {member, i});
    }
  }
  tangents_[&cast] = tangent;
}

/// Adds NaN to the tangent of a double where one of its halves has that.
Value* TangentSweep::add_nan_of_halves(Value* lane, Value* bits, unsigned i) {
  for (const unsigned half : {2 * i, 2 * i + 1}) {
    if (const Value* known = FindInsertedValue(bits, {member_f32, half});
        known != nullptr && isa<Constant>(known)) {
      continue;
    }
    Value* const number = builder_.CreateExtractValue(bits, {member_f32, half});
    Value* const is_lost = builder_.CreateFCmpUNO(number, number);
    lane = builder_.CreateSelect(is_lost, ConstantFP::getNaN(lane->getType()), lane);
  }
  return lane;
}

/// The tangents of moved pieces. Those of doubles of which the halves part are lost: both halves
/// have NaN then.
Value* TangentSweep::moved_tangent(Instruction& instruction, ArrayRef<Piece> pieces) {
  Value* tangent = Constant::getNullValue(whole_cotangent_type(instruction.getType()));
  const auto take = [&](unsigned member, unsigned to, int operand, unsigned from) {
    Value* const whole = tangent_of(instruction.getOperand(static_cast<unsigned>(operand)));
    tangent = builder_.CreateInsertValue(
        tangent, builder_.CreateExtractValue(whole, {member, from}), {member, to});
  };
  for (unsigned i = 0; i < pieces.size(); ++i) {
    if (pieces[i].operand >= 0) {
      take(member_f32, i, pieces[i].operand, pieces[i].piece);
    }
  }
  const auto part = [&](unsigned i) {
    const Piece piece = pieces[i];
    if (piece.operand < 0) {
      return;
    }
    Value* const whole = tangent_of(instruction.getOperand(static_cast<unsigned>(piece.operand)));
    if (piece.piece / 2 < lanes_of(whole->getType(), member_f64)) {
      Value* const lost = lost_->if_any(
          builder_.CreateExtractValue(whole, {member_f64, piece.piece / 2}), builder_);
      Value* const old = builder_.CreateExtractValue(tangent, {member_f32, i});
      tangent = builder_.CreateInsertValue(
          tangent, builder_.CreateFAdd(old, builder_.CreateFPTrunc(lost, old->getType())),
          {member_f32, i});
    }
  };
  for (unsigned i = 0; i < pieces.size(); i += 2) {
    const Piece low = pieces[i];
    const Piece high = i + 1 < pieces.size() ? pieces[i + 1] : Piece();
    if (low.operand >= 0 && low.operand == high.operand && low.piece % 2 == 0 &&
        high.piece == low.piece + 1) {
      take(member_f64, i / 2, low.operand, low.piece / 2);
      continue;
    }
    part(i);
    if (i + 1 < pieces.size()) {
      part(i + 1);
    }
  }
  return tangent;
}

/// And, or, exclusive or: each operand has the factor that it has in the reverse sweep.
Value* TangentSweep::logic_tangent(BinaryOperator& operation) {
  const StringRef name = operation.getOpcode() == Instruction::And  ? "and"
                         : operation.getOpcode() == Instruction::Or ? "or"
                                                                    : "xor";
  Type* const type = whole_cotangent_type(operation.getType());
  Value* sum = Constant::getNullValue(type);
  for (unsigned side = 0; side < 2; ++side) {
    Value* const own = tangent_of(operation.getOperand(side));
    if (isa<Constant>(own)) {
      continue;
    }
    for (const unsigned member : {member_f64, member_f32}) {
      const unsigned lanes = lanes_of(type, member);
      if (lanes == 0) {
        continue;
      }
      Type* const integers =
          FixedVectorType::get(builder_.getIntNTy(member == member_f64 ? 64 : 32), lanes);
      Value* const bits = builder_.CreateBitCast(operation.getOperand(side), integers);
      Value* const others = builder_.CreateBitCast(operation.getOperand(1 - side), integers);
      Function* const rule =
          unit_.runtime(("bits_" + name + (member == member_f64 ? "_f64" : "_f32")).str());
      for (unsigned i = 0; i < lanes; ++i) {
        Value* const part =
            builder_.CreateCall(rule, {builder_.CreateExtractValue(own, {member, i}),
                                       builder_.CreateExtractElement(bits, i),
                                       builder_.CreateExtractElement(others, i)});
        Value* const old = builder_.CreateExtractValue(sum, {member, i});
        sum = builder_.CreateInsertValue(sum, builder_.CreateFAdd(old, part), {member, i});
      }
    }
  }
  return sum;
}

/// An instruction that computes integers, where these hold bits of reals.
void TangentSweep::compute_bits(Instruction& instruction) {
  if (!activity_->is_active(&instruction)) {
    return;
  }
  if (const auto pieces = moved_pieces(instruction)) {
    tangents_[&instruction] = moved_tangent(instruction, *pieces);
    return;
  }
  auto* logic = dyn_cast<BinaryOperator>(&instruction);
  if (logic != nullptr && logic->isBitwiseLogicOp()) {
    tangents_[&instruction] = logic_tangent(*logic);
    return;
  }
  unit_.errors().report(instruction, Diagnostic::UnsupportedBitCast);
}

void TangentSweep::load_bits(LoadInst& load) {
  if (!activity_->is_active(&load)) {
    return;
  }
  Value* tangent = Constant::getNullValue(whole_cotangent_type(load.getType()));
  for (const unsigned member : {member_f64, member_f32}) {
    for (unsigned i = 0; i < lanes_of(tangent->getType(), member); ++i) {
      Value* const at = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), load.getPointerOperand(),
                                                    i * (member == member_f64 ? 8 : 4));
      Value* const lane = builder_.CreateCall(
          unit_.runtime(member == member_f64 ? "tangent_get_f64" : "tangent_get_f32"),
          {directory_, at});
      tangent = builder_.CreateInsertValue(tangent, lane, {member, i});
    }
  }
  tangents_[&load] = tangent;
}

/// Stores tangents. Where a piece has lost its own, all numbers lose theirs of which it is a part.
void TangentSweep::store_bits(StoreInst& store) {
  Value* const tangent = tangent_of(store.getValueOperand());
  const std::uint64_t size = unit_.module()
                                 .getDataLayout()
                                 .getTypeStoreSize(store.getValueOperand()->getType())
                                 .getFixedValue();
  if (size % sizeof(double) != 0) {
    clear(store.getPointerOperand(), builder_.getInt64(size));
  }
  for (const unsigned member : {member_f64, member_f32}) {
    for (unsigned i = 0; i < lanes_of(tangent->getType(), member); ++i) {
      Value* const at = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), store.getPointerOperand(),
                                                    i * (member == member_f64 ? 8 : 4));
      builder_.CreateCall(
          unit_.runtime(member == member_f64 ? "tangent_set_f64" : "tangent_set_f32"),
          {directory_, at, builder_.CreateExtractValue(tangent, {member, i})});
    }
  }
  Value* is_lost = nullptr;
  for (unsigned i = 0; i < lanes_of(tangent->getType(), member_f32); ++i) {
    Value* const number = builder_.CreateExtractValue(tangent, {member_f32, i});
    Value* const is_nan = builder_.CreateFCmpUNO(number, number);
    is_lost = is_lost == nullptr ? is_nan : builder_.CreateOr(is_lost, is_nan);
  }
  if (is_lost != nullptr && !isa<Constant>(is_lost)) {
    builder_.CreateCall(unit_.runtime("lose_bits"),
                        {directory_, store.getPointerOperand(), builder_.getInt64(size),
                         builder_.CreateZExt(is_lost, builder_.getInt32Ty())});
  }
}

/// Bytes that are not followed: what was there ends.
void TangentSweep::store_bytes(StoreInst& store) {
  const std::uint64_t size = unit_.module()
                                 .getDataLayout()
                                 .getTypeStoreSize(store.getValueOperand()->getType())
                                 .getFixedValue();
  clear(store.getPointerOperand(), builder_.getInt64(size));
  lose_bytes(store.getValueOperand(), store.getPointerOperand());
}

/// Where the integer may hold bits of a real that has a tangent, which is lost, a real that is read
/// from there has the tangent NaN.
void TangentSweep::lose_bytes(Value* value, Value* address) {
  if (Value* const is_lost = lost_->of(value)) {
    const TypeSize size = unit_.module().getDataLayout().getTypeStoreSize(value->getType());
    builder_.CreateCall(unit_.runtime("lose_bits"),
                        {directory_, address, builder_.getInt64(size.getFixedValue()), is_lost});
  }
}

}  // namespace ddx::compiler::memory
