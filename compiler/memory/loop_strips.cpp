#include "compiler/memory/loop_strips.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

class Strips {
 public:
  Strips(Loop& loop, Value* last, std::uint64_t iterations)
      : header_(loop.getHeader()),
        latch_(loop.getLoopLatch()),
        exit_(loop.getUniqueExitBlock()),
        last_(last),
        number_(last->getType()),
        iterations_(iterations) {
    outer_ = SplitBlock(loop.getLoopPreheader(), loop.getLoopPreheader()->getTerminator());
    next_ = BasicBlock::Create(header_->getContext(), header_->getName() + ".strip",
                               header_->getParent(), exit_);
  }

  void write() {
    carry_values();
    count_strips();
    count_iterations();
    pass_results();
  }

 private:
  Constant* constant(std::uint64_t number) const { return ConstantInt::get(number_, number); }
  PHINode* add_phi(BasicBlock* block, Value* first, BasicBlock* from, const Twine& name) {
    PHINode* const phi = PHINode::Create(first->getType(), 2, name, block->begin());
    phi->addIncoming(first, from);
    return phi;
  }
  void carry_values();
  void count_strips();
  void count_iterations();
  void pass_results();

  BasicBlock* outer_;  ///< Where a strip begins.
  BasicBlock* header_;
  BasicBlock* latch_;
  BasicBlock* next_;  ///< Where it has ended.
  BasicBlock* exit_;
  Value* last_;  ///< The number of the last iteration.
  Type* number_;
  std::uint64_t iterations_;
  Value* left_ = nullptr;           ///< Iterations behind the strip's first one.
  Value* last_of_strip_ = nullptr;  ///< The number of its last one, in the strip.
};

/// What an iteration leaves for the next one goes through the blocks between two strips.
void Strips::carry_values() {
  BasicBlock* const before = outer_->getUniquePredecessor();
  for (PHINode& phi : header_->phis()) {
    PHINode* const carried = add_phi(next_, phi.getIncomingValueForBlock(latch_), latch_, "");
    PHINode* const begin =
        add_phi(outer_, phi.getIncomingValueForBlock(outer_), before, phi.getName());
    begin->addIncoming(carried, next_);
    phi.setIncomingValueForBlock(outer_, begin);
  }
}

void Strips::count_strips() {
  PHINode* const done = add_phi(outer_, constant(0), outer_->getUniquePredecessor(), "done");
  IRBuilder<> builder(outer_->getTerminator());
  left_ = builder.CreateSub(last_, done, "left");
  // Frozen, so that the strip's length is a value to what analyses loops, and no expression.
  last_of_strip_ = builder.CreateFreeze(
      builder.CreateBinaryIntrinsic(Intrinsic::umin, left_, constant(iterations_ - 1)));
  builder.SetInsertPoint(next_);
  done->addIncoming(builder.CreateAdd(done, builder.CreateAdd(last_of_strip_, constant(1))), next_);
  builder.CreateCondBr(builder.CreateICmpEQ(last_of_strip_, left_), exit_, outer_);
}

void Strips::count_iterations() {
  PHINode* const iteration = add_phi(header_, constant(0), outer_, "in_strip");
  Instruction* const old = latch_->getTerminator();
  IRBuilder<> builder(old);
  iteration->addIncoming(builder.CreateNUWAdd(iteration, constant(1)), latch_);
  BranchInst* const branch =
      builder.CreateCondBr(builder.CreateICmpEQ(iteration, last_of_strip_), next_, header_);
  branch->setMetadata(LLVMContext::MD_loop, old->getMetadata(LLVMContext::MD_loop));
  old->eraseFromParent();
}

void Strips::pass_results() {
  for (PHINode& phi : exit_->phis()) {
    PHINode* const result = add_phi(next_, phi.getIncomingValueForBlock(latch_), latch_, "");
    phi.replaceIncomingBlockWith(latch_, next_);
    phi.setIncomingValueForBlock(next_, result);
  }
}

}  // namespace

bool split_in_strips(Loop& loop, const SCEV* count, std::uint64_t iterations,
                     ScalarEvolution& evolution) {
  BasicBlock* const preheader = loop.getLoopPreheader();
  SCEVExpander expander(evolution, preheader->getDataLayout(), "");
  if (loop.getExitingBlock() != loop.getLoopLatch() ||
      !expander.isSafeToExpandAt(count, preheader->getTerminator())) {
    return false;
  }
  Value* const last = expander.expandCodeFor(count, nullptr, preheader->getTerminator());
  Strips(loop, last, iterations).write();
  return true;
}

}  // namespace ddx::compiler::memory
