#include "compiler/memory/unit.h"

#include "compiler/memory/attached_rules.h"
#include "compiler/memory/given_calls.h"
#include "compiler/memory/parallel_regions.h"
#include "compiler/memory/place_ranges.h"
#include "compiler/memory/prepare.h"
#include "compiler/memory/reals.h"
#include "compiler/memory/reverse_sweep.h"
#include "compiler/memory/short_loops.h"
#include "compiler/memory/tangent_sweep.h"
#include "compiler/memory/tape_scopes.h"
#include "compiler/memory/thread_calls.h"
#include "compiler/rules/scalar_rules.h"
#include "compiler/support/long_functions.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace ddx::compiler::memory {

using namespace llvm;

Unit::Unit(Module& module, FunctionAnalysisManager& analyses, const MemoryRules& rules,
           Errors& errors)
    : module_(module), analyses_(analyses), rules_(rules), errors_(errors), facts_(module, rules) {}

Function* Unit::labelled(StringRef name) {
  Function* const found = module_.getFunction(("\01" + name).str());
  return found != nullptr ? found : module_.getFunction(name);
}

Function* Unit::runtime(StringRef name) {
  Function* const found = labelled(("ddx.rt." + name).str());
  if (found == nullptr) {
    report_fatal_error(Twine("ddx: the run time lacks ddx.rt.") + name);
  }
  return found;
}

Function* Unit::slope(StringRef name, unsigned arity, unsigned index, const Type* type) {
  return labelled(
      ("ddx.slope." + name + "." + Twine(arity) + "." + Twine(index) + "." + suffix_of(type))
          .str());
}

Derivative& Unit::entry_of(Function& primal) {
  Derivative*& known = known_[&primal];
  if (known == nullptr) {
    known = &derivatives_.emplace_back();
    known->primal = &primal;
    known->signature = signature(primal);
  }
  return *known;
}

const Signature& Unit::signature(const Function& primal) {
  const auto found = signatures_.find(&primal);
  return found != signatures_.end()
             ? found->second
             : signatures_
                   .try_emplace(&primal, rules_.given.contains(primal.getName())
                                             ? signature_of(primal.getFunctionType())
                                             : signature_of(primal))
                   .first->second;
}

Signature& Unit::add_signature(const Function& derivative, const Signature& primal) {
  Signature& signature = signatures_[&derivative];
  signature = signature_of(derivative.getFunctionType());
  llvm::copy(primal.parameters, signature.parameters.begin());
  signature.has_bits = primal.has_bits;
  return signature;
}

namespace {

/// Where an entry asks which function a pointer means, derivatives of it have those of all that may
/// be meant, and these the entry again. Derivatives of higher order throw.
constexpr unsigned highest_order = 4;

}  // namespace

Derivative& Unit::sweeps_of(Function& primal) {
  Derivative& made = entry_of(primal);
  if (!made.wants_reverse) {
    made.wants_reverse = true;
    FunctionType* const type = primal.getFunctionType();
    const Origin origin = origin_of(primal);
    made.forward =
        create(forward_type(type), primal.getName() + ".forward", origin.then(Mode::Forward));
    made.reverse = create(reverse_type(primal.getContext(), made.signature),
                          primal.getName() + ".reverse", origin.then(Mode::Reverse));
    add_signature(*made.forward, made.signature).result = made.signature.result;
    if (const auto rule = find_attached_rule(primal)) {
      define_sweeps_by_rule(made, *rule, *this);
    } else if (primal.isDeclaration() && is_thread_function(primal.getName())) {
      define_thread_sweeps(made, *this);
    } else if (is_parallel_region(primal)) {
      define_region_sweeps(made, *this);
    } else if (rules_.given_of(primal.getName()).sweeps == GivenBy::Text) {
      define_given_sweeps(made, *this);
    } else if (origin.order() >= highest_order) {
      refuse({made.forward, made.reverse}, "a derivative of higher order");
    } else {
      sweeps_waiting_.push_back(&made);
    }
    add_thread_bodies(primal, /*tangents=*/false);
  }
  return made;
}

Derivative& Unit::tangent_of(Function& primal) {
  Derivative& made = entry_of(primal);
  if (!made.wants_tangent) {
    made.wants_tangent = true;
    const Origin origin = origin_of(primal);
    made.tangent = create(tangent_type(primal.getFunctionType(), made.signature),
                          primal.getName() + ".tangent", origin.then(Mode::Tangent));
    Signature& own = add_signature(*made.tangent, made.signature);
    if (returns_bits(made.signature, primal.getReturnType())) {  // Beside their tangents.
      Type* const result = made.signature.result;
      own.result = StructType::get(primal.getContext(), {result, cotangent_type(result)});
    }
    if (const auto rule = find_attached_rule(primal)) {
      define_tangent_by_rule(made, *rule, *this);
    } else if (primal.isDeclaration() && is_thread_function(primal.getName())) {
      define_thread_tangent(made, *this);
    } else if (is_parallel_region(primal)) {
      define_region_tangent(made, *this);
    } else if (rules_.given_of(primal.getName()).tangent == GivenBy::Text) {
      define_given_tangent(made, *this);
    } else if (origin.order() >= highest_order) {
      refuse({made.tangent}, "a derivative of higher order");
    } else {
      tangents_waiting_.push_back(&made);
    }
    add_thread_bodies(primal, /*tangents=*/true);
  }
  return made;
}

