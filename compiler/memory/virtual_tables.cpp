#include "compiler/memory/virtual_tables.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

namespace ddx::compiler::memory {

using namespace llvm;

std::optional<std::uint64_t> virtual_place(const CallBase& call) {
  const DataLayout& layout = call.getModule()->getDataLayout();
  const auto* function = dyn_cast<LoadInst>(call.getCalledOperand());
  if (function == nullptr) {
    return std::nullopt;
  }
  APInt offset(layout.getIndexTypeSizeInBits(function->getPointerOperandType()), 0);
  const Value* const table = function->getPointerOperand()->stripAndAccumulateConstantOffsets(
      layout, offset, /*AllowNonInbounds=*/true);
  return isa<LoadInst>(table) && !offset.isNegative()
             ? std::optional<std::uint64_t>(offset.getZExtValue())
             : std::nullopt;
}

VirtualTables::VirtualTables(const Module& module)
    : pointer_size_(module.getDataLayout().getPointerSize()) {
  for (const GlobalVariable& variable : module.globals()) {
    const bool is_table =
        variable.getName().starts_with("_ZTV") || variable.getName().starts_with("_ZTC");
    const auto* tables = is_table && variable.hasInitializer()
                             ? dyn_cast<ConstantStruct>(variable.getInitializer())
                             : nullptr;
    if (tables != nullptr) {
      for (const Value* table : tables->operand_values()) {
        if (const auto* functions = dyn_cast<ConstantArray>(table)) {
          add(*functions);
        }
      }
    }
  }
}

void VirtualTables::add(const ConstantArray& functions) {
  std::optional<unsigned> first;  // Behind the type information.
  for (const auto& [i, entry] : enumerate(functions.operand_values())) {
    const auto* type = dyn_cast<GlobalVariable>(entry->stripPointerCasts());
    if (type != nullptr && type->getName().starts_with("_ZTI")) {
      first = static_cast<unsigned>(i) + 1;
    }
  }
  if (!first) {
    return;
  }
  known_.insert(&functions);
  for (unsigned i = *first; i < functions.getNumOperands(); ++i) {
    if (const auto* function = dyn_cast<Function>(functions.getOperand(i))) {
      places_[function].insert((i - *first) * pointer_size_);
    }
  }
}

bool VirtualTables::may_reach(const Function& function,
                              const DenseSet<std::uint64_t>& places) const {
  const auto found = places_.find(&function);
  const bool has_place = found != places_.end() &&
                         any_of(found->second, [&](auto place) { return places.contains(place); });
  return has_place || any_of(function.uses(), [&](const Use& use) {
           const auto* call = dyn_cast<CallBase>(use.getUser());
           const auto* table = dyn_cast<ConstantArray>(use.getUser());
           return (call == nullptr || !call->isCallee(&use)) &&
                  (table == nullptr || !known_.contains(table));
         });
}

}  // namespace ddx::compiler::memory
