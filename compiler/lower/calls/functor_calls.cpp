// Calls of ddx that take a function: they are lowered as calls of it which say what is done with
// it.

#include "compiler/lower/calls/functor_calls.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/arguments.h"
#include "compiler/lower/calls/callables.h"
#include "compiler/lower/calls/calls.h"
#include "compiler/lower/calls/replacements.h"
#include "compiler/lower/expressions/scalarized_objects.h"
#include "compiler/lower/rejections.h"
#include "compiler/support/function_names.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// One function of ddx that takes a function.
struct Known {
  const char* name;
  FunctorCall::Kind kind;
  std::size_t least;  ///< Arguments: a function of fewer has the same name and nothing else.
  bool reverse_only;  ///< Forward mode differentiates its body.
  /// The function in its body that is differentiated, and in the order of the parameters of that,
  /// which argument each is handed; none: all.
  const char* callee;
  llvm::SmallVector<unsigned, 4> order;
  Diagnostic diagnostic = Diagnostic::UnsupportedControlFlow;
};

/// All of them.
llvm::ArrayRef<Known> known_calls() {
  static const Known table[] = {
      {"ddx::detail::run_value_with_gradient",
       FunctorCall::Kind::Gradient,
       2,
       false,
       "primal",
       {},
       Diagnostic::UnsupportedNestedGradient},
      {"ddx::detail::pulled_back",
       FunctorCall::Kind::Pullback,
       4,
       false,
       "with_cotangent",
       {},
       Diagnostic::UnsupportedNestedGradient},
      {"ddx::checkpointed",
       FunctorCall::Kind::Checkpoint,
       2,
       true,
       "primal",
       {},
       Diagnostic::UnsupportedCheckpoint},
      {"ddx::checkpointed_loop",
       FunctorCall::Kind::CheckpointedLoop,
       2,
       true,
       "loop_step",
       {3, 2, 0, 1},
       Diagnostic::UnsupportedCheckpoint},
      {"ddx::with_derivative",
       FunctorCall::Kind::ChangedCotangent,
       2,
       false,
       "changed_cotangent",
       {1, 0},
       Diagnostic::UnsupportedWithDerivative},
      {"ddx::cond", FunctorCall::Kind::Cond, 3, false, "cond_branch", {}},
      {"ddx::scan", FunctorCall::Kind::Scan, 2, false, "scan_turn", {1, 2, 3, 4, 0}},
      {"ddx::while_loop", FunctorCall::Kind::WhileLoop, 2, false, "while_turn", {2, 3, 4, 0, 1}},
      {"ddx::detail::mapped", FunctorCall::Kind::Map, 3, false, "one_example", {1, 2, 0}},
  };
  return table;
}

const Known* known_call(const FunctionDecl* callee, std::size_t count) {
  if (!callee->getIdentifier()) {
    return nullptr;
  }
  const llvm::ArrayRef<Known> table = known_calls();
  const auto* found = llvm::find_if(table, [&](const Known& known) {
    return count >= known.least && llvm::StringRef(known.name).ends_with(callee->getName()) &&
           callee->getQualifiedNameAsString() == known.name;
  });
  return found == table.end() ? nullptr : found;
}

}  // namespace

bool is_functor_call(const FunctionDecl* callee) {
  return is_compiled_call(callee) || known_call(callee, callee->getNumParams()) != nullptr;
}

/// A call of a ddx::Pullback is one of the closure that represents it.
Value* FunctorCalls::call_pullback(const CallSite& site) {
  const Binding back = site.object.known ? *site.object.known
                                         : scalarized_objects_.scalarized(site.object.expression);
  if (back.kind != Binding::Kind::Closure || !back.closure->record->isLambda()) {
    return rejections_.unsupported(site.source, Diagnostic::UnsupportedNestedGradient);
  }
  return calls_.lower_call(back.closure->record->getLambdaCallOperator(), site.source,
                           Receiver(back), site.arguments, site.reference);
}

std::optional<Value*> FunctorCalls::lower_by_rule(const CallSite& site) {
  if (site.method && Types::is_pullback(site.method->getParent()) &&
      is_call_operator(site.method)) {
    return call_pullback(site);
  }
  const Expr* source = site.source;
  llvm::ArrayRef<const Expr*> arguments = site.arguments;
  const FunctionDecl* callee = site.callee;
  if (is_compiled_call(callee)) {
    return rejections_.unsupported(source, Diagnostic::UnsupportedCompiledCall);
  }
  const Known* known = known_call(callee, arguments.size());
  if (!known || (known->reverse_only && function_.key.mode == Mode::Forward)) {
    return std::nullopt;
  }
  const FunctionDecl* own_body = replacements_.visible_body(callee);
  const FunctionDecl* named = own_body ? find_named(own_body->getBody(), known->callee) : nullptr;
  const FunctionDecl* body = named ? replacements_.visible_body(named) : nullptr;
  if (!body) {
    return rejections_.unsupported(source, known->diagnostic);
  }
  llvm::SmallVector<unsigned, 4> order = known->order;
  FunctorCall made{known->kind, {}, ""};
  llvm::SmallVector<unsigned, 2> by;  // The parameters by which it is differentiated.
  const bool pulls_back = known->kind == FunctorCall::Kind::Pullback;
  if (pulls_back || known->kind == FunctorCall::Kind::Gradient) {
    const llvm::ArrayRef<TemplateArgument> written =
        callee->getTemplateSpecializationArgs()->asArray();
    if (written.size() != 3) {
      return rejections_.unsupported(source, known->diagnostic);
    }
    for (const TemplateArgument& position : written[2].pack_elements()) {
      by.push_back(static_cast<unsigned>(position.getAsIntegral().getZExtValue()) +
                   (pulls_back ? 2 : 1));
    }
    arguments = arguments.drop_front();  // The positions.
  }
  while (order.size() < body->getNumParams()) {
    order.push_back(static_cast<unsigned>(order.size()));
  }
  ir::Statement* call = builder_.make(ir::Statement::Kind::Call, source->getExprLoc());
  call->callee = body;
  llvm::SmallVector<unsigned, 4> place_of;  // Each parameter's among the arguments of the call.
  for (unsigned i = 0; i < body->getNumParams(); ++i) {
    place_of.push_back(static_cast<unsigned>(call->arguments.size()));
    if (!arguments_.expand_argument(call, body->getParamDecl(i)->getType(), arguments[order[i]])) {
      return rejections_.unsupported(source, known->diagnostic);
    }
  }
  for (const unsigned parameter : by) {
    made.by.push_back(place_of[parameter]);
  }
  call->functor = made;
  call->by_name = false;
  return arguments_.emit_call(call, source->getType());
}

}  // namespace ddx::compiler
