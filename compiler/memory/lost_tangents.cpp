#include "compiler/memory/lost_tangents.h"

#include "compiler/memory/bits.h"

#include "llvm/IR/IRBuilder.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

/// The instruction in front of which the definition of a value is complete.
Instruction* next_of(const Value& value) {
  if (const auto* argument = dyn_cast<Argument>(&value)) {
    auto& entry = const_cast<BasicBlock&>(argument->getParent()->getEntryBlock());
    return &*entry.getFirstInsertionPt();
  }
  auto* const instruction = const_cast<Instruction*>(cast<Instruction>(&value));
  if (auto* invoke = dyn_cast<InvokeInst>(instruction)) {
    return &*invoke->getNormalDest()->getFirstInsertionPt();
  }
  return isa<PHINode>(instruction) ? &*instruction->getParent()->getFirstInsertionPt()
                                   : instruction->getNextNode();
}

/// The last one of the instructions among values of one block; null where there is none.
const Instruction* last_of(ArrayRef<Value*> values) {
  const Instruction* last = nullptr;
  for (const Value* value : values) {
    const auto* next = dyn_cast_or_null<Instruction>(value);
    if (next != nullptr && (last == nullptr || last->comesBefore(next))) {
      last = next;
    }
  }
  return last;
}

}  // namespace

Value* LostTangents::of(Value* value) {
  return of({value, all_bits_of(*value)});
}

Value* LostTangents::of(const BitsOf& integer) {
  if (without_origin_.contains({integer.value, integer.bits})) {
    return nullptr;
  }
  VisitedBits visited;
  bool found = false;
  find_origins(integer, visited, [&](const BitsOf&) { found = true; });
  if (!found) {
    without_origin_.insert(visited.begin(), visited.end());
    return nullptr;
  }
  for (const Flag& known : flags_[integer.value]) {
    if (known.bits == integer.bits) {
      return known.flag;
    }
  }
  Value* const flag = compute(integer);
  flags_[integer.value].push_back({integer.bits, flag});
  return flag;
}

Value* LostTangents::of_own(Value* value) {
  VisitedBits visited;
  bool found = false;
  find_origins({value, all_bits_of(*value)}, visited, [&](const BitsOf& origin) {
    const bool is_passed = isa<Argument>(origin.value) || isa<CallBase>(origin.value) ||
                           call_of_part(*origin.value) != nullptr;
    found = found || !is_passed || tangent_of_origin(origin.value) != nullptr;
  });
  return found ? of(value) : nullptr;
}

Value* LostTangents::tangent_of_lost(Value* value) {
  Type* const type = bits_cotangent_type(value->getType());
  Value* tangent = Constant::getNullValue(type);
  if (isa<Constant>(value)) {
    return tangent;
  }
  if (Value* const known = tangents_.lookup(value)) {
    return known;
  }
  const APInt all = all_bits_of(*value);
  SmallVector<Value*> flags;
  for_each_lane(type, [&](unsigned member, unsigned /*lane*/, unsigned distance) {
    flags.push_back(of({value, value->getType()->isIntegerTy()
                                   ? APInt::getBitsSet(all.getBitWidth(), 8 * distance,
                                                       8 * (distance + bytes_of_member(member)))
                                   : all}));
  });
  if (const Instruction* last = last_of(flags)) {
    IRBuilder<> builder(next_of(*last));
    unsigned at = 0;
    for_each_lane(type, [&](unsigned member, unsigned lane, unsigned /*distance*/) {
      if (Value* const flag = flags[at++]) {
        Value* const lost =
            builder.CreateCall(unit_.runtime("lost_tangent_bits"), {&directory_, flag});
        Type* const real = type->getStructElementType(member)->getArrayElementType();
        tangent =
            builder.CreateInsertValue(tangent, builder.CreateFPTrunc(lost, real), {member, lane});
      }
    });
  }
  tangents_[value] = tangent;
  return tangent;
}

