#include "compiler/memory/tape_scopes.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

/// Whether a pointer is into what was pushed in this function.
bool is_on_tape(const Value* pointer) {
  const auto* pushed = dyn_cast<CallBase>(getUnderlyingObject(pointer, /*MaxLookup=*/0));
  const Function* callee = pushed != nullptr ? pushed->getCalledFunction() : nullptr;
  return callee != nullptr && callee->getName().ends_with("ddx.rt.push");
}

void add_to(Instruction& instruction, unsigned kind, MDNode* scope) {
  instruction.setMetadata(kind, MDNode::concatenate(instruction.getMetadata(kind), scope));
}

}  // namespace

void mark_tape(Function& forward) {
  MDBuilder metadata(forward.getContext());
  MDNode* const domain = metadata.createAnonymousAliasScopeDomain();
  MDNode* const scope =
      MDNode::get(forward.getContext(), {metadata.createAnonymousAliasScope(domain)});
  for (Instruction& instruction : instructions(forward)) {
    const Value* const pointer = getLoadStorePointerOperand(&instruction);
    if (pointer == nullptr) {
      continue;
    }
    if (is_on_tape(pointer)) {
      add_to(instruction, LLVMContext::MD_alias_scope, scope);
    } else {
      add_to(instruction, LLVMContext::MD_noalias, scope);
    }
  }
}

}  // namespace ddx::compiler::memory
