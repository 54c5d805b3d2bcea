#include "compiler/memory/function_facts.h"

#include "compiler/memory/atomics.h"
#include "compiler/memory/known_functions.h"
#include "compiler/memory/reals.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

const Function* callee_of(const CallBase& call) {
  return dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
}

/// Whether the instruction handles reals by itself: operands, bytes, what cannot be seen, what the
/// rules know of, or the order of threads.
bool touches_directly(const Instruction& instruction, const MemoryRules& rules) {
  if (orders_threads(instruction)) {
    return true;
  }
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (call == nullptr || isa<IntrinsicInst>(call)) {
    return isa<MemIntrinsic>(instruction) || holds_reals(instruction.getType()) ||
           any_of(instruction.operands(),
                  [](const Use& operand) { return holds_reals(operand->getType()); });
  }
  const Function* callee = callee_of(*call);
  if (callee == nullptr || rules.is_opaque(callee->getName())) {
    return true;
  }
  const External effect = effect_of(callee->getName());
  return callee->isDeclaration() && effect != External::Constant && effect != External::Allocation;
}

bool throws_directly(const Instruction& instruction, const MemoryRules& rules) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  if (call == nullptr || call->doesNotThrow() || call->isInlineAsm() || isa<IntrinsicInst>(call)) {
    return isa<ResumeInst>(instruction);
  }
  const Function* callee = callee_of(*call);
  return callee == nullptr || rules.given.contains(callee->getName()) ||
         (callee->isDeclaration() && !callee->doesNotThrow() && !never_throws(callee->getName()));
}

using Callers = MapVector<const Function*, SmallVector<const Function*>>;

/// Adds all that call a member, directly or not.
void close(DenseSet<const Function*>& members, const Callers& callers,
           function_ref<bool(const Function&)> may_join) {
  SmallVector<const Function*> waiting(members.begin(), members.end());
  while (!waiting.empty()) {
    const auto found = callers.find(waiting.pop_back_val());
    if (found == callers.end()) {
      continue;
    }
    for (const Function* caller : found->second) {
      if (may_join(*caller) && members.insert(caller).second) {
        waiting.push_back(caller);
      }
    }
  }
}

}  // namespace

FunctionFacts::FunctionFacts(Module& module, const MemoryRules& rules) {
  Callers callers, throwing_callers;
  for (const Function& function : module) {
    if (function.isDeclaration()) {
      if (!function.doesNotThrow() && !never_throws(function.getName())) {
        throwing_.insert(&function);
      }
      continue;
    }
    for (const Instruction& instruction : instructions(function)) {
      if (touches_directly(instruction, rules)) {
        touching_.insert(&function);
      }
      if (!function.doesNotThrow() && throws_directly(instruction, rules)) {
        throwing_.insert(&function);
      }
      const auto* call = dyn_cast<CallBase>(&instruction);
      const Function* callee = call != nullptr ? callee_of(*call) : nullptr;
      if (callee == nullptr || callee->isDeclaration()) {
        continue;
      }
      callers[callee].push_back(&function);
      if (isa<CallInst>(call) && !call->doesNotThrow()) {
        throwing_callers[callee].push_back(&function);
      }
    }
  }
  close(touching_, callers, [](const Function&) { return true; });
  close(throwing_, throwing_callers,
        [](const Function& function) { return !function.doesNotThrow(); });
}

}  // namespace ddx::compiler::memory
