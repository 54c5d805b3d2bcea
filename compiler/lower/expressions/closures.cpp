/// Lambdas, known by what they capture.

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/inlining.h"
#include "compiler/lower/calls/replacements.h"
#include "compiler/lower/expressions/initialisers.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/expressions/scalarized_objects.h"
#include "compiler/lower/expressions/synthesised_code.h"
#include "compiler/lower/library/iterators.h"
#include "compiler/lower/library/views.h"
#include "compiler/lower/path_steps.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/types.h"
#include "compiler/support/whole_types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

Binding closure_of(std::shared_ptr<ScalarizedObject> object) {
  Binding bound;
  bound.kind = Binding::Kind::Closure;
  bound.closure = std::move(object);
  return bound;
}

}  // namespace

Binding ScalarizedObjects::make_closure(const LambdaExpr* lambda, const std::string& name) {
  // The length of an array of variable length is captured, too.
  if (llvm::any_of(lambda->captures(), std::mem_fn(&LambdaCapture::capturesVLAType))) {
    rejections_.unsupported(lambda, Diagnostic::UnsupportedCapture);
    return {};
  }
  auto scalarized = std::make_shared<ScalarizedObject>();
  scalarized->record = lambda->getLambdaClass();
  auto initialiser = lambda->capture_init_begin();
  for (const LambdaCapture& capture : lambda->captures()) {
    const Expr* init = *initialiser++;
    Binding bound;
    if (capture.capturesThis()) {
      if (scope_.self_scalarized) {
        bound = closure_of(scope_.self_scalarized);
        if (capture.getCaptureKind() != LCK_This) {
          bound = copy_closure(bound, name + "_this");
        }
      } else if (scope_.self && capture.getCaptureKind() == LCK_This) {
        bound = object_at(*scope_.self);
      } else if (scope_.self) {
        bound.kind = Binding::Kind::Object;
        bound.path.type = scope_.self->type.getUnqualifiedType();
        bound.path.root = builder_.new_root(Root::Kind::Local, name + "_this", bound.path.type,
                                            capture.getLocation());
        builder_.keep(bound.path.root);
        Value* copy = builder_.load(*scope_.self, capture.getLocation());
        ir::Statement* declaration =
            builder_.add(ir::Statement::Kind::Declare, capture.getLocation());
        declaration->root = bound.path.root;
        declaration->value = copy;
      } else {
        rejections_.unsupported(lambda, Diagnostic::UnsupportedThisCopy);
      }
      scalarized->captures.push_back(bound);
      continue;
    }
    const ValueDecl* captured = capture.getCapturedVar();
    const auto* variable = dyn_cast<VarDecl>(captured);  // Or a structured binding.
    const QualType type = captured->getType().getNonReferenceType();
    const auto known = variable ? scope_.bindings.find(variable) : scope_.bindings.end();
    const bool by_reference = capture.getCaptureKind() == LCK_ByRef;
    if (context_.types.is_scalarized(type)) {
      bound = this->scalarized(init);
      if (bound.kind == Binding::Kind::Object && !by_reference) {
        bound = scalarized_at(bound.path);
      }
      if (!by_reference && bound.kind == Binding::Kind::Closure) {
        bound = copy_closure(bound, name + "_" + captured->getNameAsString());
      }
    } else if (known != scope_.bindings.end() && !variable->isInitCapture() &&
               (known->second.stands_for_callable() || known->second.kind == Binding::Kind::View ||
                known->second.kind == Binding::Kind::Pointer)) {
      bound = by_reference
                  ? known->second
                  : iterators_.copy_iterator(known->second, type, variable->getNameAsString(),
                                             capture.getLocation());
    } else if (by_reference) {
      if (const auto path = places_.lvalue(init)) {
        bound = object_at(*path);
      }
    } else if (context_.types.viewed(type)) {
      bound = views_.view(init).value_or(Binding{});
    } else if (variable && (type->isPointerType() || iterators_.is_iterator(type))) {
      bound = iterators_.bind_iterator(variable, init, capture.getLocation()).value_or(Binding{});
    } else {
      Root* root = builder_.new_root(Root::Kind::Local, name + "_" + captured->getNameAsString(),
                                     type, capture.getLocation());
      builder_.keep(root);
      initialisers_.declare_object(root, init);
      bound.kind = Binding::Kind::Object;
      bound.path.root = root;
      bound.path.type = type;
    }
    if (bound.kind == Binding::Kind::None) {
      rejections_.unsupported(init, Diagnostic::UnsupportedCapture);
    }
    scalarized->captures.push_back(bound);
  }
  return closure_of(scalarized);
}

Binding ScalarizedObjects::copy_closure(const Binding& from, const std::string& name) {
  if (from.closure->owns_referents) {
    return copy_referents(from);
  }
  auto scalarized = std::make_shared<ScalarizedObject>();
  scalarized->record = from.closure->record;
  const auto members =
      context_.types.scalarized_members(context_.ast.getRecordType(scalarized->record));
  auto field_at = members.begin();
  for (const Binding& capture : from.closure->captures) {
    const FieldDecl* const field = *field_at++;
    Binding copy = capture;
    if (capture.kind == Binding::Kind::Closure && !field->getType()->isReferenceType()) {
      copy = copy_closure(capture, name);
    } else if (capture.kind == Binding::Kind::Pointer) {
      copy = iterators_.copy_iterator(capture, field->getType(), field->getNameAsString(),
                                      capture.path.root->where);
    } else if (capture.kind == Binding::Kind::Object && !field->getType()->isReferenceType() &&
               !field->getType()->isPointerType()) {
      Root* root = builder_.new_root(Root::Kind::Local, name + "_" + capture.path.root->name,
                                     field->getType(), capture.path.root->where);
      builder_.keep(root);
      ir::Statement* declaration = builder_.make(ir::Statement::Kind::Declare, root->where);
      declaration->value = builder_.load(capture.path, root->where);
      declaration->root = root;
      builder_.append(declaration);
      copy.path = {};
      copy.path.root = root;
      copy.path.type = field->getType();
    }
    scalarized->captures.push_back(copy);
  }
  Binding result;
  result.kind = Binding::Kind::Closure;
  result.closure = scalarized;
  return result;
}