Value* LostTangents::if_any(Value* tangent, IRBuilder<>& builder) {
  Value* const is_any = builder.CreateFCmpUNE(tangent, Constant::getNullValue(tangent->getType()));
  return builder.CreateCall(unit_.runtime("lost_tangent_bits"),
                            {&directory_, builder.CreateZExt(is_any, builder.getInt32Ty())});
}

void LostTangents::complete() {
  while (!phis_.empty()) {
    const Phi next = phis_.pop_back_val();
    for (unsigned i = 0; i < next.phi->getNumIncomingValues(); ++i) {
      Value* const incoming = next.phi->getIncomingValue(i);
      const APInt bits = incoming->getType()->isIntegerTy() ? next.bits : all_bits_of(*incoming);
      Value* const flag = of({incoming, bits});
      next.flag->addIncoming(flag != nullptr ? flag : ConstantInt::get(next.flag->getType(), 0),
                             next.phi->getIncomingBlock(i));
    }
  }
}

/// Computes the flag behind the definition of the value.
Value* LostTangents::compute(const BitsOf& integer) {
  if (is_origin_of_bits(integer.value)) {
    return flag_of_origin(integer);
  }
  auto* const instruction = cast<Instruction>(integer.value);
  Type* const type = Type::getInt32Ty(instruction->getContext());
  if (auto* phi = dyn_cast<PHINode>(instruction)) {
    PHINode* const flag =
        PHINode::Create(type, phi->getNumIncomingValues(), "", phi->getIterator());
    phis_.push_back({phi, flag, integer.bits});
    return flag;
  }
  IRBuilder<> builder(next_of(*instruction));
  Value* sum = nullptr;
  for (const BitsOf& moved : moved_bits(*instruction, integer.bits)) {
    if (Value* const flag = of(moved)) {
      sum = sum == nullptr ? flag : builder.CreateOr(sum, flag);
    }
  }
  return sum;
}

/// The tangent of an origin that is an integer; null where none is passed.
Value* LostTangents::tangent_of_origin(Value* origin) {
  return is_bits(origin->getType()) ? tangent_of_(origin) : nullptr;
}

Value* LostTangents::flag_of_origin(const BitsOf& origin) {
  const auto as_flag = [](IRBuilder<>& builder, Value* is_any) {
    return builder.CreateZExt(is_any, builder.getInt32Ty());
  };
  if (auto* load = dyn_cast<LoadInst>(origin.value)) {
    IRBuilder<> builder(next_of(*load));
    const auto [begin, size] = bytes_of(origin, unit_.module().getDataLayout());
    Value* const address =
        builder.CreateConstGEP1_64(builder.getInt8Ty(), load->getPointerOperand(), begin);
    return builder.CreateCall(unit_.runtime("find_bits"),
                              {&directory_, address, builder.getInt64(size)});
  }
  if (auto* cast = dyn_cast<BitCastInst>(origin.value)) {
    IRBuilder<> builder(next_of(*cast));
    Value* const tangent = tangent_of_(cast->getOperand(0));
    Value* is_any = builder.CreateFCmpUNE(tangent, Constant::getNullValue(tangent->getType()));
    if (is_any->getType()->isVectorTy()) {
      is_any = builder.CreateOrReduce(is_any);
    }
    return as_flag(builder, is_any);
  }
  Value* const tangent = tangent_of_origin(origin.value);
  const bool is_defined = tangent != nullptr && isa<Instruction>(tangent);
  IRBuilder<> builder(next_of(is_defined ? *tangent : *origin.value));
  Value* flag = builder.CreateCall(unit_.runtime("find_passed_bits"), {&directory_});
  if (tangent != nullptr) {
    for_each_lane(tangent->getType(), [&](unsigned member, unsigned lane, unsigned distance) {
      if (lie_in(origin, distance, bytes_of_member(member))) {
        Value* const number = builder.CreateExtractValue(tangent, {member, lane});
        flag = builder.CreateOr(
            flag, as_flag(builder, builder.CreateFCmpUNE(
                                       number, Constant::getNullValue(number->getType()))));
      }
    });
  }
  return flag;
}

}  // namespace ddx::compiler::memory