Function* Unit::create(FunctionType* type, const Twine& name, Origin origin) {
  Function* const made = Function::Create(type, GlobalValue::InternalLinkage, name, module_);
  origins_[made] = std::move(origin);
  return made;
}

Function* Unit::create_caller(FunctionType* type, const Twine& name, Origin origin,
                              Origin callees) {
  Function* const made = create(type, name, std::move(origin));
  callees_[made] = std::move(callees);
  return made;
}

Origin Unit::origin_of(const Function& function) const {
  const auto found = origins_.find(&function);
  return found != origins_.end() ? found->second : Origin{function.getFunctionType(), ""};
}

Origin Unit::add_indirect(const CallBase& call, const Function& caller, bool tangent) {
  const auto found = callees_.find(&caller);
  Origin callees = found != callees_.end() ? found->second : Origin{call.getFunctionType(), ""};
  Wanted& wanted = indirect_[callees];
  (tangent ? wanted.tangent : wanted.sweeps) = true;
  if (const auto place = virtual_place(call)) {
    wanted.places.insert(*place);
  } else {
    wanted.all = true;
  }
  return callees;
}

namespace {

/// Replaces the bodies of those that are not null; control never reaches them.
void empty(ArrayRef<Function*> functions) {
  for (Function* function : functions) {
    if (function == nullptr) {
      continue;
    }
    function->deleteBody();
    function->setLinkage(GlobalValue::InternalLinkage);
    function->setPersonalityFn(nullptr);
    IRBuilder<>(BasicBlock::Create(function->getContext(), "", function)).CreateUnreachable();
  }
}

}  // namespace

/// Replaces functions that cannot be differentiated: they throw when a pointer leads to them.
void Unit::refuse_if_rejected(ArrayRef<Function*> functions) {
  const std::string reason = errors_.take_kept();
  if (!reason.empty()) {
    refuse(functions, reason);
  }
}

/// Makes functions throw.
void Unit::refuse(ArrayRef<Function*> functions, StringRef reason) {
  empty(functions);
  for (Function* function : functions) {
    IRBuilder<> builder(function->getEntryBlock().getTerminator());
    builder.CreateCall(runtime("refuse"), {builder.CreateGlobalString(reason)});
  }
}

/// Defines the sweeps or the tangent that wait, of a function whose body is complete.
void Unit::define_next() {
  const auto take = [](SmallVectorImpl<Derivative*>& waiting) -> Derivative* {
    const auto found =
        find_if(waiting, [](Derivative* made) { return !made->primal->isDeclaration(); });
    Derivative* const next = found == waiting.end() ? nullptr : *found;
    if (next != nullptr) {
      waiting.erase(found);
    }
    return next;
  };
  Derivative* const sweeps = take(sweeps_waiting_);
  Derivative& made = sweeps != nullptr ? *sweeps : *take(tangents_waiting_);
  if (made.prepared == nullptr) {
    made.prepared = prepare(*made.primal, *this);
    made.loop_counts = count_loops(*made.prepared, analyses_);
  }
  if (sweeps != nullptr) {
    ReverseSweep(made, *this).run();
    refuse_if_rejected({made.forward, made.reverse});
  } else {
    TangentSweep(made, *this).run();
    refuse_if_rejected({made.tangent});
  }
}

/// After an error: what waits for derivatives, which may be incomplete now, is not defined.
void Unit::drop_higher_orders() {
  for (SmallVectorImpl<Derivative*>* waiting : {&sweeps_waiting_, &tangents_waiting_}) {
    erase_if(*waiting, [&](const Derivative* made) { return is_made(*made->primal); });
  }
}

/// Functions of the program are defined after an error as well: they may have others.
void Unit::run() {
  for (const auto& [primal, made] : known_) {
    reached_.add(*primal);
  }
  while (has_work()) {
    define_next();
    if (errors_.any()) {
      drop_higher_orders();
    } else if (!has_work()) {
      errors_.begin_tentative();
      while (add_candidates() && !has_work()) {
      }
    }
  }
  if (!errors_.any()) {
    define_table();
  }
  complete();
}

/// Erases what was only needed meanwhile, and simplifies what was made.
void Unit::complete() {
  for (Derivative& made : derivatives_) {
    if (made.prepared != nullptr) {
      made.prepared->eraseFromParent();
      // A long primal takes most of the time. Its variables have no places in pieces.
      if (!made.primal->hasOptNone() && made.primal->getSubprogram() == nullptr) {
        split_if_long(*made.primal);
      }
    }
  }
  // From here on, what nothing calls may go.
  removeFromUsedLists(module_, [](Constant* used) {
    return used->stripPointerCasts()->getName().contains("ddx.");
  });
  for (Derivative& made : derivatives_) {
    if (made.prepared == nullptr) {
      continue;
    }
    if (errors_.any()) {  // No code is written, but it is generated.
      empty({made.forward, made.reverse, made.tangent});
      continue;
    }
    for (Function* function : {made.forward, made.reverse, made.tangent}) {
      if (function != nullptr && !function->isDeclaration()) {
        split_if_long(*function);
        simplify(*function, analyses_);
      }
    }
    if (made.forward != nullptr && !made.forward->isDeclaration()) {
      mark_tape(*made.forward);
    }
    for (Function* function : {made.reverse, made.tangent}) {
      if (function != nullptr && !function->isDeclaration()) {
        rotate_loops(*function, analyses_);
        unroll_short_loops(*function, analyses_);
        find_cotangents_by_range(*function, *this);
        find_tangents_by_range(*function, *this);
      }
    }
  }
}

}  // namespace ddx::compiler::memory
