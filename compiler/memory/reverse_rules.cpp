#include "compiler/memory/reals.h"
#include "compiler/memory/reverse_sweep.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

namespace ddx::compiler::memory {

using namespace llvm;

void ReverseSweep::visitInstruction(Instruction& instruction) {
  const bool computes = holds_reals(instruction.getType()) && activity_.is_active(&instruction);
  const bool has_other_kind =
      holds_other_reals(instruction.getType()) && !isa<AllocaInst>(instruction);
  if (computes || has_other_kind) {
    unit_.errors().report_real(instruction);
  }
}

void ReverseSweep::visitLoadInst(LoadInst& load) {
  if (holds_other_reals(load.getType())) {
    unit_.errors().report_real(load);
    return;
  }
  if (lost_->is_origin(load)) {
    lost_->mark(load, value_of(load.getPointerOperand()), builder_);
  }
  if (is_bits(load.getType())) {
    reverse_load_of_bits(load);
    return;
  }
  if (!holds_reals(load.getType()) || !activity_.is_active(&load)) {
    return;
  }
  Value* const cotangent = take(&load);
  Value* const address = value_of(load.getPointerOperand());
  for_each_real(unit_.module().getDataLayout(), load.getType(),
                [&](ArrayRef<unsigned> part, Type* real, std::uint64_t distance) {
                  Value* amount = cotangent;
                  if (load.getType()->isVectorTy()) {
                    amount = builder_.CreateExtractElement(cotangent, part.front());
                  } else if (!part.empty()) {
                    amount = builder_.CreateExtractValue(cotangent, part);
                  }
                  Value* const place = place_of(real, address, distance);
                  builder_.CreateStore(
                      builder_.CreateFAdd(builder_.CreateLoad(real, place), amount), place);
                });
}

void ReverseSweep::visitStoreInst(StoreInst& store) {
  Value* const value = store.getValueOperand();
  Type* const type = value->getType();
  if (is_bits(type) && activity_.is_active(value)) {
    reverse_store_of_bits(store);
    return;
  }
  if (may_write_bytes(store)) {
    reverse_store_of_bytes(store);
    return;
  }
  if (!holds_reals(type)) {
    return;
  }
  Value* const address = value_of(store.getPointerOperand());
  Type* const whole = cotangent_type(type);
  Value* cotangent = Constant::getNullValue(whole);
  for_each_real(unit_.module().getDataLayout(), type,
                [&](ArrayRef<unsigned> part, Type* real, std::uint64_t distance) {
                  Value* const amount = access("take_", real, address, distance);
                  if (type->isVectorTy()) {
                    cotangent = builder_.CreateInsertElement(cotangent, amount, part.front());
                  } else if (part.empty()) {
                    cotangent = amount;
                  } else {
                    cotangent = builder_.CreateInsertValue(cotangent, amount, part);
                  }
                });
  add(value, cotangent);
}

void ReverseSweep::visitAtomicRMWInst(AtomicRMWInst& change) {
  Value* const operand = change.getValOperand();
  Type* const real = operand->getType();
  if (!holds_reals(real)) {
    if (activity_.is_active(&change)) {
      unit_.errors().report(change, Diagnostic::UnsupportedBitCast);
    } else if (activity_.is_varied(operand)) {
      note_bytes(*operand, change.getPointerOperand());
    }
    return;
  }
  const AtomicRMWInst::BinOp operation = change.getOperation();
  const bool adds = operation == AtomicRMWInst::FAdd || operation == AtomicRMWInst::FSub;
  if (!is_real(real) || (!adds && operation != AtomicRMWInst::Xchg)) {
    unit_.errors().report(change, Diagnostic::UnsupportedAtomic,
                          AtomicRMWInst::getOperationName(operation));
    return;
  }
  Value* const address = value_of(change.getPointerOperand());
  if (adds && change.use_empty()) {
    Value* const amount = access("get_", real, address, 0);
    add(operand, operation == AtomicRMWInst::FSub ? builder_.CreateFNeg(amount) : amount);
    return;
  }
  Value* const amount = access(adds ? "get_" : "take_", real, address, 0);
  if (activity_.is_active(&change)) {
    Value* const place = place_of(real, address, 0);
    builder_.CreateStore(builder_.CreateFAdd(builder_.CreateLoad(real, place), take(&change)),
                         place);
  }
  add(operand, operation == AtomicRMWInst::FSub ? builder_.CreateFNeg(amount) : amount);
}

/// Those that hold bits of reals were brought into another form (prepare_atomics).
void ReverseSweep::visitAtomicCmpXchgInst(AtomicCmpXchgInst& exchange) {
  if (activity_.is_varied(exchange.getNewValOperand())) {
    note_bytes(*exchange.getNewValOperand(), exchange.getPointerOperand());
  }
}

/// `amount`, but zero where it is not a number because an operand is infinite or no number and the
/// cotangent zero: nothing depends on the operation.
Value* ReverseSweep::create_zero_if_unused(Value* cotangent, Value* amount) {
  Value* const zero = Constant::getNullValue(cotangent->getType());
  Value* const is_unused = builder_.CreateAnd(builder_.CreateFCmpOEQ(cotangent, zero),
                                              builder_.CreateFCmpUNO(amount, zero));
  return builder_.CreateSelect(is_unused, zero, amount);
}

Value* ReverseSweep::create_product(Value* cotangent, Value* slope) {
  const APFloat* constant = nullptr;
  if (PatternMatch::match(slope, PatternMatch::m_APFloat(constant)) && constant->isFinite()) {
    return builder_.CreateFMul(cotangent, slope);
  }
  return create_zero_if_unused(cotangent, builder_.CreateFMul(cotangent, slope));
}

void ReverseSweep::visitBinaryOperator(BinaryOperator& operation) {
  if (!operation.getType()->isFPOrFPVectorTy()) {
    reverse_bits(operation);
    return;
  }
  if (holds_other_reals(operation.getType())) {
    return visitInstruction(operation);
  }
  if (!activity_.is_active(&operation)) {
    return;
  }
  Value* const a = operation.getOperand(0);
  Value* const b = operation.getOperand(1);
  Value* const cotangent = take(&operation);
  const auto is_wanted = [&](Value* operand) { return activity_.is_active(operand); };
  switch (operation.getOpcode()) {
    case Instruction::FAdd:
      add(a, cotangent);
      add(b, cotangent);
      return;
    case Instruction::FSub:
      add(a, cotangent);
      if (is_wanted(b)) {
        add(b, builder_.CreateFNeg(cotangent));
      }
      return;
    case Instruction::FMul:
      if (is_wanted(a)) {
        add(a, create_product(cotangent, value_of(b)));
      }
      if (is_wanted(b)) {
        add(b, create_product(cotangent, value_of(a)));
      }
      return;
    case Instruction::FDiv: {
      Value* const part =
          create_zero_if_unused(cotangent, builder_.CreateFDiv(cotangent, value_of(b)));
      add(a, part);
      if (is_wanted(b)) {
        // A numerator of 0 has slope 0, also where one over the divisor overflows.
        Value* const quotient = value_of(&operation);
        Value* const amount = create_product(part, quotient);
        add(b, builder_.CreateFNeg(create_zero_if_unused(quotient, amount)));
      }
      return;
    }
    case Instruction::FRem:
      add(a, cotangent);
      if (is_wanted(b)) {
        Value* const quotient = builder_.CreateUnaryIntrinsic(
            Intrinsic::trunc, builder_.CreateFDiv(value_of(a), value_of(b)));
        add(b, builder_.CreateFNeg(builder_.CreateFMul(cotangent, quotient)));
      }
      return;
    default:
      visitInstruction(operation);
  }
}

void ReverseSweep::visitUnaryOperator(UnaryOperator& operation) {
  if (operation.getOpcode() != Instruction::FNeg) {
    return visitInstruction(operation);
  }
  if (activity_.is_active(&operation)) {
    add(operation.getOperand(0), builder_.CreateFNeg(take(&operation)));
  }
}

void ReverseSweep::visitSelectInst(SelectInst& select) {
  if (!activity_.is_active(&select)) {
    return;
  }
  if (is_bits(select.getType()) && select.getCondition()->getType()->isVectorTy()) {
    return reverse_bits(select);
  }
  Value* const cotangent = take(&select);
  Value* const condition = value_of(select.getCondition());
  Value* const zero = Constant::getNullValue(cotangent->getType());
  if (activity_.is_active(select.getTrueValue())) {
    add(select.getTrueValue(), builder_.CreateSelect(condition, cotangent, zero));
  }
  if (activity_.is_active(select.getFalseValue())) {
    add(select.getFalseValue(), builder_.CreateSelect(condition, zero, cotangent));
  }
}

void ReverseSweep::visitCastInst(CastInst& cast) {
  Value* const operand = cast.getOperand(0);
  const bool from_real = holds_reals(cast.getSrcTy());
  const bool to_real = holds_reals(cast.getDestTy());
  if (isa<BitCastInst>(cast) && from_real != to_real) {
    if (is_bits(cast.getSrcTy()) || is_bits(cast.getDestTy())) {
      reverse_bit_cast(cast);
    } else if ((to_real && !isa<Constant>(operand)) || activity_.is_varied(operand)) {
      unit_.errors().report(cast, Diagnostic::UnsupportedBitCast);
    }
    return;
  }
  if (!from_real && !to_real) {
    return reverse_bits(cast);
  }
  if (!to_real || !activity_.is_active(&cast)) {
    return;
  }
  if (isa<FPExtInst>(cast) || isa<FPTruncInst>(cast)) {
    add(operand, builder_.CreateFPCast(take(&cast), operand->getType()));
    return;
  }
  visitInstruction(cast);
}

void ReverseSweep::visitFreezeInst(FreezeInst& freeze) {
  if (activity_.is_active(&freeze)) {
    add(freeze.getOperand(0), take(&freeze));
  }
}

void ReverseSweep::visitExtractValueInst(ExtractValueInst& extract) {
  if (is_exchanged_bits(extract) && activity_.is_active(&extract)) {
    unit_.errors().report(extract, Diagnostic::UnsupportedBitCast);
    return;
  }
  Value* const whole = extract.getAggregateOperand();
  if (!activity_.is_active(&extract) && !lost_->is_origin(extract)) {
    return;
  }
  Value* const cotangent =
      activity_.is_active(&extract)
          ? take(&extract)
          : lost_->add_lost(
                extract, Constant::getNullValue(whole_cotangent_type(extract.getType())), builder_);
  Value* const zero = Constant::getNullValue(whole_cotangent_type(whole->getType()));
  add(whole, builder_.CreateInsertValue(zero, cotangent, extract.getIndices()));
}

void ReverseSweep::visitInsertValueInst(InsertValueInst& insert) {
  if (!activity_.is_active(&insert)) {
    return;
  }
  Value* cotangent = take(&insert);
  Value* const part = insert.getInsertedValueOperand();
  if (holds_reals(part->getType()) || has_bits(part->getType())) {
    add(part, builder_.CreateExtractValue(cotangent, insert.getIndices()));
    cotangent = builder_.CreateInsertValue(
        cotangent, Constant::getNullValue(whole_cotangent_type(part->getType())),
        insert.getIndices());
  }
  add(insert.getAggregateOperand(), cotangent);
}

void ReverseSweep::visitExtractElementInst(ExtractElementInst& extract) {
  if (is_bits(extract.getType())) {
    return reverse_bits(extract);
  }
  if (!holds_reals(extract.getType()) || !activity_.is_active(&extract)) {
    return;
  }
  Value* const whole = extract.getVectorOperand();
  Value* const zero = Constant::getNullValue(whole->getType());
  add(whole,
      builder_.CreateInsertElement(zero, take(&extract), value_of(extract.getIndexOperand())));
}

void ReverseSweep::visitInsertElementInst(InsertElementInst& insert) {
  if (is_bits(insert.getType())) {
    return reverse_bits(insert);
  }
  if (!holds_reals(insert.getType()) || !activity_.is_active(&insert)) {
    return;
  }
  Value* const cotangent = take(&insert);
  Value* const index = value_of(insert.getOperand(2));
  add(insert.getOperand(1), builder_.CreateExtractElement(cotangent, index));
  Value* const zero = Constant::getNullValue(insert.getOperand(1)->getType());
  add(insert.getOperand(0), builder_.CreateInsertElement(cotangent, zero, index));
}

void ReverseSweep::visitShuffleVectorInst(ShuffleVectorInst& shuffle) {
  if (is_bits(shuffle.getType())) {
    return reverse_bits(shuffle);
  }
  if (!holds_reals(shuffle.getType()) || !activity_.is_active(&shuffle)) {
    return;
  }
  Value* const cotangent = take(&shuffle);
  const int width =
      static_cast<int>(cast<FixedVectorType>(shuffle.getOperand(0)->getType())->getNumElements());
  Value* parts[2] = {Constant::getNullValue(shuffle.getOperand(0)->getType()),
                     Constant::getNullValue(shuffle.getOperand(0)->getType())};
  const ArrayRef<int> mask = shuffle.getShuffleMask();
  for (unsigned i = 0; i < mask.size(); ++i) {
    if (mask[i] < 0) {
      continue;
    }
    Value*& part = parts[mask[i] / width];
    const auto lane = static_cast<std::uint64_t>(mask[i] % width);
    Value* const sum = builder_.CreateFAdd(builder_.CreateExtractElement(part, lane),
                                           builder_.CreateExtractElement(cotangent, i));
    part = builder_.CreateInsertElement(part, sum, lane);
  }
  add(shuffle.getOperand(0), parts[0]);
  add(shuffle.getOperand(1), parts[1]);
}

void ReverseSweep::visitVAArgInst(VAArgInst& argument) {
  if (holds_reals(argument.getType())) {
    unit_.errors().report(argument, Diagnostic::UnsupportedVariadic);
  }
}

}  // namespace ddx::compiler::memory
