#include "compiler/memory/alignment_checks.h"

#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

namespace ddx::compiler::memory {

using namespace llvm;
using namespace llvm::PatternMatch;

PreservedAnalyses FoldAlignmentChecks::run(Function& function, FunctionAnalysisManager&) {
  const DataLayout& layout = function.getParent()->getDataLayout();
  SmallVector<std::pair<Instruction*, Constant*>> known_bits;
  for (Instruction& instruction : instructions(function)) {
    Value* address = nullptr;
    if (!match(&instruction, m_And(m_PtrToInt(m_Value(address)), m_ConstantInt())) ||
        !isa<AllocaInst>(getUnderlyingObject(address))) {
      continue;
    }
    const KnownBits known = computeKnownBits(&instruction, layout);
    if (known.isConstant()) {
      known_bits.emplace_back(&instruction,
                              ConstantInt::get(instruction.getType(), known.getConstant()));
    }
  }
  if (known_bits.empty()) {
    return PreservedAnalyses::all();
  }
  for (const auto& [instruction, value] : known_bits) {
    replaceAndRecursivelySimplify(instruction, value);
  }
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

}  // namespace ddx::compiler::memory
