#include "compiler/memory/loop_counts.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

constexpr unsigned count_bits = 64;

/// The number of iterations behind the first one, in the preheader; null where it is not known.
Value* expand_count(const Loop& loop, ScalarEvolution& evolution, SCEVExpander& expander,
                    const TargetTransformInfo& target) {
  if (!loop.isLoopSimplifyForm() || loop.getExitingBlock() == nullptr ||
      loop.getUniqueExitBlock() == nullptr) {
    return nullptr;
  }
  Instruction* const place = loop.getLoopPreheader()->getTerminator();
  const SCEV* const count = evolution.getBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(count) ||
      evolution.getTypeSizeInBits(count->getType()) > count_bits ||
      !expander.isSafeToExpandAt(count, place) ||
      expander.isHighCostExpansion({count}, const_cast<Loop*>(&loop), SCEVCheapExpansionBudget,
                                   &target, place)) {
    return nullptr;
  }
  return expander.expandCodeFor(count, count->getType(), place);
}

}  // namespace

LoopCounts count_loops(Function& function, FunctionAnalysisManager& analyses) {
  analyses.clear(function, function.getName());
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  const auto& target = analyses.getResult<TargetIRAnalysis>(function);
  SCEVExpander expander(evolution, function.getParent()->getDataLayout(), "");
  Type* const type = Type::getInt64Ty(function.getContext());
  LoopCounts counts;
  for (const Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    Value* const more = expand_count(*loop, evolution, expander, target);
    if (more == nullptr) {
      continue;
    }
    IRBuilder<> before(loop->getLoopPreheader()->getTerminator());
    Value* const trips = before.CreateAdd(before.CreateZExt(more, type), before.getInt64(1));
    IRBuilder<> header(loop->getHeader(), loop->getHeader()->begin());
    PHINode* const index = header.CreatePHI(type, 2);
    IRBuilder<> latch(loop->getLoopLatch()->getTerminator());
    index->addIncoming(before.getInt64(0), loop->getLoopPreheader());
    index->addIncoming(latch.CreateAdd(index, latch.getInt64(1), "", true, true),
                       loop->getLoopLatch());
    counts[loop->getHeader()] = {index, trips};
  }
  expander.clear();
  analyses.clear(function, function.getName());
  return counts;
}

}  // namespace ddx::compiler::memory
