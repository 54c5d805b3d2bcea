// Functions that pointers may lead to: the members of Unit that find them and make their table.

#include "compiler/memory/parallel_regions.h"
#include "compiler/memory/thread_calls.h"
#include "compiler/memory/unit.h"
#include "compiler/rules/scalar_rules.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

/// Functions of ddx itself, and what is made here.
bool is_of_run_time(StringRef name) {
  return name.contains("ddx.") || name.starts_with("_ZN3ddx") || name.starts_with("_ZNK3ddx");
}

/// The function of a request for derivatives, which synthesised text defines.
bool is_entry(StringRef name) {
  return name.contains("ddx_entry") && !name.contains("ddx_entry_table");
}

/// A function of an object that a pullback consists of: it is called through a pointer.
bool is_of_pullback(StringRef name) {
  return name.contains("ddx_pullback") || name.starts_with("_ZN3ddx6detail11SharedValue") ||
         name.starts_with("_ZN3ddx6detail13SharedPointee");
}

/// Derivatives of higher order are no candidates of calls through pointers: what each of them calls
/// could make others, without end.
constexpr unsigned highest_candidate_order = 2;

}  // namespace

/// Functions of the program that take derivatives, directly or by what they call.
DenseSet<const Function*> Unit::find_takers() const {
  DenseMap<const Function*, SmallVector<const Function*>> callers;
  SmallVector<const Function*> waiting;
  for (const Function& function : module_) {
    if (is_made(function)) {
      continue;
    }
    for (const Instruction& instruction : instructions(function)) {
      const auto* call = dyn_cast<CallBase>(&instruction);
      const Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
      if (callee != nullptr && is_made(*callee)) {
        waiting.push_back(&function);
      } else if (callee != nullptr) {
        callers[callee].push_back(&function);
      }
    }
  }
  DenseSet<const Function*> takers(waiting.begin(), waiting.end());
  while (!waiting.empty()) {
    for (const Function* caller : callers.lookup(waiting.pop_back_val())) {
      if (takers.insert(caller).second) {
        waiting.push_back(caller);
      }
    }
  }
  return takers;
}

/// Derives what threads may run that `start` starts, if it does.
void Unit::add_thread_bodies(const Function& start, bool tangents) {
  if (starts_posix_thread(start)) {
    Type* const pointer = PointerType::getUnqual(module_.getContext());
    Wanted& wanted = indirect_[{FunctionType::get(pointer, {pointer}, false), ""}];
    (tangents ? wanted.tangent : wanted.sweeps) = true;
    wanted.all = true;
  }
  if (!is_thread_start(start)) {
    return;
  }
  SmallVector<Function*> bodies;
  for (Function& function : module_) {
    if (is_thread_body(function) && !function.isDeclaration()) {
      bodies.push_back(&function);
    }
  }
  for (Function* body : bodies) {
    listed_.insert(body);
    tangents ? tangent_of(*body) : sweeps_of(*body);
  }
}

void Unit::add_candidate(Function& function) {
  const Origin origin = origin_of(function);
  if (signature(function).has_bits || origin.order() > highest_candidate_order) {
    return;  // The table lacks it: a call fails at run time.
  }
  candidates_.insert(&function);
  const Wanted& wanted = indirect_[origin];
  const GivenDerivative given = rules_.given_of(function.getName());
  if (wanted.sweeps && given.sweeps != GivenBy::Refused) {
    sweeps_of(function);
  }
  if (wanted.tangent && given.tangent != GivenBy::Refused) {
    tangent_of(function);
  }
}

/// A function that calls one of libm, which has a rule and no body: it has derivatives in its
/// place.
Function* Unit::wrapper_of(Function& declared) {
  Function*& wrapper = wrappers_[&declared];
  if (wrapper == nullptr) {
    wrapper = Function::Create(declared.getFunctionType(), GlobalValue::InternalLinkage,
                               "ddx.wrapper." + declared.getName(), module_);
    wrapper->setDoesNotThrow();
    IRBuilder<> builder(BasicBlock::Create(module_.getContext(), "", wrapper));
    SmallVector<Value*> arguments;
    for (Argument& argument : wrapper->args()) {
      arguments.push_back(&argument);
    }
    builder.CreateRet(builder.CreateCall(&declared, arguments));
    wrapped_[wrapper] = &declared;
  }
  return wrapper;
}

