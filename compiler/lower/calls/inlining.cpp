#include "compiler/lower/calls/inlining.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/callables.h"
#include "compiler/lower/calls/replacements.h"
#include "compiler/lower/expressions/initialisers.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/expressions/scalarized_objects.h"
#include "compiler/lower/library/iterators.h"
#include "compiler/lower/library/views.h"
#include "compiler/lower/path_steps.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/statements/statements.h"
#include "compiler/rules/scalar_rules.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

bool returns(const Stmt* statement) {
  return statement && !isa<LambdaExpr>(statement) &&
         (isa<ReturnStmt>(statement) ||
          llvm::any_of(statement->children(), [](const Stmt* child) { return returns(child); }));
}

/// `return *this;`
bool returns_this(const Stmt* statement) {
  const auto* result = dyn_cast<ReturnStmt>(statement);
  const auto* object = result && result->getRetValue()
                           ? dyn_cast<UnaryOperator>(result->getRetValue()->IgnoreParenImpCasts())
                           : nullptr;
  return object && object->getOpcode() == UO_Deref &&
         isa<CXXThisExpr>(object->getSubExpr()->IgnoreParenImpCasts());
}

constexpr unsigned inline_limit = 128;  // Deeper nests are templates without end.

/// True for arithmetic and functions with rules, of parameters and members that are named.
bool is_formula(const Stmt* part) {
  if (const auto* call = dyn_cast<CallExpr>(part)) {
    const FunctionDecl* callee = call->getDirectCallee();
    return callee && find_scalar_rule(callee) &&
           llvm::all_of(call->arguments(), [](const Expr* given) { return is_formula(given); });
  }
  return isa<ParenExpr, ImplicitCastExpr, BinaryOperator, UnaryOperator, FloatingLiteral,
             IntegerLiteral, DeclRefExpr, MemberExpr, CXXThisExpr>(part) &&
         llvm::all_of(part->children(), [](const Stmt* child) { return is_formula(child); });
}

/// What `callee` returns, where its body is one formula; else null.
const Expr* formula_of(const FunctionDecl* callee) {
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  const auto* compound = dyn_cast_or_null<CompoundStmt>(callee->getBody());
  const auto* only =
      compound && compound->size() == 1 ? dyn_cast<ReturnStmt>(compound->body_front()) : nullptr;
  const bool fixed =
      !in_library(callee) && callee->getReturnType()->isRealFloatingType() &&
      !(method && (method->isVirtual() || (method->isInstance() && !method->isConst())));
  return fixed && only && only->getRetValue() && is_formula(only->getRetValue())
             ? only->getRetValue()->IgnoreParenImpCasts()
             : nullptr;
}

/// True for a call of a root or a norm, or of a function that is one, and for a variable of such.
bool is_root(const Expr* expression) {
  expression = expression->IgnoreParenImpCasts();
  if (const auto* named = dyn_cast<DeclRefExpr>(expression)) {
    const auto* variable = dyn_cast<VarDecl>(named->getDecl());
    const Expr* initial = variable && variable->isLocalVarDecl() ? variable->getInit() : nullptr;
    return initial && !isa<DeclRefExpr>(initial->IgnoreParenImpCasts()) && is_root(initial);
  }
  const auto* call = dyn_cast<CallExpr>(expression);
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  if (!callee) {
    return false;
  }
  const ScalarRule* rule = find_scalar_rule(callee);
  const FunctionDecl* body = nullptr;
  const Expr* formula = !rule && callee->hasBody(body) ? formula_of(body) : nullptr;
  return (rule && find_power_rule(*rule)) ||
         (formula && isa<CallExpr>(formula) && is_root(formula));
}

/// True for a function that returns a root or a norm, or a product and is handed one: powers are
/// found in one body alone (analysis/powers.h), and `square(norm(v))` is one.
bool gives_power(const FunctionDecl* callee, llvm::ArrayRef<const Expr*> arguments) {
  const Expr* formula = formula_of(callee);
  const auto* product = dyn_cast_or_null<BinaryOperator>(formula);
  return formula &&
         ((isa<CallExpr>(formula) && is_root(formula)) ||
          (product && product->getOpcode() == BO_Mul && llvm::any_of(arguments, is_root)));
}

}  // namespace

