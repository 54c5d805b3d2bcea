#include "compiler/memory/reached_code.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"

namespace ddx::compiler::memory {

using namespace llvm;

void ReachedCode::add(const Function& function) {
  SmallVector<const Constant*> waiting;
  const auto meet = [&](const Value* value) {
    const auto* constant = dyn_cast<Constant>(value);
    if (constant != nullptr && !isa<ConstantData>(constant) && met_.insert(constant).second) {
      waiting.push_back(constant);
    }
  };
  meet(&function);
  while (!waiting.empty()) {
    const Constant* const next = waiting.pop_back_val();
    for (const Value* operand : next->operand_values()) {
      meet(operand);
    }
    if (const auto* reached = dyn_cast<Function>(next)) {
      for (const Instruction& instruction : instructions(*reached)) {
        for (const Value* operand : instruction.operand_values()) {
          meet(operand);
        }
      }
    }
  }
}

}  // namespace ddx::compiler::memory
