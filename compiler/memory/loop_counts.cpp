#include "compiler/memory/loop_counts.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

constexpr unsigned count_bits = 64;
constexpr unsigned count_budget = 16;  ///< Cost of a count, in simple operations.

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
      expander.isHighCostExpansion({count}, const_cast<Loop*>(&loop), count_budget, &target,
                                   place)) {
    return nullptr;
  }
  return expander.expandCodeFor(count, count->getType(), place);
}

/// An integer or a pointer that each iteration moves by a constant.
struct Moving {
  PHINode* phi;
  const SCEVAddRecExpr* values;
};

/// The variables of a loop that are incremented, also where another variable computes their sums.
SmallVector<Moving> find_moving(const Loop& loop, ScalarEvolution& evolution) {
  SmallVector<Moving> found;
  for (PHINode& phi : loop.getHeader()->phis()) {
    const auto* values = evolution.isSCEVable(phi.getType())
                             ? dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&phi))
                             : nullptr;
    if (values != nullptr && values->getLoop() == &loop && values->isAffine()) {
      const auto* step = dyn_cast<SCEVConstant>(values->getStepRecurrence(evolution));
      if (step != nullptr && !step->isZero()) {
        found.push_back({&phi, values});
      }
    }
  }
  return found;
}

/// The distance of an integer from another one in all iterations; null where it is not constant.
const SCEVConstant* distance_of(const Moving& moving, const Moving& from,
                                ScalarEvolution& evolution) {
  if (moving.phi->getType() != from.phi->getType() || !moving.phi->getType()->isIntegerTy() ||
      moving.values->getStepRecurrence(evolution) != from.values->getStepRecurrence(evolution)) {
    return nullptr;
  }
  return dyn_cast<SCEVConstant>(
      evolution.getMinusSCEV(moving.values->getStart(), from.values->getStart()));
}

/// Whether the distance is that of the integers themselves, none of which has wrapped around.
bool is_exact(const Moving& moving, const Moving& from) {
  const auto* start = dyn_cast<SCEVConstant>(moving.values->getStart());
  const auto* other = dyn_cast<SCEVConstant>(from.values->getStart());
  if (start == nullptr || other == nullptr || !moving.values->hasNoSignedWrap() ||
      !from.values->hasNoSignedWrap()) {
    return false;
  }
  bool overflows = false;
  (void)start->getAPInt().ssub_ov(other->getAPInt(), overflows);
  return !overflows;
}

/// Finds the steps of variables. Those at a constant distance from another one become sums, so that
/// it stays known that they are.
void find_steps(const Loop& loop, ScalarEvolution& evolution, LoopCounts& counts) {
  SmallVector<Moving> kept;
  for (const Moving& moving : find_moving(loop, evolution)) {
    const auto* from = find_if(
        kept, [&](const Moving& one) { return distance_of(moving, one, evolution) != nullptr; });
    if (from == kept.end()) {
      const auto* step = cast<SCEVConstant>(moving.values->getStepRecurrence(evolution));
      counts.steps[moving.phi] = {step->getValue(), moving.values->hasNoSignedWrap()};
      kept.push_back(moving);
      continue;
    }
    IRBuilder<> builder(&*loop.getHeader()->getFirstInsertionPt());
    Value* const sum =
        builder.CreateAdd(from->phi, distance_of(moving, *from, evolution)->getValue(), "",
                          /*HasNUW=*/false, is_exact(moving, *from));
    evolution.forgetValue(moving.phi);
    moving.phi->replaceAllUsesWith(sum);
    moving.phi->eraseFromParent();
  }
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
    find_steps(*loop, evolution, counts);
    IRBuilder<> before(loop->getLoopPreheader()->getTerminator());
    Value* const trips = before.CreateAdd(before.CreateZExt(more, type), before.getInt64(1));
    IRBuilder<> header(loop->getHeader(), loop->getHeader()->begin());
    PHINode* const index = header.CreatePHI(type, 2);
    IRBuilder<> latch(loop->getLoopLatch()->getTerminator());
    index->addIncoming(before.getInt64(0), loop->getLoopPreheader());
    index->addIncoming(latch.CreateAdd(index, latch.getInt64(1), "", true, true),
                       loop->getLoopLatch());
    counts.loops[loop->getHeader()] = {index, trips};
    counts.steps[index] = {before.getInt64(1), /*stays_signed=*/true};
  }
  expander.clear();
  analyses.clear(function, function.getName());
  return counts;
}

}  // namespace ddx::compiler::memory