bool Inlining::is_guard(const Stmt* statement) const {
  const auto* branch = dyn_cast<IfStmt>(statement);
  if (!branch || branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
      constant_branch(branch, context_.ast)) {
    return false;
  }
  const Stmt* taken = branch->getThen();
  if (const auto* compound = dyn_cast<CompoundStmt>(taken); compound && compound->size() == 1) {
    taken = compound->body_front();
  }
  return returns_this(taken);
}

/// `return` only at the very end, if at all: such a body can be lowered in place.
bool Inlining::has_single_exit(const Stmt* body) const {
  if (!returns(body) || isa<ReturnStmt>(body)) {
    return true;
  }
  llvm::SmallVector<const Stmt*> parts;
  if (const auto* branch = dyn_cast<IfStmt>(body)) {
    const auto taken = constant_branch(branch, context_.ast);
    return taken && has_single_exit(*taken);
  }
  if (const auto* compound = dyn_cast<CompoundStmt>(body)) {
    parts.assign(compound->body_begin(), compound->body_end());
  } else {
    return false;
  }
  const auto leaves = [&](const Stmt* part) {
    const auto* branch = dyn_cast<IfStmt>(part);
    const auto taken = branch ? constant_branch(branch, context_.ast) : std::nullopt;
    return returns(taken ? *taken : part);
  };
  if (!parts.empty() && returns_this(parts.back())) {
    llvm::erase_if(parts, [&](const Stmt* part) { return is_guard(part); });
  }
  const auto first = llvm::find_if(parts, leaves);
  return first == parts.end() || (std::next(first) == parts.end() && has_single_exit(*first));
}

bool Inlining::may_inline(const FunctionDecl* callee) const {
  for (const InlineSite* site = scope_.inline_site; site; site = site->outer) {
    if (site->callee == callee) {
      return false;
    }
  }
  return callee != function_.key.function && scope_.inline_depth < inline_limit &&
         callee->getBody() && has_single_exit(callee->getBody());
}

bool Inlining::is_inlined(const FunctionDecl* callee, const Receiver& object,
                          llvm::ArrayRef<const Expr*> arguments) {
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  // What a pullback pulls back is known where it is made.
  const auto takes_pullback = [&](const ParmVarDecl* parameter) {
    return context_.types.holds_pullback(parameter->getType());
  };
  if (llvm::any_of(callee->parameters(), takes_pullback) ||
      (method && method->isInstance() &&
       context_.types.holds_pullback(context_.ast.getRecordType(method->getParent())))) {
    return may_inline(callee);
  }
  if (method && method->getParent()->isLambda()) {
    return false;
  }
  const auto* compound = dyn_cast<CompoundStmt>(callee->getBody());
  const bool small = compound && compound->size() <= 1;
  bool inlines =
      context_.types.is_scalarized(callee->getReturnType()) || gives_power(callee, arguments);
  if (object.expression && method && method->isInstance() &&
      scope_.is_in_scalarized(object.expression)) {
    const QualType type = context_.ast.getRecordType(method->getParent());
    inlines = inlines || small || !method->isConst() || !context_.types.is_scalarized(type);
  }
  for (unsigned i = 0; i < arguments.size() && i < callee->getNumParams(); ++i) {
    const QualType type = callee->getParamDecl(i)->getType();
    // A member that is pointed to is known by name alone.
    inlines = inlines || (Types::is_callable(type.getNonReferenceType()) &&
                          callables_.fixed_target(arguments[i]).kind == Binding::Kind::Member);
    if (Types::is_closure(type) || !scope_.is_in_scalarized(arguments[i])) {
      continue;
    }
    const bool changes = type->isReferenceType() && !type.getNonReferenceType().isConstQualified();
    inlines = inlines || small || changes || !context_.types.is_scalarized(type);
  }
  return inlines && may_inline(callee);
}

