#include "compiler/memory/thread_calls.h"

#include "compiler/memory/reverse_sweep.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

/// Its second argument is a std::unique_lock, which begins with the address of the mutex.
constexpr StringLiteral condition_variable_wait =
    "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE";

/// What a function does for the order of events.
enum class ThreadRule {
  Replaced,     ///< `forward` of the run time is called in its place.
  EventBehind,  ///< It takes a lock.
  EventIfZero,  ///< It takes a lock where its result is zero.
  EventIf,      ///< It takes a lock where its result is not zero.
  EventBefore,  ///< It gives a lock back.
  Wait,         ///< It gives a lock back, waits, and takes it again.
  Team          ///< `forward` of the run time is called behind it, with the size of the team.
};

struct ThreadFunction {
  StringLiteral name;
  ThreadRule rule;
  unsigned lock = 0;           ///< The argument that is the lock, or Wait: that owns it.
  StringLiteral forward = "";  ///< Replaced and Team: names in the run time.
  StringLiteral reverse = "event_reverse";
  StringLiteral tangent = "";  ///< Replaced, where forward mode does not call the primal.
};

constexpr ThreadFunction thread_functions[] = {
    {"_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
     ThreadRule::Replaced, 0, "thread_start", "thread_start_reverse", "tangent_thread_start"},
    {"_ZNSt6thread4joinEv", ThreadRule::Replaced, 0, "thread_join", "thread_join_reverse"},
    {"pthread_create", ThreadRule::Replaced, 0, "posix_start", "thread_start_reverse",
     "tangent_posix_start"},
    {"pthread_join", ThreadRule::Replaced, 0, "posix_join", "thread_join_reverse"},
    {"pthread_once", ThreadRule::Replaced, 0, "once", "once_reverse", "tangent_once"},
    {"_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv", ThreadRule::Replaced, 0,
     "set_at_thread_exit"},
    {"ddx.event", ThreadRule::Replaced, 0, "event"},
    {"ddx.atomic.begin", ThreadRule::Replaced, 0, "atomic_begin", "event_reverse",
     "tangent_atomic_begin"},
    {"ddx.atomic.end", ThreadRule::Replaced, 0, "atomic_end", "event_reverse",
     "tangent_atomic_end"},
    {"ddx.team.ordered", ThreadRule::Replaced, 0, "team_ordered", "team_ordered_reverse",
     "tangent_ordered"},
    {"ddx.team.end_ordered", ThreadRule::Replaced, 0, "team_end_ordered",
     "team_end_ordered_reverse", "tangent_end_ordered"},
    {"__kmpc_barrier", ThreadRule::Team, 0, "team_barrier", "team_barrier_reverse"},
    {"pthread_mutex_lock", ThreadRule::EventIfZero},
    {"pthread_mutex_trylock", ThreadRule::EventIfZero},
    {"pthread_mutex_timedlock", ThreadRule::EventIfZero},
    {"pthread_mutex_clocklock", ThreadRule::EventIfZero},
    {"pthread_mutex_unlock", ThreadRule::EventBefore},
    {"pthread_rwlock_rdlock", ThreadRule::EventIfZero},
    {"pthread_rwlock_wrlock", ThreadRule::EventIfZero},
    {"pthread_rwlock_tryrdlock", ThreadRule::EventIfZero},
    {"pthread_rwlock_trywrlock", ThreadRule::EventIfZero},
    {"pthread_rwlock_unlock", ThreadRule::EventBefore},
    {"pthread_cond_wait", ThreadRule::Wait, 1},
    {"pthread_cond_timedwait", ThreadRule::Wait, 1},
    {"pthread_cond_clockwait", ThreadRule::Wait, 1},
    {condition_variable_wait, ThreadRule::Wait, 1},
    {"__kmpc_critical", ThreadRule::EventBehind, 2},
    {"__kmpc_critical_with_hint", ThreadRule::EventBehind, 2},
    {"__kmpc_end_critical", ThreadRule::EventBefore, 2},
    {"__kmpc_ordered", ThreadRule::EventBehind},
    {"__kmpc_end_ordered", ThreadRule::EventBefore},
    {"omp_set_lock", ThreadRule::EventBehind},
    {"omp_set_nest_lock", ThreadRule::EventBehind},
    {"omp_unset_lock", ThreadRule::EventBefore},
    {"omp_unset_nest_lock", ThreadRule::EventBefore},
    {"omp_test_lock", ThreadRule::EventIf},
    {"omp_test_nest_lock", ThreadRule::EventIf},
};

const ThreadFunction* find_thread_function(StringRef name) {
  const auto* found =
      find_if(thread_functions, [&](const ThreadFunction& one) { return one.name == name; });
  return found == std::end(thread_functions) ? nullptr : found;
}

/// Builds the forward sweep of a function that is called as it stands, beside a call of the run
/// time.
class ThreadForward {
 public:
  ThreadForward(Derivative& made, Unit& unit)
      : made_(made),
        module_(unit.module()),
        builder_(BasicBlock::Create(module_.getContext(), "", made.forward)),
        sweep_(std::prev(made.forward->arg_end())) {}

