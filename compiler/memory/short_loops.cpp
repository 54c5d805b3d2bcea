#include "compiler/memory/short_loops.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

constexpr unsigned most_trips = 8;
constexpr unsigned most_instructions = 60;  ///< Of one iteration.

bool is_short(const Loop& loop, unsigned trips) {
  unsigned size = 0;
  for (const BasicBlock* block : loop.blocks()) {
    size += static_cast<unsigned>(block->size());
  }
  return loop.isInnermost() && loop.getParentLoop() != nullptr && trips > 1 &&
         trips <= most_trips && size <= most_instructions && loop.isLoopSimplifyForm() &&
         loop.isSafeToClone();
}

}  // namespace

void unroll_short_loops(Function& function, FunctionAnalysisManager& analyses) {
  analyses.clear(function, function.getName());
  auto& loops = analyses.getResult<LoopAnalysis>(function);
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  auto& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  auto& assumptions = analyses.getResult<AssumptionAnalysis>(function);
  auto& target = analyses.getResult<TargetIRAnalysis>(function);
  auto& remarks = analyses.getResult<OptimizationRemarkEmitterAnalysis>(function);
  for (Loop* loop : loops.getLoopsInPreorder()) {
    const unsigned trips = evolution.getSmallConstantTripCount(loop);
    if (!is_short(*loop, trips)) {
      continue;
    }
    UnrollLoopOptions options{};
    options.Count = trips;
    options.AllowExpensiveTripCount = true;
    formLCSSARecursively(*loop, dominators, &loops, &evolution);
    UnrollLoop(loop, options, &loops, &evolution, &dominators, &assumptions, &target, &remarks,
               /*PreserveLCSSA=*/true);
  }
  analyses.clear(function, function.getName());
}

}  // namespace ddx::compiler::memory
