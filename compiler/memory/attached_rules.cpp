#include "compiler/memory/attached_rules.h"

#include "compiler/memory/unit.h"

#include "llvm/IR/IRBuilder.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

/// The name of the marker that `call_by_rule` calls.
constexpr StringLiteral marker = "ddx.rt.has_rule";

bool is_marker(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  StringRef name = callee != nullptr ? callee->getName() : "";
  name.consume_front("\01");
  return name == marker;
}

/// Calls `callee` with all arguments of `made`.
void define_as_call(Function& made, Function& callee, Unit& unit) {
  if (made.getFunctionType() != callee.getFunctionType()) {
    report_fatal_error(Twine("ddx: a rule has another type than its function: ") +
                       callee.getName());
  }
  IRBuilder<> builder(BasicBlock::Create(unit.module().getContext(), "", &made));
  SmallVector<Value*> arguments;
  for (Argument& argument : made.args()) {
    arguments.push_back(&argument);
  }
  builder.CreateCall(&callee, arguments);
  builder.CreateRetVoid();
}

}  // namespace

std::optional<AttachedRule> find_attached_rule(const Function& primal) {
  if (primal.isDeclaration()) {
    return std::nullopt;
  }
  for (const Instruction& instruction : primal.getEntryBlock()) {
    const auto* call = dyn_cast<CallBase>(&instruction);
    if (call == nullptr || !is_marker(*call)) {
      continue;
    }
    const auto function = [&](unsigned i) {
      return dyn_cast<Function>(call->getArgOperand(i)->stripPointerCasts());
    };
    if (function(0) != nullptr && function(1) != nullptr && function(2) != nullptr) {
      return AttachedRule{function(0), function(1), function(2)};
    }
  }
  return std::nullopt;
}

void define_sweeps_by_rule(Derivative& made, const AttachedRule& rule, Unit& unit) {
  define_as_call(*made.forward, *rule.forward, unit);
  define_as_call(*made.reverse, *rule.reverse, unit);
}

void define_tangent_by_rule(Derivative& made, const AttachedRule& rule, Unit& unit) {
  define_as_call(*made.tangent, *rule.tangent, unit);
}

}  // namespace ddx::compiler::memory
