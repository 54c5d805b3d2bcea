#include "compiler/memory/calls.h"

#include "compiler/memory/activity.h"
#include "compiler/memory/given_calls.h"
#include "compiler/memory/known_functions.h"
#include "compiler/memory/lives.h"
#include "compiler/memory/reals.h"
#include "compiler/memory/scalar_slopes.h"
#include "compiler/memory/singular_points.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"

#include <optional>
#include <utility>

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

/// The name of a function of namespace std, no template, whose parameters are reals of one type:
/// `lerp` of `_ZSt4lerpddd`. Its body may choose by the exact value of an argument, so its row
/// comes first. Empty for others.
StringRef std_name(StringRef mangled) {
  unsigned length = 0;
  if (!mangled.consume_front("_ZSt") || mangled.consumeInteger(10, length) ||
      mangled.size() <= length) {
    return "";
  }
  const StringRef parameters = mangled.drop_front(length);
  const bool are_reals = StringRef("dfe").contains(parameters.front()) &&
                         parameters.find_first_not_of(parameters.front()) == StringRef::npos;
  return are_reals ? mangled.take_front(length) : "";
}

/// The row of an intrinsic such as llvm.minnum.f64, of a function of libm, or of one of namespace
/// std.
const ScalarRule* rule_of(const CallBase& call, const Function& callee) {
  // An integer operand, the exponent of ldexp say, has no derivative.
  const unsigned arity = call.arg_size();
  StringRef name = std_name(callee.getName());
  if ((!callee.isDeclaration() && name.empty()) || arity == 0 ||
      !call.getType()->isFPOrFPVectorTy() ||
      !call.getArgOperand(0)->getType()->isFPOrFPVectorTy() ||
      any_of(call.args(), [](const Use& argument) {
        return !argument->getType()->isFPOrFPVectorTy() && !argument->getType()->isIntegerTy();
      })) {
    return nullptr;
  }
  if (!name.empty()) {
    return find_named_rule(name, arity);
  }
  name = callee.getName();
  if (callee.isIntrinsic()) {
    name.consume_front("llvm.");
    name = name.split('.').first;
    name = StringSwitch<StringRef>(name)
               .Case("minnum", "fmin")
               .Case("maxnum", "fmax")
               .Case("fmuladd", "fma")
               .Default(name);
    return find_named_rule(name, arity);
  }
  if (const ScalarRule* rule = find_named_rule(name, arity)) {
    return rule;
  }
  const bool suffixed = (call.getType()->isFloatTy() && name.ends_with("f")) ||
                        (call.getType()->isX86_FP80Ty() && name.ends_with("l"));
  return suffixed ? find_named_rule(name.drop_back(), arity) : nullptr;
}

bool passes_reals_or_pointers(const CallBase& call) {
  return holds_reals(call.getType()) || any_of(call.args(), [](const Use& argument) {
           return argument->getType()->isPtrOrPtrVectorTy() || holds_reals(argument->getType());
         });
}

CallKind rejected(Diagnostic reason, std::string fact = {}) {
  return {CallKind::Rejected, nullptr, reason, std::move(fact)};
}

/// Whether an instruction leaves constants in a variable whose address it has. A pointer that it
/// leaves there is appended to `pointers`: what it points to must hold constants too.
bool leaves_constants(const User& user, const CallBase& reader,
                      SmallVectorImpl<const Value*>& pointers) {
  if (const auto* store = dyn_cast<StoreInst>(&user)) {
    const Value* const stored = store->getValueOperand();
    if (isa<Constant>(stored)) {
      return true;
    }
    if (stored->getType()->isPointerTy()) {
      pointers.push_back(stored);
      return true;
    }
    return !holds_reals(stored->getType());
  }
  if (const auto* copy = dyn_cast<MemTransferInst>(&user)) {
    return is_constant_memory(copy->getRawSource());
  }
  const auto* call = dyn_cast<CallBase>(&user);
  return call == nullptr || call == &reader || isa<IntrinsicInst>(call) || is_begin_of_life(*call);
}

/// Whether a local variable is only filled with constants in front of `reader`, as far as this does
/// not depend on what the `pointers` in it point to.
bool is_filled_with_constants(const AllocaInst& variable, const CallBase& reader,
                              SmallVectorImpl<const Value*>& pointers) {
  SmallVector<const Value*> waiting{&variable};
  while (!waiting.empty()) {
    for (const User* user : waiting.pop_back_val()->users()) {
      if (isa<GetElementPtrInst>(user)) {
        waiting.push_back(user);
      } else if (!leaves_constants(*user, reader, pointers)) {
        return false;
      }
    }
  }
  return true;
}

/// True for the address of a list whose numbers do not depend on inputs: a constant variable, or a
/// local one that is only filled with constants in front of `reader`. Variables may point to each
/// other and to themselves.
bool holds_constants(const Value* address, const CallBase& reader) {
  SmallVector<const Value*> pointers{address};
  SmallPtrSet<const Value*, 8> seen;
  while (!pointers.empty()) {
    const Value* const object = getUnderlyingObject(pointers.pop_back_val());
    if (!seen.insert(object).second) {
      continue;
    }
    if (isa<Constant>(object)) {
      if (isa<GlobalVariable>(object) && !is_constant_memory(object)) {
        return false;
      }
    } else if (const auto* variable = dyn_cast<AllocaInst>(object);
               variable == nullptr || !is_filled_with_constants(*variable, reader, pointers)) {
      return false;
    }
  }
  return true;
}

