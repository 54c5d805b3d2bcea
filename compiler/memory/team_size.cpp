#include "compiler/memory/team_size.h"

#include "compiler/memory/known_functions.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

/// The name of what an instruction calls; empty for others.
StringRef called_name(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  const Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
  return callee != nullptr ? callee->getName() : StringRef();
}

/// Functions whose results, or memory, are those of one thread of a team.
bool tells_threads_apart(StringRef name) {
  return name.starts_with("omp_get_thread_num") || name.starts_with("omp_get_num_threads") ||
         name.starts_with("omp_get_level") || name.starts_with("omp_get_team_size") ||
         name.starts_with("omp_get_ancestor") || name.starts_with("omp_get_active_level") ||
         name.starts_with("omp_in_parallel") || name.starts_with("__kmpc_threadprivate") ||
         name.starts_with("llvm.threadlocal.address");
}

/// Looks through `function` and what it calls by name.
bool may_tell_threads_apart(const Function& function, DenseSet<const Function*>& met) {
  return met.insert(&function).second && any_of(instructions(function), [&](const auto& each) {
           const auto* call = dyn_cast<CallBase>(&each);
           const Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
           return callee != nullptr &&
                  (tells_threads_apart(callee->getName()) || may_tell_threads_apart(*callee, met));
         });
}

/// Where the code of a body runs.
class BodyParts {
 public:
  explicit BodyParts(Function& body) : tree_(body), loops_(tree_) {
    for (const Instruction& instruction : instructions(body)) {
      const StringRef name = called_name(instruction);
      if (name.starts_with("__kmpc_for_static_init")) {
        begins_.push_back(&instruction);
      } else if (name.starts_with("__kmpc_for_static_fini")) {
        ends_.push_back(&instruction);
      } else if (name.starts_with("__kmpc_dispatch_next")) {
        given_out_.insert(loops_.getLoopFor(instruction.getParent()));
      } else if (name == "__kmpc_reduce" || name == "__kmpc_reduce_nowait") {
        combined_.push_back(&instruction);
      }
    }
  }

  /// True in a loop, or sections, whose iterations the threads share.
  [[nodiscard]] bool is_shared(const Instruction& instruction) const {
    for (const Loop* loop = loops_.getLoopFor(instruction.getParent()); loop != nullptr;
         loop = loop->getParentLoop()) {
      if (given_out_.contains(loop)) {
        return true;
      }
    }
    return is_behind(begins_, instruction) && !is_behind(ends_, instruction);
  }

  /// True where the parts of a reduction are combined.
  [[nodiscard]] bool is_combination(const Instruction& instruction) const {
    return is_behind(combined_, instruction);
  }

 private:
  [[nodiscard]] bool is_behind(ArrayRef<const Instruction*> calls,
                               const Instruction& instruction) const {
    return any_of(calls,
                  [&](const Instruction* call) { return tree_.dominates(call, &instruction); });
  }

  DominatorTree tree_;
  LoopInfo loops_;
  SmallVector<const Instruction*> begins_, ends_, combined_;
  DenseSet<const Loop*> given_out_;
};

/// True for what computes with reals, or may.
bool computes(const Instruction& instruction) {
  if (const auto* call = dyn_cast<CallBase>(&instruction)) {
    const StringRef name = called_name(instruction);
    if (const auto* intrinsic = dyn_cast<IntrinsicInst>(call)) {
      return intrinsic->getType()->isFPOrFPVectorTy();
    }
    const External effect = effect_of(name);
    return !name.starts_with("__kmpc_") && effect != External::Constant &&
           effect != External::Allocation;
  }
  return isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction) ||
         (isa<BinaryOperator, UnaryOperator, CastInst>(instruction) &&
          instruction.getType()->isFPOrFPVectorTy());
}

}  // namespace

bool is_independent_of_team_size(Function& body) {
  DenseSet<const Function*> met;
  if (may_tell_threads_apart(body, met)) {
    return false;
  }
  const BodyParts parts(body);
  return none_of(instructions(body), [&](const Instruction& instruction) {
    return computes(instruction) && !parts.is_shared(instruction) &&
           !parts.is_combination(instruction);
  });
}

}  // namespace ddx::compiler::memory
