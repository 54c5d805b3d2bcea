/// Lambdas, known by what they capture.

#include "compiler/lower/lowering.h"

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

Binding Lowering::make_closure(const LambdaExpr* lambda, const std::string& name) {
  // The length of an array of variable length is captured, too.
  if (llvm::any_of(lambda->captures(), std::mem_fn(&LambdaCapture::capturesVLAType))) {
    unsupported(lambda, Diagnostic::UnsupportedCapture);
    return {};
  }
  auto scalarized = std::make_shared<ScalarizedObject>();
  scalarized->record = lambda->getLambdaClass();
  auto initialiser = lambda->capture_init_begin();
  for (const LambdaCapture& capture : lambda->captures()) {
    const Expr* init = *initialiser++;
    Binding bound;
    if (capture.capturesThis()) {
      if (self_scalarized_) {
        bound = closure_of(self_scalarized_);
        if (capture.getCaptureKind() != LCK_This) {
          bound = copy_closure(bound, name + "_this");
        }
      } else if (self_ && capture.getCaptureKind() == LCK_This) {
        bound = object_at(*self_);
      } else if (self_) {
        bound.kind = Binding::Kind::Object;
        bound.path.type = self_->type.getUnqualifiedType();
        bound.path.root =
            new_root(Root::Kind::Local, name + "_this", bound.path.type, capture.getLocation());
        block_->roots.push_back(bound.path.root);
        Value* copy = load(*self_, capture.getLocation());
        ir::Statement* declaration = add(ir::Statement::Kind::Declare, capture.getLocation());
        declaration->root = bound.path.root;
        declaration->value = copy;
      } else {
        unsupported(lambda, Diagnostic::UnsupportedThisCopy);
      }
      scalarized->captures.push_back(bound);
      continue;
    }
    const ValueDecl* captured = capture.getCapturedVar();
    const auto* variable = dyn_cast<VarDecl>(captured);  // Or a structured binding.
    const QualType type = captured->getType().getNonReferenceType();
    const auto known = variable ? bindings_.find(variable) : bindings_.end();
    const bool by_reference = capture.getCaptureKind() == LCK_ByRef;
    if (is_scalarized(type)) {
      bound = this->scalarized(init);
      if (bound.kind == Binding::Kind::Object && !by_reference) {
        bound = scalarized_at(bound.path);
      }
      if (!by_reference && bound.kind == Binding::Kind::Closure) {
        bound = copy_closure(bound, name + "_" + captured->getNameAsString());
      }
    } else if (known != bindings_.end() && !variable->isInitCapture() &&
               (known->second.stands_for_callable() || known->second.kind == Binding::Kind::View ||
                known->second.kind == Binding::Kind::Pointer)) {
      bound = by_reference ? known->second
                           : copy_iterator(known->second, type, variable->getNameAsString(),
                                           capture.getLocation());
    } else if (by_reference) {
      if (const auto path = lvalue(init)) {
        bound = object_at(*path);
      }
    } else if (context_.types.viewed(type)) {
      bound = view(init).value_or(Binding{});
    } else if (variable && (type->isPointerType() || is_iterator(type))) {
      bound = bind_iterator(variable, init, capture.getLocation()).value_or(Binding{});
    } else {
      Root* root = new_root(Root::Kind::Local, name + "_" + captured->getNameAsString(), type,
                            capture.getLocation());
      block_->roots.push_back(root);
      declare_object(root, init);
      bound.kind = Binding::Kind::Object;
      bound.path.root = root;
      bound.path.type = type;
    }
    if (bound.kind == Binding::Kind::None) {
      unsupported(init, Diagnostic::UnsupportedCapture);
    }
    scalarized->captures.push_back(bound);
  }
  return closure_of(scalarized);
}

Binding Lowering::copy_closure(const Binding& from, const std::string& name) {
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
      copy = copy_iterator(capture, field->getType(), field->getNameAsString(),
                           capture.path.root->where);
    } else if (capture.kind == Binding::Kind::Object && !field->getType()->isReferenceType() &&
               !field->getType()->isPointerType()) {
      Root* root = new_root(Root::Kind::Local, name + "_" + capture.path.root->name,
                            field->getType(), capture.path.root->where);
      block_->roots.push_back(root);
      ir::Statement* declaration = make(ir::Statement::Kind::Declare, root->where);
      declaration->value = load(capture.path, root->where);
      declaration->root = root;
      declaration->block = block_;
      declaration->level = block_->level;
      block_->statements.push_back(declaration);
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

Binding Lowering::closure(const Expr* expression) {
  expression = expression->IgnoreParens();
  if (const auto known = known_scalarized(expression)) {
    return closure_of(known);
  }
  if (const auto* lambda = dyn_cast<LambdaExpr>(expression)) {
    return make_closure(lambda, unique("closure"));
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(expression)) {
    if (const auto* variable = dyn_cast<VarDecl>(reference->getDecl())) {
      const auto found = bindings_.find(variable);
      if (found != bindings_.end() && found->second.kind == Binding::Kind::Closure) {
        return found->second;
      }
    }
    return {};
  }
  if (const auto capture = capture_of(expression)) {
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
  if (const auto* call_expression = dyn_cast<CallExpr>(expression)) {
    const FunctionDecl* callee = call_expression->getDirectCallee();
    if (callee && in_library(callee) && callee->getIdentifier() &&
        (callee->getName() == "move" || callee->getName() == "forward") &&
        call_expression->getNumArgs() == 1) {
      return closure(call_expression->getArg(0));
    }
    const FunctionDecl* body = callee ? visible_body(callee) : nullptr;
    if (body && !in_library(callee)) {
      llvm::SmallVector<const Expr*> arguments(call_expression->arg_begin(),
                                               call_expression->arg_end());
      const Expr* object = nullptr;
      if (const auto* member = dyn_cast<CXXMemberCallExpr>(call_expression)) {
        object = member->getImplicitObjectArgument();
      } else if (const auto* method = dyn_cast<CXXMethodDecl>(callee);
                 method && method->isInstance() && !arguments.empty()) {
        object = arguments.front();
        arguments.erase(arguments.begin());
      }
      return inline_call(body, call_expression, object, arguments);
    }
  }
  return {};
}

}  // namespace ddx::compiler
