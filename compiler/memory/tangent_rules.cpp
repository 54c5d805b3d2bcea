#include "compiler/memory/reals.h"
#include "compiler/memory/tangent_sweep.h"

#include "llvm/IR/Instructions.h"

namespace ddx::compiler::memory {

using namespace llvm;

void TangentSweep::visitInstruction(Instruction& instruction) {
  const bool has_other_kind =
      holds_other_reals(instruction.getType()) && !isa<AllocaInst>(instruction);
  if (is_computed(instruction) || has_other_kind) {
    unit_.errors().report_real(instruction);
  }
}

void TangentSweep::visitPHINode(PHINode& phi) {
  if (!activity_->is_active(&phi)) {
    return;
  }
  PHINode* const tangent = PHINode::Create(whole_cotangent_type(phi.getType()),
                                           phi.getNumIncomingValues(), "", phi.getIterator());
  phis_.emplace_back(&phi, tangent);
  tangents_[&phi] = tangent;
}

void TangentSweep::visitLoadInst(LoadInst& load) {
  if (holds_other_reals(load.getType())) {
    unit_.errors().report_real(load);
    return;
  }
  if (is_bits(load.getType())) {
    return load_bits(load);
  }
  if (!is_computed(load)) {
    return;
  }
  Value* tangent = Constant::getNullValue(whole_cotangent_type(load.getType()));
  for_each_real(unit_.module().getDataLayout(), load.getType(),
                [&](ArrayRef<unsigned> part, Type* real, std::uint64_t distance) {
                  Value* const place = place_of(real, load.getPointerOperand(), distance);
                  Value* const amount = builder_.CreateLoad(real, place);
                  if (load.getType()->isVectorTy()) {
                    tangent = builder_.CreateInsertElement(tangent, amount, part.front());
                  } else if (part.empty()) {
                    tangent = amount;
                  } else {
                    tangent = builder_.CreateInsertValue(tangent, amount, part);
                  }
                });
  tangents_[&load] = tangent;
}

void TangentSweep::visitStoreInst(StoreInst& store) {
  Value* const value = store.getValueOperand();
  Type* const type = value->getType();
  if (is_bits(type) && activity_->is_active(value)) {
    return store_bits(store);
  }
  if (may_write_bytes(store)) {
    return store_bytes(store);
  }
  if (!holds_reals(type)) {
    return;
  }
  Value* const tangent = tangent_of(value);
  for_each_real(unit_.module().getDataLayout(), type,
                [&](ArrayRef<unsigned> part, Type* real, std::uint64_t distance) {
                  Value* amount = tangent;
                  if (type->isVectorTy()) {
                    amount = builder_.CreateExtractElement(tangent, part.front());
                  } else if (!part.empty()) {
                    amount = builder_.CreateExtractValue(tangent, part);
                  }
                  builder_.CreateStore(amount, place_of(real, store.getPointerOperand(), distance));
                });
}

void TangentSweep::visitAtomicRMWInst(AtomicRMWInst& change) {
  Value* const operand = change.getValOperand();
  Type* const real = operand->getType();
  if (!holds_reals(real)) {
    if (activity_->is_active(&change)) {
      unit_.errors().report(change, Diagnostic::UnsupportedBitCast);
    } else if (activity_->is_varied(operand)) {
      lose_bytes(operand, change.getPointerOperand());
    }
    return;
  }
  const AtomicRMWInst::BinOp operation = change.getOperation();
  if (!is_real(real) || (operation != AtomicRMWInst::FAdd && operation != AtomicRMWInst::FSub &&
                         operation != AtomicRMWInst::Xchg)) {
    unit_.errors().report(change, Diagnostic::UnsupportedAtomic,
                          AtomicRMWInst::getOperationName(operation));
    return;
  }
  // Others may add to the same number at the same time.
  Value* const place = place_of(real, change.getPointerOperand(), 0);
  tangents_[&change] =
      builder_.CreateAtomicRMW(operation, place, tangent_of(operand), change.getAlign(),
                               change.getOrdering(), change.getSyncScopeID());
}

/// Those that hold bits of reals were brought into another form (prepare_atomics).
void TangentSweep::visitAtomicCmpXchgInst(AtomicCmpXchgInst& exchange) {
  if (activity_->is_varied(exchange.getNewValOperand())) {
    lose_bytes(exchange.getNewValOperand(), exchange.getPointerOperand());
  }
}

Value* TangentSweep::product_tangent(Value* a, Value* b) {
  Value* sum = Constant::getNullValue(a->getType());
  if (activity_->is_active(a)) {
    sum = builder_.CreateFMul(tangent_of(a), b);
  }
  if (activity_->is_active(b)) {
    sum = add_cotangents(builder_, sum, builder_.CreateFMul(a, tangent_of(b)));
  }
  return sum;
}

/// (da - q db) / b.
Value* TangentSweep::quotient_tangent(BinaryOperator& quotient) {
  Value* const a = quotient.getOperand(0);
  Value* const b = quotient.getOperand(1);
  Value* numerator = tangent_of(a);
  if (activity_->is_active(b)) {
    Value* const part = builder_.CreateFMul(&quotient, tangent_of(b));
    numerator =
        activity_->is_active(a) ? builder_.CreateFSub(numerator, part) : builder_.CreateFNeg(part);
  }
  return builder_.CreateFDiv(numerator, b);
}

/// da - trunc(a / b) db.
Value* TangentSweep::remainder_tangent(BinaryOperator& remainder) {
  Value* const a = remainder.getOperand(0);
  Value* const b = remainder.getOperand(1);
  if (!activity_->is_active(b)) {
    return tangent_of(a);
  }
  Value* const count = builder_.CreateUnaryIntrinsic(Intrinsic::trunc, builder_.CreateFDiv(a, b));
  return builder_.CreateFSub(tangent_of(a), builder_.CreateFMul(count, tangent_of(b)));
}

void TangentSweep::visitBinaryOperator(BinaryOperator& operation) {
  if (!operation.getType()->isFPOrFPVectorTy()) {
    return compute_bits(operation);
  }
  if (holds_other_reals(operation.getType())) {
    return visitInstruction(operation);
  }
  if (!is_computed(operation)) {
    return;
  }
  Value* const a = operation.getOperand(0);
  Value* const b = operation.getOperand(1);
  Value*& tangent = tangents_[&operation];
  switch (operation.getOpcode()) {
    case Instruction::FAdd:
      tangent = add_cotangents(builder_, tangent_of(a), tangent_of(b));
      return;
    case Instruction::FSub:
      tangent = !activity_->is_active(b)   ? tangent_of(a)
                : !activity_->is_active(a) ? builder_.CreateFNeg(tangent_of(b))
                                           : builder_.CreateFSub(tangent_of(a), tangent_of(b));
      return;
    case Instruction::FMul:
      tangent = product_tangent(a, b);
      return;
    case Instruction::FDiv:
      tangent = quotient_tangent(operation);
      return;
    case Instruction::FRem:
      tangent = remainder_tangent(operation);
      return;
    default:
      visitInstruction(operation);
  }
}

void TangentSweep::visitUnaryOperator(UnaryOperator& operation) {
  if (operation.getOpcode() != Instruction::FNeg) {
    return visitInstruction(operation);
  }
  if (is_computed(operation)) {
    tangents_[&operation] = builder_.CreateFNeg(tangent_of(operation.getOperand(0)));
  }
}

void TangentSweep::visitSelectInst(SelectInst& select) {
  if (is_bits(select.getType()) && select.getCondition()->getType()->isVectorTy()) {
    return compute_bits(select);
  }
  if (activity_->is_active(&select)) {
    tangents_[&select] =
        builder_.CreateSelect(select.getCondition(), tangent_of(select.getTrueValue()),
                              tangent_of(select.getFalseValue()));
  }
}

void TangentSweep::visitCastInst(CastInst& cast) {
  Value* const operand = cast.getOperand(0);
  const bool from_real = holds_reals(cast.getSrcTy());
  const bool to_real = holds_reals(cast.getDestTy());
  if (isa<BitCastInst>(cast) && from_real != to_real) {
    if (is_bits(cast.getSrcTy()) || is_bits(cast.getDestTy())) {
      cast_bits(cast);
    } else if ((to_real && !isa<Constant>(operand)) || activity_->is_varied(operand)) {
      unit_.errors().report(cast, Diagnostic::UnsupportedBitCast);
    }
    return;
  }
  if (!from_real && !to_real) {
    return compute_bits(cast);
  }
  if (!is_computed(cast)) {
    return;
  }
  if (!isa<FPExtInst>(cast) && !isa<FPTruncInst>(cast)) {
    return visitInstruction(cast);
  }
  tangents_[&cast] = builder_.CreateFPCast(tangent_of(operand), cast.getType());
}

void TangentSweep::visitFreezeInst(FreezeInst& freeze) {
  if (activity_->is_active(&freeze)) {
    tangents_[&freeze] = builder_.CreateFreeze(tangent_of(freeze.getOperand(0)));
  }
}

void TangentSweep::visitExtractValueInst(ExtractValueInst& extract) {
  if (is_exchanged_bits(extract) && activity_->is_active(&extract)) {
    unit_.errors().report(extract, Diagnostic::UnsupportedBitCast);
    return;
  }
  if (activity_->is_active(&extract)) {
    tangents_[&extract] = builder_.CreateExtractValue(tangent_of(extract.getAggregateOperand()),
                                                      extract.getIndices());
  }
}

void TangentSweep::visitInsertValueInst(InsertValueInst& insert) {
  if (!activity_->is_active(&insert)) {
    return;
  }
  Value* const part = insert.getInsertedValueOperand();
  Value* const whole = tangent_of(insert.getAggregateOperand());
  tangents_[&insert] =
      holds_reals(part->getType()) || has_bits(part->getType())
          ? builder_.CreateInsertValue(whole, tangent_of(part), insert.getIndices())
          : whole;
}

void TangentSweep::visitExtractElementInst(ExtractElementInst& extract) {
  if (is_bits(extract.getType())) {
    return compute_bits(extract);
  }
  if (is_computed(extract)) {
    tangents_[&extract] = builder_.CreateExtractElement(tangent_of(extract.getVectorOperand()),
                                                        extract.getIndexOperand());
  }
}

void TangentSweep::visitInsertElementInst(InsertElementInst& insert) {
  if (is_bits(insert.getType())) {
    return compute_bits(insert);
  }
  if (is_computed(insert)) {
    tangents_[&insert] = builder_.CreateInsertElement(
        tangent_of(insert.getOperand(0)), tangent_of(insert.getOperand(1)), insert.getOperand(2));
  }
}

void TangentSweep::visitShuffleVectorInst(ShuffleVectorInst& shuffle) {
  if (is_bits(shuffle.getType())) {
    return compute_bits(shuffle);
  }
  if (is_computed(shuffle)) {
    tangents_[&shuffle] =
        builder_.CreateShuffleVector(tangent_of(shuffle.getOperand(0)),
                                     tangent_of(shuffle.getOperand(1)), shuffle.getShuffleMask());
  }
}

void TangentSweep::visitReturnInst(ReturnInst& result) {
  Value* const value = result.getReturnValue();
  if (value != nullptr && !returns_bits(made_.signature, value->getType())) {
    pass_bits(result, value);
  }
  if (made_.signature.result == nullptr) {
    return;
  }
  builder_.SetInsertPoint(&result);
  Value* const parts[] = {value,
                          fit_cotangent(builder_, tangent_of(value), made_.signature.result)};
  builder_.CreateAggregateRet(parts, 2);
  result.eraseFromParent();
}

void TangentSweep::visitVAArgInst(VAArgInst& argument) {
  if (holds_reals(argument.getType())) {
    unit_.errors().report(argument, Diagnostic::UnsupportedVariadic);
  }
}

}  // namespace ddx::compiler::memory
