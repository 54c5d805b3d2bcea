#include "compiler/derive/driver.h"

#include "compiler/analysis/activity.h"
#include "compiler/analysis/dependence.h"
#include "compiler/analysis/powers.h"
#include "compiler/analysis/shape_changes.h"
#include "compiler/analysis/value_numbering.h"
#include "compiler/emit/emitter.h"
#include "compiler/emit/tangent.h"
#include "compiler/ir/overlap.h"
#include "compiler/lower/lowering.h"
#include "compiler/verify/verify.h"

#include <map>
#include <tuple>

namespace ddx::compiler {

using namespace clang;
using namespace ir;

/// Does what the argument names have the same value in the reverse sweep, by the same name?
bool Driver::is_stable(const Argument& argument, const Statement& call, Function& function,
                       const Writes& writes) {
  const auto readable = [&](const Root& root) {
    return writes.is_readable(root) || writes.is_settled(root, call.order, call.level);
  };
  if (argument.kind == Argument::Kind::Text) {
    bool stable = true;
    fill_holes(function, argument.text, [&](Root& root) {
      stable = stable && readable(root);
      return std::string();
    });
    return stable;
  }
  return argument.path.root && readable(*argument.path.root) &&
         argument.path.root->kind != Root::Kind::Induction;
}

namespace {

/// True when the paths name different members of one object, or nothing at all.
bool are_apart(const Path& a, const Path& b) {
  if (!a.root || !b.root) {
    return true;
  }
  if (a.root != b.root) {
    // Others of the same group, if it has one, may be anywhere in it.
    const bool outside = a.root->kind != Root::Kind::Local && b.root->kind != Root::Kind::Local;
    return !outside || a.root->group != b.root->group;
  }
  for (std::size_t i = 0; i < std::min(a.steps.size(), b.steps.size()); ++i) {
    if (a.steps[i].field && b.steps[i].field && a.steps[i].field != b.steps[i].field) {
      return a.steps[i].field->getParent() == b.steps[i].field->getParent() &&
             !a.steps[i].field->getParent()->isUnion();
    }
    if (a.steps[i].field != b.steps[i].field || a.steps[i].base != b.steps[i].base) {
      return false;
    }
  }
  return false;
}

}  // namespace

Key Driver::key_of(const Statement& call) {
  Key key;
  key.function = call.callee;
  key.targets = call.targets;
  key.result_useful = call.value && call.value->active();
  key.outputs_useful = has_useful_outputs(call);
  std::map<std::tuple<const Root*, unsigned, const Argument*>, unsigned> groups;
  const bool knows_parts = llvm::none_of(call.arguments, [](const Argument& argument) {
    return argument.path.root && argument.path.root->bound_to_text;
  });
  for (const Argument& argument : call.arguments) {
    ParameterFacts facts;
    facts.is_null = argument.is_null || (argument.kind == Argument::Kind::Pointer &&
                                         argument.path.root && argument.path.root->is_null);
    facts.is_computed_from_active = is_computed_from_active(argument, context_.types);
    facts.active = is_active(argument, context_.types);
    const bool may_overlap = !knows_parts && argument.path.root && !argument.path.root->has_tangent;
    if (argument.kind != Argument::Kind::Value && argument.path.root && !may_overlap) {
      const Root& root = *argument.path.root;
      const bool outside = root.kind == Root::Kind::Reference || root.kind == Root::Kind::Pointer;
      facts.noalias_group = root.kind == Root::Kind::Local || (outside && root.noalias_group);
      if (root.kind == Root::Kind::Local || (outside && root.group != 0)) {
        const bool alone = llvm::all_of(call.arguments, [&](const Argument& other) {
          return &other == &argument || are_apart(argument.path, other.path);
        });
        const std::tuple identity(outside ? nullptr : &root, outside ? root.group : 0,
                                  alone ? &argument : nullptr);
        facts.group =
            groups.emplace(identity, static_cast<unsigned>(groups.size() + 1)).first->second;
      }
    }
    key.parameters.push_back(facts);
  }
  return key;
}

const Driver::Summary* Driver::summary(const FunctionDecl* callee,
                                       const std::vector<const FunctionDecl*>& targets) {
  const auto [found, is_new] = summaries_.try_emplace({callee, targets});
  if (!is_new) {
    return found->second ? &*found->second : nullptr;
  }
  Function function;
  function.key.function = callee;
  function.key.targets = targets;
  lower_function(context_, function);
  refine_arguments(function);
  const Writes writes(function);
  Summary result;
  for (const Root* parameter : function.parameters) {
    // By the name of another parameter, only a caller that hands over one object twice writes it:
    // to the caller that object is written in any case.
    const bool by_global = llvm::any_of(function.roots, [&](const Root& root) {
      return root.kind == Root::Kind::Global && writes.writes_directly(root) &&
             overlap(root, *parameter);
    });
    result.writes_parameter.push_back(by_global || writes.writes_directly(*parameter));
  }
  for (const Root& root : function.roots) {
    result.writes_global =
        result.writes_global ||
        (root.kind == Root::Kind::Global && root.has_tangent && writes.writes_directly(root));
  }
  for_each_statement(function.body, [&](const Statement* call) {
    result.writes_global = result.writes_global || call->writes_global;
  });
  std::optional<Summary>& kept = summaries_[{callee, targets}];
  kept = std::move(result);
  return &*kept;
}

/// An argument that the callee takes by reference but never writes is as good as constant.
void Driver::refine_arguments(Function& function) {
  for_each_statement(function.body, [&](Statement* call) {
    for (const FunctionDecl* callee : call->text_callees) {
      const Summary* known = summary(callee, {});
      call->writes_global = call->writes_global || (known && known->writes_global);
    }
    if (call->kind != Statement::Kind::Call) {
      return;
    }
    if (call->registered) {
      for (Argument& argument : call->arguments) {
        argument.is_constant = true;
      }
      return;
    }
    const Summary* known = summary(call->callee, call->targets);
    for (std::size_t i = 0;
         known && i < call->arguments.size() && i < known->writes_parameter.size(); ++i) {
      Argument& argument = call->arguments[i];
      const CXXRecordDecl* record =
          argument.path.root ? Types::record(argument.path.type) : nullptr;
      const bool has_mutable = record && llvm::any_of(record->fields(), [](const FieldDecl* field) {
                                 return field->isMutable();
                               });
      // A const method may write mutable fields.
      argument.is_constant = (argument.is_constant && !has_mutable) || !known->writes_parameter[i];
    }
    call->writes_global = call->writes_global || (known && known->writes_global);
  });
}

/// Finds the derivative of every call that needs one. Calls that are not active stay as they are,
/// or get a copy of the callee where a lambda is involved.
bool Driver::choose_callees(Function& function, const Writes& writes) {
  bool accepted = true;
  for_each_statement(function.body, [&](Statement* call) {
    if (call->kind != Statement::Kind::Call) {
      return;
    }
    const bool active = is_active(*call, context_.types);
    const bool by_name = call->by_name && !isa<CXXConstructorDecl>(call->callee);
    // Numbers may be read back from a text: the callee is looked at.
    const bool told = llvm::any_of(call->arguments, [&](const Argument& argument) {
      return is_computed_from_active(argument, context_.types);
    });
    if (call->registered || (!active && by_name && !told)) {
      return;
    }
    if (call->functor) {
      accepted = choose_functor(*call) && accepted;
      return;
    }
    Key key = key_of(*call);
    key.mode = function.key.mode;
    const bool returns = active && key.mode == Mode::Reverse;  // Only then something is read again.
    for (std::size_t i = 0; i < call->arguments.size(); ++i) {
      key.parameters[i].is_unchanged =
          returns && is_stable(call->arguments[i], *call, function, writes);
    }
    chain_.emplace_back(call->callee, call->where);
    call->derivative = derive(key);
    chain_.pop_back();
    accepted = accepted && call->derivative;
  });
  return accepted;
}

void Driver::print(Stage stage, const Function& function) {
  if (options_.prints(stage)) {
    *options_.out << to_string(function, stage);
  }
}

/// Returns whether the text is sound; if not, it is never compiled.
bool Driver::verify(const Derivative& made) {
  const StageTimes::Span span(options_.times.get(), Timed::Verify);
  const std::vector<std::string> mistakes = mistakes_in(
      made.declarations + made.batched_declarations + made.definitions + made.batched_definitions);
  if (!mistakes.empty()) {
    report(context_.sema.getDiagnostics(), Diagnostic::UnsoundDerivative, chain_.front().second)
        << made.function.key.function << mistakes.front();
  }
  return mistakes.empty();
}

/// What changes no value, so that less is differentiated, or what has finite slopes.
static void simplify(Function& function) {
  number_values(function);
  differentiate_powers(function);
}

Derivative* Driver::derive(const Key& key) {
  for (std::size_t i = 0; i < derivatives_.size(); ++i) {
    Derivative& known = derivatives_[i];
    if (known.function.key == key) {
      deferred_ = deferred_ || known.is_deferred;
      known.recursive = known.recursive || known.in_progress;
      return rejected_[i] ? nullptr : &known;
    }
  }
  const std::size_t position = derivatives_.size();
  Derivative& made = derivatives_.emplace_back();
  rejected_.push_back(false);
  made.id = static_cast<unsigned>(derivatives_.size());
  made.function.key = key;
  const auto* identifier = key.function->getIdentifier();
  const std::string stem =
      identifier ? identifier->getName().str()
      : isa<CXXConstructorDecl>(key.function)
          ? "make_" + cast<CXXConstructorDecl>(key.function)->getParent()->getNameAsString()
      : isa<CXXMethodDecl>(key.function) &&
              cast<CXXMethodDecl>(key.function)->getParent()->isLambda()
          ? "lambda"
          : "operator";
  made.name = context_.names.fresh("ddx_" + stem);
  made.active =
      llvm::any_of(key.parameters, [](const ParameterFacts& facts) { return facts.active; });

  StageTimes* const times = options_.times.get();
  if (times != nullptr) {
    times->count_function();
  }
  {
    const StageTimes::Span span(times, Timed::Lower);
    lower_function(context_, made.function);
  }
  if (made.function.is_deferred) {
    made.is_deferred = deferred_ = true;
    rejected_[position] = true;
    made.in_progress = false;
    return nullptr;
  }
  {
    const StageTimes::Span span(times, Timed::Lower);
    refine_arguments(made.function);
  }
  print(Stage::Lower, made.function);
  {
    const StageTimes::Span span(times, Timed::Activity);
    simplify(made.function);
    analyse_activity(made.function, context_.types);
  }
  print(Stage::Activity, made.function);
  bool accepted = false;
  {
    const StageTimes::Span span(times, Timed::Diagnose);
    accepted = diagnose(made.function, context_, chain_, warned_at_);
  }
  if (!accepted) {
    rejected_[position] = true;
    made.in_progress = false;
    return nullptr;
  }
  const Writes writes(made.function);
  for (const Root* parameter : made.function.parameters) {
    made.reverse_takes.push_back(writes.is_readable(*parameter));
  }
  find_keepable(made.function, context_);
  if (!choose_callees(made.function, writes)) {
    made.is_deferred = deferred_;
    rejected_[position] = true;
    made.in_progress = false;
    return nullptr;
  }
  made.keeps_shape = kept_shapes(made.function, context_.types);
  made.result_depends = result_depends(made.function);
  made.cuts = made.function.cuts;
  for_each_statement(made.function.body, [&](const Statement* call) {
    made.cuts = made.cuts || (call->derivative && call->derivative->cuts);
  });
  if (key.mode == Mode::Forward) {
    const StageTimes::Span span(times, Timed::Emit);
    emit_tangent(context_, made, writes);
  } else {
    {
      const StageTimes::Span span(times, Timed::Residuals);
      plan_residuals(made.function, context_, writes);
    }
    for (std::size_t i = 0; !made.recursive && i < made.reverse_takes.size(); ++i) {
      made.reverse_takes[i] = made.reverse_takes[i] && made.function.parameters[i]->named;
    }
    print(Stage::Residuals, made.function);
    const StageTimes::Span span(times, Timed::Emit);
    emit_sweeps(context_, made, writes);
  }
  made.in_progress = false;
  if (!verify(made)) {
    rejected_[position] = true;
    return nullptr;
  }
  if (made.recursive && key.mode == Mode::Reverse) {
    declarations_ = "struct " + made.residuals() + ";\n" + declarations_;
  }
  declarations_ += context_.types.take_definitions() + made.declarations;
  definitions_ += made.definitions;
  return &made;
}

std::string Driver::take_text() {
  std::string text = context_.types.take_definitions() + std::exchange(declarations_, {}) +
                     std::exchange(definitions_, {});
  return text;
}

}  // namespace ddx::compiler
