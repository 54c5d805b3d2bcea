#include "compiler/lower/builder.h"
#include "compiler/lower/calls/inlining.h"
#include "compiler/lower/calls/replacements.h"
#include "compiler/lower/expressions/initialisers.h"
#include "compiler/lower/expressions/scalarized_objects.h"
#include "compiler/lower/scope.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// True when `statement` assigns to the member `field` of some object, or steps it.
bool moves_member(const Stmt* statement, const FieldDecl* field) {
  if (!statement) {
    return false;
  }
  const auto names = [&](const Expr* expression) {
    const auto* member = dyn_cast<MemberExpr>(expression->IgnoreParens());
    return member && member->getMemberDecl() == field;
  };
  const auto* operation = dyn_cast<BinaryOperator>(statement);
  const auto* unary = dyn_cast<UnaryOperator>(statement);
  const auto* call = dyn_cast<CXXOperatorCallExpr>(statement);
  if ((operation && operation->isAssignmentOp() && names(operation->getLHS())) ||
      (unary && unary->isIncrementDecrementOp() && names(unary->getSubExpr())) ||
      (call &&
       (call->isAssignmentOp() || call->getOperator() == OO_PlusPlus ||
        call->getOperator() == OO_MinusMinus) &&
       names(call->getArg(0)))) {
    return true;
  }
  return llvm::any_of(statement->children(),
                      [&](const Stmt* child) { return moves_member(child, field); });
}

/// True when a member function of its class binds the pointer `field` again.
bool moves_in_class(const FieldDecl* field) {
  return field->getType()->isPointerType() && !field->getType().isConstQualified() &&
         llvm::any_of(cast<CXXRecordDecl>(field->getParent())->methods(),
                      [&](const CXXMethodDecl* method) {
                        return method->hasBody() && moves_member(method->getBody(), field);
                      });
}

}  // namespace

Binding ScalarizedObjects::constructed(const CXXConstructExpr* construction) {
  const CXXConstructorDecl* constructor = construction->getConstructor();
  if (!context_.types.is_scalarized(construction->getType())) {
    return {};
  }
  const bool copies = constructor->isCopyOrMoveConstructor() && construction->getNumArgs() == 1;
  if (!copies || constructor->isUserProvided()) {
    return Types::is_closure(construction->getType()) ? Binding{}
                                                      : construct_scalarized(construction);
  }
  const Expr* from = construction->getArg(0);
  Binding source = scalarized(from);
  if (source.kind == Binding::Kind::Object) {
    source = scalarized_at(source.path);
  }
  const bool is_new = isa<LambdaExpr>(from->IgnoreImplicit()) || !from->isGLValue();
  return source.kind == Binding::Kind::Closure && !is_new ? copy_closure(source, "closure")
                                                          : source;
}

/// The object that a constructor makes, whose body is lowered in place.
Binding ScalarizedObjects::construct_scalarized(const CXXConstructExpr* construction) {
  Binding made;
  made.closure = std::make_shared<ScalarizedObject>();
  made.closure->record = construction->getConstructor()->getParent()->getDefinition();
  made.closure->captures.resize(
      context_.types.scalarized_members(context_.ast.getRecordType(made.closure->record)).size());
  if (construct_members(made.closure, construction, made.closure->record->getNameAsString())) {
    made.kind = Binding::Kind::Closure;
  }
  return made;
}