/// Whether a pointer of the program may lead to one of its functions.
bool Unit::may_be_meant(const Function& function) const {
  const Wanted& wanted = indirect_.at(origin_of(function));
  if (!function.hasAddressTaken(nullptr, false, true, true, true) ||
      (!wanted.all && !tables_->may_reach(function, wanted.places))) {
    return false;
  }
  if (is_of_pullback(function.getName()) && reached_.contains(function)) {
    return true;  // Of one that a differentiated function takes.
  }
  // A function of the program that takes derivatives is no candidate: each derivative of it would
  // make others. Entries for functions behind pointers are called through pointers themselves.
  return (!takers_->contains(&function) || is_entry(function.getName())) &&
         (rules_.given.contains(function.getName()) || !is_of_run_time(function.getName()));
}

/// Derives the functions that calls through pointers may reach, by their origins: those of the
/// program whose addresses are taken, and the derivatives of these that the table has. Returns
/// whether one of them is new: its derivatives, where they are made already, may be candidates too.
bool Unit::add_candidates() {
  if (!takers_) {
    takers_ = find_takers();
    tables_.emplace(module_);
  }
  SmallVector<Function*> candidates;
  for (Function& function : module_) {
    const bool is_known = !function.isDeclaration() || is_thread_function(function.getName()) ||
                          rules_.given.contains(function.getName());
    if (is_known && !is_made(function) && is_indirect(function) && !is_outlined(function) &&
        may_be_meant(function)) {
      candidates.push_back(&function);
    }
  }
  for (Function& function : module_) {
    if (function.isDeclaration() && !function.isIntrinsic() && is_indirect(function) &&
        find_named_rule(function.getName(), static_cast<unsigned>(function.arg_size())) &&
        function.hasAddressTaken(nullptr, false, true, true, true)) {
      candidates.push_back(wrapper_of(function));
    }
  }
  for (const Derivative& made : derivatives_) {
    for (Function* function : {made.forward, made.reverse, made.tangent}) {
      if (function != nullptr && candidates_.contains(made.primal) && is_indirect(*function)) {
        candidates.push_back(function);
      }
    }
  }
  const std::size_t known = candidates_.size();
  for (Function* function : candidates) {
    add_candidate(*function);
  }
  return candidates_.size() > known;
}

/// The table by which the run time finds the derivatives of a function behind a pointer.
void Unit::define_table() {
  LLVMContext& context = module_.getContext();
  Type* const pointer = PointerType::getUnqual(context);
  StructType* const row = StructType::get(context, {pointer, pointer, pointer, pointer});
  Constant* const null = ConstantPointerNull::get(PointerType::getUnqual(context));
  const auto or_null = [&](Function* function) -> Constant* {
    return function != nullptr ? function : null;
  };
  SmallVector<Constant*> rows;
  for (const auto& [primal, made] : known_) {
    const bool is_listed = candidates_.contains(primal) || listed_.contains(primal) ||
                           (!is_made(*primal) && is_indirect(*primal));
    // What this pass itself calls has no address.
    const bool is_called_alone = is_parallel_region(*primal) || is_region_body(*primal) ||
                                 is_thread_marker(primal->getName());
    if (is_listed && !made->signature.has_bits && !is_called_alone) {
      rows.push_back(ConstantStruct::get(
          row, {wrapped_.contains(primal) ? wrapped_.lookup(primal) : primal,
                or_null(made->forward), or_null(made->reverse), or_null(made->tangent)}));
    }
  }
  if (rows.empty()) {
    return;
  }
  ArrayType* const type = ArrayType::get(row, rows.size());
  auto* table = new GlobalVariable(module_, type, true, GlobalValue::InternalLinkage,
                                   ConstantArray::get(type, rows), "ddx.functions");
  Function* const enter =
      Function::Create(FunctionType::get(Type::getVoidTy(context), false),
                       GlobalValue::InternalLinkage, "ddx.enter_functions", module_);
  IRBuilder<> builder(BasicBlock::Create(context, "", enter));
  builder.CreateCall(runtime("register_functions"), {table, builder.getInt64(rows.size())});
  builder.CreateRetVoid();
  appendToGlobalCtors(module_, enter, 101);
}

}  // namespace ddx::compiler::memory
