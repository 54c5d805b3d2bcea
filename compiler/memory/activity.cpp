#include "compiler/memory/activity.h"

#include "compiler/memory/bits.h"
#include "compiler/memory/calls.h"
#include "compiler/memory/lost_bits.h"
#include "compiler/memory/reals.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

namespace ddx::compiler::memory {

using namespace llvm;

bool is_constant_memory(const Value* address) {
  const auto* global = dyn_cast<GlobalVariable>(getUnderlyingObject(address));
  return global != nullptr && global->isConstant();
}

bool is_exchanged_bits(const Instruction& instruction) {
  const auto* extract = dyn_cast<ExtractValueInst>(&instruction);
  return extract != nullptr && isa<AtomicCmpXchgInst>(extract->getAggregateOperand());
}

Activity::Activity(const Function& function, const Signature& signature, Unit& unit) {
  find_varied(function, signature, unit);
  find_useful(function, signature, unit);
}

void Activity::replace(const Value* old, const Value* now) {
  for (DenseSet<const Value*>* set : {&varied_, &perhaps_, &wholes_, &useful_}) {
    if (set->erase(old)) {
      set->insert(now);
    }
  }
}

namespace {

/// Whether the result of an instruction starts to depend on inputs here.
bool begins_variation(const Instruction& instruction, Unit& unit) {
  if (const auto* load = dyn_cast<LoadInst>(&instruction)) {
    return !is_constant_memory(load->getPointerOperand());
  }
  if (isa<AtomicRMWInst>(instruction) || is_exchanged_bits(instruction)) {
    return true;
  }
  if (const auto* call = dyn_cast<CallBase>(&instruction)) {
    const CallKind kind = kind_of(*call, unit);
    return kind.kind == CallKind::Derived || kind.kind == CallKind::Indirect;
  }
  return false;
}

/// Whether a real result depends on the operands, or bits are made of theirs.
bool passes_variation(const Instruction& instruction, Unit& unit) {
  if (const auto* call = dyn_cast<CallBase>(&instruction)) {
    const CallKind::Kind kind = kind_of(*call, unit).kind;
    return kind == CallKind::Scalar || kind == CallKind::Scaling;
  }
  if (rounds_by_sum(instruction)) {
    return false;
  }
  if (holds_reals(instruction.getType())) {
    return !isa<LoadInst>(instruction) && !isa<SIToFPInst>(instruction) &&
           !isa<UIToFPInst>(instruction);
  }
  return moves_bits(instruction) ||
         (isa<BitCastInst>(instruction) && holds_reals(instruction.getOperand(0)->getType()));
}

}  // namespace

void Activity::find_varied(const Function& function, const Signature& signature, Unit& unit) {
  for (const Argument& argument : function.args()) {
    const bool holds_object = is_bits(argument.getType()) &&
                              argument.getArgNo() < signature.parameters.size() &&
                              signature.parameters[argument.getArgNo()] != nullptr;
    if (holds_reals(argument.getType()) || holds_object) {
      varied_.insert(&argument);
    }
  }
  const ReversePostOrderTraversal<const Function*> order(&function);
  bool changed = true;
  while (changed) {
    changed = false;
    for (const BasicBlock* block : order) {
      for (const Instruction& instruction : *block) {
        changed = vary(instruction, unit) || changed;
      }
    }
  }
}

/// Adds an instruction to the sets that it belongs to; whether it is new there.
bool Activity::vary(const Instruction& instruction, Unit& unit) {
  const bool is_whole = instruction.getType()->isStructTy() && has_bits(instruction.getType());
  if (is_whole && vary_whole(instruction, unit)) {
    return true;
  }
  const bool real = holds_reals(instruction.getType());
  if ((!real && !is_bits(instruction.getType())) || varied_.contains(&instruction)) {
    return false;
  }
  if (const auto* part = dyn_cast<ExtractValueInst>(&instruction);
      part != nullptr && !real && !is_exchanged_bits(instruction) &&
      !wholes_.contains(part->getAggregateOperand())) {
    return false;
  }
  const auto has_operand_in = [&](const DenseSet<const Value*>& set) {
    return passes_variation(instruction, unit) &&
           any_of(instruction.operands(),
                  [&](const Use& operand) { return set.contains(operand.get()); });
  };
  const bool begins = begins_variation(instruction, unit);
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (begins && call != nullptr &&
      returns_bits(signature_of_call(*call, unit), instruction.getType())) {
    return varied_.insert(&instruction).second;
  }
  const bool casts_bits =
      real && isa<BitCastInst>(instruction) &&
      (has_operand_in(perhaps_) || may_hold_bits_of_reals(instruction.getOperand(0)));
  if (has_operand_in(varied_) || casts_bits || (real && begins)) {
    return varied_.insert(&instruction).second;
  }
  const bool may_begin = begins && call == nullptr;  // Calls return bits by LostBits alone.
  return (may_begin || has_operand_in(perhaps_)) && perhaps_.insert(&instruction).second;
}

/// As vary, of a struct that may hold integers with bits of reals.
bool Activity::vary_whole(const Instruction& instruction, Unit& unit) {
  const auto holds = [&](const Value* part) {
    return wholes_.contains(part) ||
           (is_bits(part->getType()) && (varied_.contains(part) || perhaps_.contains(part)));
  };
  const auto* call = dyn_cast<CallBase>(&instruction);
  const bool begins = call != nullptr && begins_variation(instruction, unit) &&
                      returns_bits(signature_of_call(*call, unit), instruction.getType());
  const bool passes =
      moves_bits(instruction) &&
      any_of(instruction.operands(), [&](const Use& operand) { return holds(operand.get()); });
  if (!(begins || passes) || !wholes_.insert(&instruction).second) {
    return false;
  }
  varied_.insert(&instruction);
  return true;
}

Signature signature_of_call(const CallBase& call, Unit& unit) {
  const auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
  return callee != nullptr && callee->getFunctionType() == call.getFunctionType()
             ? unit.signature(*callee)
             : signature_of(call.getFunctionType());
}

/// Calls `use` for the operands by which values leave the function: to memory, to callees, to the
/// caller.
void Activity::find_leaving(const Instruction& instruction, const Signature& signature, Unit& unit,
                            function_ref<void(const Value*)> use) const {
  // Bits go to memory where they are known to be those of reals, and where the type of a function
  // says that they are those of an object.
  const auto use_stored = [&](const Value* value) {
    if (holds_reals(value->getType()) || varied_.contains(value)) {
      use(value);
    }
  };
  if (const auto* store = dyn_cast<StoreInst>(&instruction)) {
    use_stored(store->getValueOperand());
  } else if (isa<BitCastInst>(instruction) && holds_reals(instruction.getOperand(0)->getType())) {
    use(instruction.getOperand(0));  // See LostBits.
  } else if (const auto* change = dyn_cast<AtomicRMWInst>(&instruction)) {
    use_stored(change->getValOperand());
  } else if (const auto* result = dyn_cast<ReturnInst>(&instruction)) {
    if (signature.result != nullptr) {
      use(result->getReturnValue());
    }
  } else if (const auto* call = dyn_cast<CallBase>(&instruction)) {
    const CallKind::Kind kind = kind_of(*call, unit).kind;
    if (kind != CallKind::Derived && kind != CallKind::Indirect) {
      return;
    }
    const Signature callee = signature_of_call(*call, unit);
    for (unsigned i = 0; i < callee.parameters.size(); ++i) {
      if (callee.parameters[i] != nullptr) {
        use(call->getArgOperand(i));
      }
    }
  }
}

void Activity::find_useful(const Function& function, const Signature& signature, Unit& unit) {
  SmallVector<const Value*> waiting;
  const auto add = [&](const Value* value) {
    if ((holds_reals(value->getType()) || has_bits(value->getType())) &&
        useful_.insert(value).second) {
      waiting.push_back(value);
    }
  };
  for (const BasicBlock& block : function) {
    for (const Instruction& instruction : block) {
      find_leaving(instruction, signature, unit, add);
    }
  }
  while (!waiting.empty()) {
    const auto* instruction = dyn_cast<Instruction>(waiting.pop_back_val());
    if (instruction == nullptr || !passes_variation(*instruction, unit)) {
      continue;
    }
    const auto* call = dyn_cast<CallBase>(instruction);
    const ScalarRule* rule = call != nullptr ? kind_of(*call, unit).rule : nullptr;
    for (const Use& operand : instruction->operands()) {
      const unsigned index = operand.getOperandNo();
      if (rule == nullptr || index >= rule->arity || !rule->is_zero(index)) {
        add(operand.get());
      }
    }
  }
}

}  // namespace ddx::compiler::memory
