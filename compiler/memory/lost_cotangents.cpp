#include "compiler/memory/lost_cotangents.h"

#include "compiler/memory/bits.h"
#include "compiler/memory/reals.h"

#include "llvm/IR/InstIterator.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

bool has_body(const CallBase& call, const LostCotangents::Kinds& kinds) {
  const CallKind::Kind kind = kinds.lookup(&call).kind;
  return kind == CallKind::Derived || kind == CallKind::Indirect;
}

/// The operands by which bits leave the function, or become reals.
SmallVector<Value*> uses_of_bits(Instruction& instruction, const Activity& activity,
                                 const LostCotangents::Kinds& kinds) {
  if (auto* store = dyn_cast<StoreInst>(&instruction)) {
    Value* const value = store->getValueOperand();
    return may_write_bytes(*store) || (is_bits(value->getType()) && activity.is_active(value))
               ? SmallVector<Value*>{value}
               : SmallVector<Value*>();
  }
  if (auto* call = dyn_cast<CallBase>(&instruction)) {
    return has_body(*call, kinds) ? SmallVector<Value*>(call->args()) : SmallVector<Value*>();
  }
  if (auto* result = dyn_cast<ReturnInst>(&instruction)) {
    return SmallVector<Value*>(result->operands());
  }
  if (isa<BitCastInst>(instruction) && holds_reals(instruction.getType()) &&
      activity.is_active(&instruction)) {
    return {instruction.getOperand(0)};
  }
  return {};
}

}  // namespace

LostCotangents::LostCotangents(Function& function, const Activity& activity, const Kinds& kinds,
                               Unit& unit)
    : unit_(unit) {
  const LostBits bits(activity);
  LostBits::Values visited;
  for (Instruction& instruction : instructions(function)) {
    for (Value* value : uses_of_bits(instruction, activity, kinds)) {
      bits.find_origins(value, instruction, visited, [&](Value* origin) {
        const auto* call = dyn_cast<CallBase>(origin);
        if (call == nullptr || has_body(*call, kinds)) {
          origins_.insert(origin);
          takes_bits_ = takes_bits_ || isa<Argument>(origin);
        }
      });
    }
  }
  Type* const result = function.getReturnType();
  returns_bits_ = !origins_.empty() && (result->isIntOrIntVectorTy() || result->isAggregateType());
}

void LostCotangents::begin(Value* sweep, IRBuilder<>& builder) {
  sweep_ = sweep;
  if (origins_.empty()) {
    return;
  }
  note_ = builder.CreateAlloca(builder.getInt32Ty());
  builder.CreateStore(returns_bits_
                          ? builder.CreateCall(unit_.runtime("find_passed_cotangent_bits"), {sweep})
                          : static_cast<Value*>(builder.getInt32(0)),
                      note_);
}

Value* LostCotangents::noted(IRBuilder<>& builder) {
  return builder.CreateLoad(builder.getInt32Ty(), note_);
}

void LostCotangents::note(Value* is_lost, IRBuilder<>& builder) {
  if (note_ != nullptr) {
    builder.CreateStore(builder.CreateOr(noted(builder), is_lost), note_);
  }
}

void LostCotangents::note_if_any(Value* cotangent, IRBuilder<>& builder) {
  if (note_ == nullptr) {
    return;
  }
  Value* has_any = builder.CreateFCmpUNE(cotangent, Constant::getNullValue(cotangent->getType()));
  if (has_any->getType()->isVectorTy()) {
    has_any = builder.CreateOrReduce(has_any);
  }
  note(builder.CreateZExt(has_any, builder.getInt32Ty()), builder);
}

Value* LostCotangents::add_lost(CastInst& cast, Value* cotangent, IRBuilder<>& builder) {
  if (!origins_.contains(&cast)) {
    return cotangent;
  }
  Value* lost = builder.CreateCall(unit_.runtime("lost_cotangent_bits"), {sweep_, noted(builder)});
  Type* const type = cotangent->getType();
  lost = builder.CreateFPTrunc(lost, type->getScalarType());
  if (const auto* vector = dyn_cast<FixedVectorType>(type)) {
    lost = builder.CreateVectorSplat(vector->getNumElements(), lost);
  }
  return builder.CreateFAdd(cotangent, lost);
}

void LostCotangents::mark(LoadInst& load, Value* address, IRBuilder<>& builder) {
  const TypeSize size = unit_.module().getDataLayout().getTypeStoreSize(load.getType());
  builder.CreateCall(unit_.runtime("mark_bits"),
                     {sweep_, address, builder.getInt64(size.getFixedValue()), noted(builder)});
}

void LostCotangents::pass(IRBuilder<>& builder) {
  builder.CreateCall(unit_.runtime("pass_cotangent_bits"), {sweep_, noted(builder)});
}

void LostCotangents::before_callee(CallBase& call, IRBuilder<>& builder) {
  if (origins_.contains(&call)) {
    pass(builder);
  }
}

void LostCotangents::behind_callee(CallBase& call, IRBuilder<>& builder) {
  const bool passes = any_of(call.args(), [](const Use& argument) {
    return argument->getType()->isIntOrIntVectorTy() && !isa<Constant>(argument.get());
  });
  if (note_ != nullptr && passes) {
    note(builder.CreateCall(unit_.runtime("find_passed_cotangent_bits"), {sweep_}), builder);
  }
}

void LostCotangents::end(IRBuilder<>& builder) {
  if (takes_bits_) {
    pass(builder);
  }
}

}  // namespace ddx::compiler::memory
