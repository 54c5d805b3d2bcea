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

/// The bits of operands of an instruction by which they leave the function, become reals, or join
/// others whose derivatives are followed.
SmallVector<BitsOf> uses_of_bits(Instruction& instruction, const Activity& activity) {
  const auto all = [](Value* value) { return BitsOf{value, all_bits_of(*value)}; };
  SmallVector<BitsOf> uses;
  if (auto* store = dyn_cast<StoreInst>(&instruction)) {
    if (may_write_bytes(*store)) {
      uses.push_back(all(store->getValueOperand()));
    }
  } else if (auto* change = dyn_cast<AtomicRMWInst>(&instruction)) {
    uses.push_back(all(change->getValOperand()));
  } else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    uses.push_back(all(exchange->getNewValOperand()));
  } else if (auto* call = dyn_cast<CallBase>(&instruction)) {
    append_range(uses, map_range(call->args(), [&](Use& use) { return all(use.get()); }));
  } else if (isa<ReturnInst>(instruction)) {
    append_range(uses, map_range(instruction.operands(), [&](Use& use) { return all(use.get()); }));
  } else if (isa<BitCastInst>(instruction) && holds_reals(instruction.getType()) &&
             activity.is_active(&instruction)) {
    uses.push_back(all(instruction.getOperand(0)));
  } else if (moves_bits(instruction) && activity.is_active(&instruction)) {
    uses = moved_bits(instruction, all_bits_of(instruction));
  }
  return uses;
}

}  // namespace

/// Whether the derivative of an operand of such an instruction is followed into it.
bool LostCotangents::is_followed(const Value* value, const Instruction& user,
                                 const Activity& activity, const Signature& signature) const {
  if (!activity.is_active(value) || isa<AtomicRMWInst, AtomicCmpXchgInst>(user)) {
    return false;
  }
  if (isa<ReturnInst>(user)) {
    return returns_bits(signature, value->getType());
  }
  const auto* call = dyn_cast<CallBase>(&user);
  if (call == nullptr) {
    return true;
  }
  const Signature callee = signature_of_call(*call, unit_);
  return all_of(call->args(), [&](const Use& argument) {
    const unsigned i = call->getArgOperandNo(&argument);
    return argument.get() != value ||
           (i < callee.parameters.size() && callee.parameters[i] != nullptr);
  });
}

LostCotangents::LostCotangents(Function& function, const Signature& signature,
                               const Activity& activity, const Kinds& kinds, Unit& unit)
    : unit_(unit) {
  for (Instruction& instruction : instructions(function)) {
    const auto* call = dyn_cast<CallBase>(&instruction);
    if (call != nullptr && !has_body(*call, kinds)) {
      continue;
    }
    for (const BitsOf& use : uses_of_bits(instruction, activity)) {
      if (!is_followed(use.value, instruction, activity, signature)) {
        add_use(use, kinds);
      }
    }
  }
  Type* const result = function.getReturnType();
  returns_bits_ = !origins_.empty() && (result->isIntOrIntVectorTy() || result->isAggregateType());
}

/// Adds the origins of an integer that is not followed into its use, by pieces of 32 bits.
void LostCotangents::add_use(const BitsOf& use, const Kinds& kinds) {
  const unsigned width = use.bits.getBitWidth();
  APInt lost(width, 0);
  for (unsigned begin = 0; begin < width; begin += 32) {
    const APInt piece = use.bits & APInt::getBitsSet(width, begin, std::min(begin + 32, width));
    VisitedBits visited;
    find_origins({use.value, piece}, visited, [&](const BitsOf& origin) {
      const CallBase* const whole = call_of_part(*origin.value);
      const auto* made = whole != nullptr ? whole : dyn_cast<CallBase>(origin.value);
      if (made != nullptr && !has_body(*made, kinds)) {
        return;
      }
      lost |= piece;
      origins_.try_emplace(origin.value, origin.bits).first->second |= origin.bits;
      takes_bits_ = takes_bits_ || isa<Argument>(origin.value);
      if (whole != nullptr) {
        origins_.try_emplace(whole, APInt(1, 0));
      }
    });
  }
  if (!lost.isZero()) {
    parts_.try_emplace(use.value, lost).first->second |= lost;
  }
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

void LostCotangents::note_part(Value* value, Value* cotangent, IRBuilder<>& builder) {
  const auto found = parts_.find(value);
  Type* const type = cotangent->getType();
  if (found == parts_.end() || note_ == nullptr || !is_bits(value->getType()) ||
      type != bits_cotangent_type(value->getType())) {
    return;
  }
  for_each_lane(type, [&](unsigned member, unsigned lane, unsigned distance) {
    if (lie_in({value, found->second}, distance, bytes_of_member(member))) {
      Value* const number = builder.CreateExtractValue(cotangent, {member, lane});
      Value* const is_any =
          builder.CreateFCmpUNE(number, Constant::getNullValue(number->getType()));
      note(builder.CreateZExt(is_any, builder.getInt32Ty()), builder);
    }
  });
}

Value* LostCotangents::lost_number(Type* real, IRBuilder<>& builder) {
  return builder.CreateFPTrunc(
      builder.CreateCall(unit_.runtime("lost_cotangent_bits"), {sweep_, noted(builder)}), real);
}

Value* LostCotangents::lost_reals(CastInst& cast, IRBuilder<>& builder) {
  Type* const type = cast.getSrcTy();
  if (!origins_.contains(&cast)) {
    return Constant::getNullValue(type);
  }
  Value* const lost = lost_number(type->getScalarType(), builder);
  const auto* vector = dyn_cast<FixedVectorType>(type);
  return vector != nullptr ? builder.CreateVectorSplat(vector->getNumElements(), lost) : lost;
}

Value* LostCotangents::add_lost(Value& value, Value* cotangent, IRBuilder<>& builder) {
  const auto found = origins_.find(&value);
  if (found == origins_.end() || !is_bits(value.getType()) ||
      !(isa<Argument>(value) || isa<CallBase>(value) || isa<ExtractValueInst>(value)) ||
      cotangent->getType() != bits_cotangent_type(value.getType())) {
    return cotangent;
  }
  for_each_lane(cotangent->getType(), [&](unsigned member, unsigned lane, unsigned distance) {
    if (lie_in({&value, found->second}, distance, bytes_of_member(member))) {
      Value* const old = builder.CreateExtractValue(cotangent, {member, lane});
      Value* const sum = builder.CreateFAdd(old, lost_number(old->getType(), builder));
      cotangent = builder.CreateInsertValue(cotangent, sum, {member, lane});
    }
  });
  return cotangent;
}

void LostCotangents::mark(LoadInst& load, Value* address, IRBuilder<>& builder) {
  const auto [begin, size] =
      bytes_of({&load, origins_.lookup(&load)}, unit_.module().getDataLayout());
  builder.CreateCall(unit_.runtime("mark_bits"),
                     {sweep_, builder.CreateConstGEP1_64(builder.getInt8Ty(), address, begin),
                      builder.getInt64(size), noted(builder)});
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