  void define(const ThreadFunction& function) {
    made_.forward->setLinkage(GlobalValue::InternalLinkage);
    Value* lock = made_.forward->getArg(function.lock);
    if (function.name == condition_variable_wait) {
      lock = builder_.CreateLoad(builder_.getPtrTy(), lock);
    }
    if (function.rule == ThreadRule::EventBefore) {
      call_runtime("event", {lock, sweep_});
    } else if (function.rule == ThreadRule::Wait) {
      call_runtime("begin_wait", {lock, sweep_});
    }
    Value* const result = call_primal();
    record_behind(function, lock, result);
    result->getType()->isVoidTy() ? builder_.CreateRetVoid() : builder_.CreateRet(result);
  }

  /// As define, for what only the sweeps call.
  void define_replaced(StringRef forward) {
    SmallVector<Value*> arguments;
    if (forward.starts_with("team_")) {
      arguments.push_back(team_size());
    }
    for (Argument& argument : made_.forward->args()) {
      arguments.push_back(&argument);
    }
    Value* const result = call_runtime(forward, arguments, made_.forward->getReturnType());
    result->getType()->isVoidTy() ? builder_.CreateRetVoid() : builder_.CreateRet(result);
  }

 private:
  void record_behind(const ThreadFunction& function, Value* lock, Value* result) {
    switch (function.rule) {
      case ThreadRule::EventBehind:
      case ThreadRule::Wait:
        call_runtime("event", {lock, sweep_});
        return;
      case ThreadRule::EventIf:
        call_runtime("event_if", {result, lock, sweep_});
        return;
      case ThreadRule::EventIfZero: {
        Value* const is_zero = builder_.CreateICmpEQ(result, builder_.getInt32(0));
        call_runtime("event_if",
                     {builder_.CreateZExt(is_zero, builder_.getInt32Ty()), lock, sweep_});
        return;
      }
      case ThreadRule::Team:
        call_runtime(function.forward, {team_size(), sweep_});
        return;
      case ThreadRule::EventBefore:
      case ThreadRule::Replaced:
        return;
    }
  }

  Value* team_size() {
    return builder_.CreateCall(
        module_.getOrInsertFunction("omp_get_num_threads", builder_.getInt32Ty()), {});
  }

  Value* call_primal() {
    SmallVector<Value*> arguments;
    for (Argument& argument : made_.primal->args()) {
      arguments.push_back(made_.forward->getArg(argument.getArgNo()));
    }
    return builder_.CreateCall(made_.primal, arguments);
  }

  Value* call_runtime(StringRef name, ArrayRef<Value*> arguments, Type* result = nullptr) {
    SmallVector<Type*> types;
    for (const Value* argument : arguments) {
      types.push_back(argument->getType());
    }
    return builder_.CreateCall(
        module_.getOrInsertFunction(
            ("ddx.rt." + name).str(),
            FunctionType::get(result != nullptr ? result : builder_.getVoidTy(), types, false)),
        arguments);
  }

  Derivative& made_;
  Module& module_;
  IRBuilder<> builder_;
  Value* sweep_;
};

}  // namespace

bool is_thread_function(StringRef name) {
  return find_thread_function(name) != nullptr;
}

bool is_thread_marker(StringRef name) {
  return name.starts_with("ddx.") && is_thread_function(name);
}

void define_thread_sweeps(Derivative& made, Unit& unit) {
  const ThreadFunction& function = *find_thread_function(made.primal->getName());
  ThreadForward forward(made, unit);
  if (function.rule == ThreadRule::Replaced) {
    forward.define_replaced(function.forward);
  } else {
    forward.define(function);
  }
  IRBuilder<> builder(BasicBlock::Create(unit.module().getContext(), "", made.reverse));
  const FunctionCallee reverse = unit.module().getOrInsertFunction(
      ("ddx.rt." + function.reverse).str(), made.reverse->getFunctionType());
  for (unsigned i = 0; i < (function.rule == ThreadRule::Wait ? 2 : 1); ++i) {
    builder.CreateCall(reverse, {made.reverse->getArg(0)});
  }
  builder.CreateRetVoid();
}

/// In forward mode the locks of the primal order the tangents too, since each is written beside its
/// number.
void define_thread_tangent(Derivative& made, Unit& unit) {
  const ThreadFunction& function = *find_thread_function(made.primal->getName());
  IRBuilder<> builder(BasicBlock::Create(unit.module().getContext(), "", made.tangent));
  SmallVector<Value*> arguments;
  for (Argument& argument : made.tangent->args()) {
    arguments.push_back(&argument);
  }
  Value* result = nullptr;
  if (!function.tangent.empty()) {
    result =
        builder.CreateCall(unit.module().getOrInsertFunction(("ddx.rt." + function.tangent).str(),
                                                             made.tangent->getFunctionType()),
                           arguments);
  } else if (!function.name.starts_with("ddx.")) {
    arguments.pop_back();
    result = builder.CreateCall(made.primal, arguments);
  }
  if (result == nullptr || result->getType()->isVoidTy()) {
    builder.CreateRetVoid();
  } else {
    builder.CreateRet(result);
  }
}

bool is_thread_start(const Function& function) {
  const ThreadFunction* found = find_thread_function(function.getName());
  return found != nullptr && (found->forward == "thread_start" || found->forward == "once");
}

bool starts_posix_thread(const Function& function) {
  const ThreadFunction* found = find_thread_function(function.getName());
  return found != nullptr && found->forward == "posix_start";
}

bool is_thread_body(const Function& function) {
  const StringRef name = function.getName();
  return (name.starts_with("_ZNSt6thread11_State_impl") && name.ends_with("6_M_runEv")) ||
         (name.contains("_Prepare_execution") && name.ends_with("8__invokeEv"));
}

}  // namespace ddx::compiler::memory