/// The object that a member function lowered in place is called on. False where it is not known.
bool Inlining::find_self(const CXXMethodDecl* method, const Expr* source, const Receiver& object,
                         InlinedSelf* self) {
  const bool apart =
      context_.types.is_scalarized(context_.ast.getRecordType(method->getParent())) ||
      (object.expression && scope_.is_in_scalarized(object.expression));
  std::optional<Path> path;
  if (apart) {
    const Binding whole =
        object.known ? *object.known : scalarized_objects_.scalarized(object.expression);
    if (whole.kind == Binding::Kind::Closure) {
      self->scalarized = whole.closure;
      return true;
    }
    path = whole.kind == Binding::Kind::Object ? std::optional(whole.path) : std::nullopt;
  } else {
    path = places_.object_path(object);
  }
  if (!path || method->getParent()->isLambda()) {
    return false;
  }
  Path target = *path;
  if (method->isConst()) {
    target.type = target.type.withConst();
  }
  self->alias = places_.bind_alias(target, false, "object", source->getExprLoc()).alias;
  self->path = target;
  return true;
}

bool Inlining::bind_parameters(const FunctionDecl* callee, const Expr* source,
                               llvm::ArrayRef<const Expr*> arguments) {
  llvm::SmallVector<std::pair<const VarDecl*, Binding>> bound;
  for (unsigned i = 0; i < arguments.size(); ++i) {
    if (i >= callee->getNumParams()) {
      return false;
    }
    const ParmVarDecl* parameter = callee->getParamDecl(i);
    const QualType type = parameter->getType();
    const std::string name = parameter->getNameAsString();
    Binding binding;
    if (context_.types.is_scalarized(type) ||
        (type->isReferenceType() && scope_.is_in_scalarized(arguments[i]))) {
      binding = scalarized_objects_.scalarized(arguments[i]);
      if (binding.kind == Binding::Kind::None ||
          (binding.kind == Binding::Kind::Object && !type->isReferenceType())) {
        return false;
      }
      if (binding.kind == Binding::Kind::Object) {
        binding = places_.bind_alias(binding.path, false, name, source->getExprLoc());
      }
    } else if (Types::is_callable(type.getNonReferenceType())) {
      binding = callables_.callable(arguments[i]);
    } else if (context_.types.viewed(type)) {
      const auto shown = views_.view(arguments[i]);
      if (!shown) {
        return false;
      }
      binding = *shown;
    } else if (context_.types.iterator(type)) {
      const auto made = iterators_.bind_iterator(parameter, arguments[i], source->getExprLoc());
      if (!made) {
        return false;
      }
      binding = *made;
    } else if (type->isReferenceType()) {
      const auto path = places_.place(arguments[i]);
      if (!path) {
        return false;
      }
      Path target = *path;
      target.type = type.getNonReferenceType();
      binding = places_.bind_alias(target, false, name, source->getExprLoc());
    } else {
      Root* root = builder_.new_root(Root::Kind::Local, name, type, source->getExprLoc());
      builder_.keep(root);
      initialisers_.declare_object(root, arguments[i]);
      binding.kind = Binding::Kind::Object;
      binding.path.root = root;
      binding.path.type = type;
    }
    bound.emplace_back(parameter, binding);
  }
  for (const auto& [variable, binding] : bound) {
    scope_.bindings[variable] = binding;
  }
  return true;
}