/// Runs a constructor of the object's class or of one of its bases.
bool ScalarizedObjects::construct_members(const std::shared_ptr<ScalarizedObject>& scalarized,
                                          const CXXConstructExpr* construction,
                                          const std::string& name) {
  const CXXConstructorDecl* constructor = construction->getConstructor();
  const CXXRecordDecl* record = constructor->getParent();
  const auto declare_rest = [&] {
    for (const FieldDecl* field : record->fields()) {
      Binding* member = scope_.member_of(*scalarized, field);
      const QualType type = field->getType();
      if (!member || member->kind != Binding::Kind::None || type->isReferenceType() ||
          context_.types.is_scalarized(type) || Types::is_callable(type) ||
          context_.types.iterator(type)) {
        continue;
      }
      Root* root = builder_.new_root(Root::Kind::Local, field->getNameAsString(), type,
                                     construction->getExprLoc());
      builder_.keep(root);
      initialisers_.declare_object(root, nullptr);
      member->kind = Binding::Kind::Object;
      member->path.root = root;
      member->path.type = type;
    }
  };
  if (constructor->isTrivial() && constructor->isDefaultConstructor()) {
    if (!construction->requiresZeroInitialization()) {
      declare_rest();
    }
    return !construction->requiresZeroInitialization() || record->isEmpty();
  }
  const auto* definition =
      cast_or_null<CXXConstructorDecl>(replacements_.visible_body(constructor));
  if (!definition || !inlining_.may_inline(definition)) {
    return false;
  }
  const llvm::SmallVector<const Expr*> arguments(construction->arg_begin(),
                                                 construction->arg_end());
  if (!inlining_.bind_parameters(definition, construction, arguments)) {
    return false;
  }
  bool complete = true;
  InlinedSelf self;
  self.scalarized = scalarized;
  Binding result;
  inlining_.lower_in_place(
      definition, construction, self,
      [&] {
        for (const CXXCtorInitializer* initialiser : definition->inits()) {
          if (const FieldDecl* field = initialiser->getMember()) {
            Binding* member = scope_.member_of(*scalarized, field);
            Binding made = make_member(field->getType(), initialiser->getInit(),
                                       field->getNameAsString(), moves_in_class(field));
            complete = complete && member && made.kind != Binding::Kind::None;
            if (member) {
              *member = std::move(made);
            }
            continue;
          }
          const Expr* init = initialiser->getInit()->IgnoreParens();
          if (const auto* cleanups = dyn_cast<ExprWithCleanups>(init)) {
            init = cleanups->getSubExpr();
          }
          const auto* part = dyn_cast<CXXConstructExpr>(init);
          const auto* list = dyn_cast<InitListExpr>(init);
          const bool trivial = part && part->getConstructor()->isCopyOrMoveConstructor() &&
                               part->getConstructor()->getParent()->isEmpty();
          complete = complete && initialiser->isAnyMemberInitializer() == false &&
                     (trivial || (part && construct_members(scalarized, part, name)) ||
                      (list &&
                       initialise_members(scalarized, Types::record(list->getType()), list, name)));
        }
        declare_rest();
      },
      &result);
  return complete;
}

/// The members of an aggregate, from braces.
bool ScalarizedObjects::initialise_members(const std::shared_ptr<ScalarizedObject>& scalarized,
                                           const CXXRecordDecl* record, const InitListExpr* list,
                                           const std::string& name) {
  if (!list->isSemanticForm() && list->getSemanticForm()) {
    list = list->getSemanticForm();
  }
  unsigned position = 0;
  for (const CXXBaseSpecifier& base : record->bases()) {
    const CXXRecordDecl* part = Types::record(base.getType());
    const Expr* init =
        position < list->getNumInits() ? list->getInit(position)->IgnoreParens() : nullptr;
    ++position;
    const auto* inner = dyn_cast_or_null<InitListExpr>(init);
    const auto* construction = dyn_cast_or_null<CXXConstructExpr>(init);
    if (!(part->isEmpty() || (inner && initialise_members(scalarized, part, inner, name)) ||
          (construction && construct_members(scalarized, construction, name)))) {
      return false;
    }
  }
  const auto outer =
      std::exchange(scope_.self_scalarized, scalarized);  // For default member initialisers.
  const auto outer_self = std::exchange(scope_.self, std::nullopt);
  bool complete = true;
  for (const FieldDecl* field : record->fields()) {
    Binding* member = scope_.member_of(*scalarized, field);
    if (!member || position >= list->getNumInits()) {
      complete = false;
      break;
    }
    const Expr* init = list->getInit(position++);
    if (!isa<CXXDefaultInitExpr>(init)) {
      scope_.self_scalarized = outer;
      scope_.self = outer_self;
    }
    Binding made =
        make_member(field->getType(), init, field->getNameAsString(), moves_in_class(field));
    scope_.self_scalarized = scalarized;
    scope_.self = std::nullopt;
    complete = complete && made.kind != Binding::Kind::None;
    *member = std::move(made);
  }
  scope_.self_scalarized = outer;
  scope_.self = outer_self;
  return complete;
}

bool ScalarizedObjects::assign_scalarized(const Binding& target, const Binding& source,
                                          SourceLocation where) {
  if (target.kind != Binding::Kind::Closure || source.kind != Binding::Kind::Closure ||
      target.closure->record != source.closure->record) {
    return false;
  }
  for (std::size_t i = 0; i < target.closure->captures.size(); ++i) {
    const Binding& to = target.closure->captures[i];
    const Binding& from = source.closure->captures[i];
    if (to.kind == Binding::Kind::Closure) {
      if (!assign_scalarized(to, from, where)) {
        return false;
      }
    } else if (to.kind == Binding::Kind::Object && from.kind == Binding::Kind::Object) {
      builder_.store(to.path, builder_.load(from.path, where), where);
    } else if (to.kind != Binding::Kind::Function || from.kind != Binding::Kind::Function ||
               to.function != from.function) {
      return false;
    }
  }
  return true;
}

}  // namespace ddx::compiler
