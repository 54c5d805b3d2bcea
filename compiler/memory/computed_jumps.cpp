#include "compiler/memory/computed_jumps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

/// The label of a block of `from` as a value, that of its copy wherever `copy` names it.
BlockAddress* label_of(const Function& from, const BasicBlock& block, Function& copy,
                       BasicBlock* copied) {
  BlockAddress* const label =
      BlockAddress::get(const_cast<Function*>(&from), const_cast<BasicBlock*>(&block));
  if (copied->hasAddressTaken()) {
    BlockAddress* const own = BlockAddress::get(&copy, copied);
    own->replaceAllUsesWith(label);
    own->destroyConstant();
  }
  return label;
}

/// Replaces one jump: a comparison with each label but the last.
void compare_labels(IndirectBrInst& jump, const DenseMap<BasicBlock*, BlockAddress*>& labels) {
  BasicBlock* const block = jump.getParent();
  SmallVector<BasicBlock*> targets;
  for (BasicBlock* target : successors(block)) {
    if (!is_contained(targets, target)) {
      targets.push_back(target);
    } else {
      target->removePredecessor(block, /*KeepOneInputPHIs=*/true);
    }
  }
  IRBuilder<> builder(&jump);
  if (targets.empty()) {
    builder.CreateUnreachable();
    jump.eraseFromParent();
    return;
  }
  BasicBlock* from = block;
  for (BasicBlock* target : ArrayRef(targets).drop_back()) {
    BasicBlock* const next =
        BasicBlock::Create(block->getContext(), "", block->getParent(), target);
    builder.CreateCondBr(builder.CreateICmpEQ(jump.getAddress(), labels.lookup(target)), target,
                         next);
    target->replacePhiUsesWith(block, from);
    builder.SetInsertPoint(next);
    from = next;
  }
  builder.CreateBr(targets.back());
  targets.back()->replacePhiUsesWith(block, from);
  jump.eraseFromParent();
}

}  // namespace

bool has_computed_jumps(const Function& function) {
  return any_of(function,
                [](const BasicBlock& block) { return isa<IndirectBrInst>(block.getTerminator()); });
}

void replace_computed_jumps(const Function& from, Function& copy, const ValueToValueMapTy& values) {
  if (!has_computed_jumps(copy)) {
    return;
  }
  DenseMap<BasicBlock*, BlockAddress*> labels;
  for (const BasicBlock& block : from) {
    if (block.hasAddressTaken()) {
      auto* copied = cast<BasicBlock>(static_cast<Value*>(values.lookup(&block)));
      labels[copied] = label_of(from, block, copy, copied);
    }
  }
  for (BasicBlock& block : make_early_inc_range(copy)) {
    if (auto* jump = dyn_cast<IndirectBrInst>(block.getTerminator())) {
      compare_labels(*jump, labels);
    }
  }
}

}  // namespace ddx::compiler::memory