/// An operation of an object whose tangent is of its own making. What such an object is made of has
/// no derivative, so it must be constant.
CallKind kind_of_operation(const CallBase& call, ObjectOperation operation) {
  for (unsigned i = 1; operation == ObjectOperation::MakeOfReals && i < call.arg_size(); ++i) {
    const Value* const argument = call.getArgOperand(i);
    const bool is_list = argument->getType()->isPointerTy() && i + 1 < call.arg_size() &&
                         call.getArgOperand(i + 1)->getType()->isIntegerTy(64);
    if ((holds_reals(argument->getType()) && !isa<Constant>(argument)) ||
        (is_list && !holds_constants(argument, call))) {
      return rejected(Diagnostic::UnsupportedConstruction,
                      readable_name(call.getCalledFunction()->getName()));
    }
  }
  CallKind kind{CallKind::Object};
  kind.operation = operation;
  return kind;
}

CallKind kind_of_intrinsic(const IntrinsicInst& call) {
  if (isa<MemTransferInst>(call)) {
    return {CallKind::Copy};
  }
  if (isa<MemSetInst>(call)) {
    return {CallKind::Fill};
  }
  if (const ScalarRule* rule = rule_of(call, *call.getCalledFunction())) {
    return {CallKind::Scalar, rule};
  }
  const StringRef name = call.getCalledFunction()->getName();
  if (name.starts_with("llvm.coro.")) {
    return rejected(Diagnostic::UnsupportedCoroutine, source_name(*call.getFunction()));
  }
  if (name.starts_with("llvm.eh.sjlj")) {
    return rejected(Diagnostic::UnsupportedSetjmp);
  }
  const bool takes_reals =
      any_of(call.args(), [](const Use& argument) { return holds_reals(argument->getType()); });
  const bool makes_reals = holds_reals(call.getType()) && (takes_reals || call.mayReadFromMemory());
  if (makes_reals || (takes_reals && call.mayWriteToMemory())) {
    return rejected(Diagnostic::UnsupportedLibraryCall, name.str());
  }
  return {CallKind::Ignored};
}

CallKind kind_of_external(const CallBase& call, const Function& callee) {
  const StringRef name = callee.getName();
  switch (effect_of(name)) {
    case External::Constant:
    case External::Allocation:
      return {CallKind::Ignored};
    case External::Thread:
      return {CallKind::Derived};
    case External::ZeroFilled:
      return {CallKind::ZeroFilled};
    case External::Reallocation:
      return {CallKind::Reallocation};
    case External::RunTime:
    case External::Unknown:
      break;
  }
  if (name == "memcpy" || name == "memmove") {
    return {CallKind::Copy};
  }
  if (name == "memset") {
    return {CallKind::Fill};
  }
  if (!passes_reals_or_pointers(call)) {
    return {CallKind::Ignored};
  }
  if (is_runtime_of_threads(name)) {
    return rejected(Diagnostic::UnsupportedSecondOfThreads);
  }
  const bool is_setjmp = name.contains("setjmp") || name == "longjmp";
  return is_setjmp ? rejected(Diagnostic::UnsupportedSetjmp)
                   : rejected(Diagnostic::UnsupportedHiddenBody, readable_name(name));
}

/// What the front end states of the callee, if it does.
std::optional<CallKind> kind_by_rules(const CallBase& call, const Function& callee,
                                      const MemoryRules& rules) {
  const StringRef name = callee.getName();
  if (const auto found = rules.operations.find(name); found != rules.operations.end()) {
    return kind_of_operation(call, found->second);
  }
  if (rules.refused.contains(name)) {
    return rejected(Diagnostic::UnsupportedLibraryCall, readable_name(name));
  }
  if (rules.constants.contains(name)) {
    return CallKind{CallKind::Constant};
  }
  if (rules.given.contains(name)) {
    return CallKind{CallKind::Derived};
  }
  return std::nullopt;
}

}  // namespace

CallKind kind_of(const CallBase& call, const Unit& unit) {
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&call)) {
    return kind_of_intrinsic(*intrinsic);
  }
  if (call.isInlineAsm()) {
    if (!passes_reals_or_pointers(call)) {
      return {CallKind::Ignored};
    }
    return rejected(Diagnostic::UnsupportedAssembly);
  }
  const auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
  if (callee == nullptr || callee->getFunctionType() != call.getFunctionType()) {
    return {CallKind::Indirect};
  }
  if (is_scaling(*callee)) {
    return {CallKind::Scaling};
  }
  if (is_smoothing(*callee)) {
    return {CallKind::Scalar, &smoothing_rule()};
  }
  if (is_singular_slope(*callee)) {
    return {CallKind::Scalar, find_named_rule("ddx::detail::slope_at_singularity", 1)};
  }
  if (unit.is_made(*callee)) {
    return {CallKind::Derived};
  }
  if (is_begin_of_life(call)) {
    return {CallKind::Begin};
  }
  if (is_given_text(*callee)) {
    return rejected(Diagnostic::UnsupportedSecondDerivative);
  }
  if (const auto stated = kind_by_rules(call, *callee, unit.rules())) {
    return *stated;
  }
  if (const ScalarRule* rule = rule_of(call, *callee)) {
    return {CallKind::Scalar, rule};
  }
  if (effect_of(callee->getName()) == External::RunTime) {
    return {CallKind::RunTime};
  }
  if (is_constant_body(callee->getName())) {
    return {CallKind::Ignored};
  }
  if (unit.rules().coroutines.contains(callee->getName())) {
    return rejected(Diagnostic::UnsupportedCoroutine, readable_name(callee->getName()));
  }
  if (callee->isDeclaration()) {
    return kind_of_external(call, *callee);
  }
  if (callee->isVarArg()) {
    return rejected(Diagnostic::UnsupportedVariadic);
  }
  return {unit.facts().touches_reals(*callee) ? CallKind::Derived : CallKind::Ignored};
}

}  // namespace ddx::compiler::memory