void Inlining::lower_in_place(const FunctionDecl* callee, const Expr* source,
                              const InlinedSelf& self, llvm::function_ref<void()> first,
                              Binding* result) {
  const InlinedSelf outer{scope_.self, scope_.self_alias, scope_.self_scalarized};
  auto* const outer_result = std::exchange(scope_.inline_result, result);
  const auto become = [&](const InlinedSelf& who) {
    scope_.self = who.path;
    scope_.self_alias = who.alias;
    scope_.self_scalarized = who.scalarized;
  };
  become(self);
  ++scope_.inline_depth;
  scope_.inline_site = &function_.inline_sites.emplace_back(
      InlineSite{callee, source->getExprLoc(), scope_.inline_site});
  first();
  statements_.nested(builder_.block(), callee->getBody());
  scope_.inline_site = scope_.inline_site->outer;
  --scope_.inline_depth;
  scope_.inline_result = outer_result;
  become(outer);
}

/// Lowers the body of `callee` where it is called. Its result is then known: a number as `value`,
/// what else there is as `result`. False where that cannot be done.
bool Inlining::inline_body(const FunctionDecl* callee, const Expr* source, const Receiver& object,
                           llvm::ArrayRef<const Expr*> arguments, Binding* result, Value** value) {
  if (!may_inline(callee)) {
    return false;
  }
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  InlinedSelf self{scope_.self, scope_.self_alias, scope_.self_scalarized};
  const bool of_closure = method && method->isInstance() && method->getParent()->isLambda();
  llvm::SmallVector<std::pair<const ValueDecl*, Binding>> captured;
  if (method && method->isInstance()) {
    InlinedSelf found;
    if (!find_self(method, source, object, &found)) {
      return false;
    }
    if (!of_closure) {
      self = found;
    } else {
      auto capture = found.scalarized->captures.begin();
      for (const LambdaCapture& each : found.scalarized->record->captures()) {
        if (!each.capturesThis()) {
          captured.emplace_back(each.getCapturedVar(), *capture);
        } else if (capture->kind == Binding::Kind::Closure) {
          self = InlinedSelf{std::nullopt, nullptr, capture->closure};
        } else {
          self = InlinedSelf{capture->path, nullptr, nullptr};
        }
        ++capture;
      }
    }
  }
  if (!bind_parameters(callee, source, arguments)) {
    return false;
  }
  // In the body alone, and not in the arguments, the names of captured variables mean the captures.
  llvm::SmallVector<std::pair<const ValueDecl*, std::optional<Binding>>> outer;
  for (const auto& [name, binding] : captured) {
    outer.emplace_back(name, scope_.bound_to(name));
    scope_.bind_name(name, binding);
  }
  scope_.inline_value = nullptr;
  lower_in_place(callee, source, self, [] {}, result);
  for (const auto& [name, binding] : outer) {
    scope_.bind_name(name, binding);
  }
  *value = std::exchange(scope_.inline_value, nullptr);
  if (result->kind == Binding::Kind::Object && callee->getReturnType()->isReferenceType()) {
    result->path.type = callee->getReturnType()->getPointeeType();
  }
  return true;
}

Binding Inlining::inline_call(const FunctionDecl* callee, const Expr* source,
                              const Receiver& object, llvm::ArrayRef<const Expr*> arguments) {
  Binding result;
  Value* value = nullptr;
  inline_body(callee, source, object, arguments, &result, &value);
  return result;
}

bool Inlining::writes_a_part(const FunctionDecl* callee, const Effects& found) {
  return !in_library(callee) && replacements_.visible_body(callee) &&
         llvm::any_of(found.writes, [](const Root* root) { return root->has_tangent; });
}

Value* Inlining::call_in_place(const FunctionDecl* body, const Expr* source, const Receiver& object,
                               llvm::ArrayRef<const Expr*> arguments,
                               std::optional<Path>* reference) {
  const QualType result = body->getReturnType();
  Binding made;
  Value* value = nullptr;
  const bool done = inline_body(body, source, object, arguments, &made, &value);
  const bool known = value || result->isVoidType() || made.kind != Binding::Kind::None;
  if (!done || !known) {
    return rejections_.unsupported(source, Diagnostic::UnsupportedReturnedReference,
                                   {body->getNameAsString()});
  }
  if (value || !made.path.root) {
    return value;
  }
  *reference = made.path;
  return nullptr;
}

}  // namespace ddx::compiler