Binding ScalarizedObjects::copy_referents(Binding of) {
  if (of.kind == Binding::Kind::Closure) {
    of.closure = std::make_shared<ScalarizedObject>(*of.closure);
    of.closure->owns_referents = true;
    for (Binding& capture : of.closure->captures) {
      capture = copy_referents(std::move(capture));
    }
  } else if (of.kind == Binding::Kind::Object || of.kind == Binding::Kind::Functor) {
    const SourceLocation where = of.path.root->where;
    const QualType type = of.path.type.getNonReferenceType().getUnqualifiedType();
    if (!is_copyable(type)) {
      return {};
    }
    llvm::StringRef name = of.path.root->name;
    name.consume_front("captured_");
    Root* root = builder_.new_root(Root::Kind::Local, "captured_" + name.str(), type, where);
    builder_.keep(root);
    Value* value = builder_.load(of.path, where);
    ir::Statement* declaration = builder_.add(ir::Statement::Kind::Declare, where);
    declaration->value = value;
    declaration->root = root;
    of.path = {};
    of.path.root = root;
    of.path.type = type;
    of.alias = nullptr;
  }
  return of;
}

/// What a function returns whose body is lowered in place.
Binding ScalarizedObjects::returned(const CallExpr* call) {
  const FunctionDecl* callee = call->getDirectCallee();
  if (callee && in_library(callee) && callee->getIdentifier() &&
      (callee->getName() == "move" || callee->getName() == "forward") && call->getNumArgs() == 1) {
    return closure(call->getArg(0));
  }
  llvm::SmallVector<const Expr*> arguments(call->arg_begin(), call->arg_end());
  if (const FunctionDecl* form = callee ? replacements_.closure_form(callee) : nullptr) {
    Binding made = inlining_.inline_call(form, call, {}, arguments);
    if (made.kind == Binding::Kind::Closure) {  // Its members are those of ValueWithPullback.
      made.closure->record = Types::record(call->getType());
      made.closure->captures.back() = copy_referents(made.closure->captures.back());
    }
    return made;
  }
  const FunctionDecl* body = callee ? replacements_.visible_body(callee) : nullptr;
  if (body && !in_library(callee)) {
    const Expr* object = nullptr;
    if (const auto* member = dyn_cast<CXXMemberCallExpr>(call)) {
      object = member->getImplicitObjectArgument();
    } else if (const auto* method = dyn_cast<CXXMethodDecl>(callee);
               method && method->isInstance() && !arguments.empty()) {
      object = arguments.front();
      arguments.erase(arguments.begin());
    }
    return inlining_.inline_call(body, call, object, arguments);
  }
  return {};
}

Binding ScalarizedObjects::closure(const Expr* expression) {
  expression = expression->IgnoreParens();
  if (const auto known = scope_.known_scalarized(expression)) {
    return closure_of(known);
  }
  if (const auto* lambda = dyn_cast<LambdaExpr>(expression)) {
    return make_closure(lambda, builder_.unique("closure"));
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(expression)) {
    const auto found = scope_.bound_to(reference->getDecl());
    return found && found->kind == Binding::Kind::Closure ? *found : Binding{};
  }
  if (const auto capture = synthesised_code_.capture_of(expression)) {
    return *capture;
  }
  if (const auto* cast = dyn_cast<CastExpr>(expression)) {
    return converted(closure(cast->getSubExpr()), *cast);
  }
  if (const auto* with_default = dyn_cast<CXXDefaultArgExpr>(expression)) {
    return closure(with_default->getExpr());
  }
  if (const auto* list = dyn_cast<InitListExpr>(expression)) {
    return scalarized_of_list(list);
  }
  if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(expression)) {
    return closure(temporary->getSubExpr());
  }
  if (const auto* bound = dyn_cast<CXXBindTemporaryExpr>(expression)) {
    return closure(bound->getSubExpr());
  }
  if (const auto* cleanups = dyn_cast<ExprWithCleanups>(expression)) {
    return closure(cleanups->getSubExpr());
  }
  if (const CXXRecordDecl* record = Types::record(expression->getType());
      record && record->isLambda() && record->captures().empty() &&
      (isa<InitListExpr>(expression) ||
       (isa<CXXConstructExpr>(expression) &&
        cast<CXXConstructExpr>(expression)->getNumArgs() == 0))) {  // `Lambda{}`
    Binding made;
    made.kind = Binding::Kind::Closure;
    made.closure = std::make_shared<ScalarizedObject>();
    made.closure->record = record;
    return made;
  }
  if (const auto* construction = dyn_cast<CXXConstructExpr>(expression)) {
    return constructed(construction);
  }
  if (const auto* call = dyn_cast<CallExpr>(expression)) {
    return returned(call);
  }
  return {};
}

}  // namespace ddx::compiler
