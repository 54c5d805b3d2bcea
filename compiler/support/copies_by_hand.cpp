/// Which classes have copies that are not those of their members.

#include "compiler/support/copies.h"
#include "compiler/support/template_types.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

namespace ddx::compiler {

using namespace clang;

namespace {

using Met = std::set<const FunctionDecl*>;

/// True where running `statement`, or what it calls, computes with real numbers.
bool computes(const Stmt* statement, Met& met);

bool computes(const FunctionDecl* function, Met& met) {
  const FunctionDecl* body = nullptr;
  if (in_library(function) || !function->hasBody(body) || !met.insert(body).second) {
    return false;
  }
  const auto* constructor = dyn_cast<CXXConstructorDecl>(body);
  return (constructor && llvm::any_of(constructor->inits(),
                                      [&](const CXXCtorInitializer* part) {
                                        return computes(part->getInit(), met);
                                      })) ||
         computes(body->getBody(), met);
}

bool computes(const Stmt* statement, Met& met) {
  if (!statement) {
    return false;
  }
  const auto* expression = dyn_cast<Expr>(statement);
  const bool real = expression && Types::is_real(expression->getType());
  const auto* operation = dyn_cast<BinaryOperator>(statement);
  const auto* unary = dyn_cast<UnaryOperator>(statement);
  if (real &&
      ((operation && operation->getOpcode() != BO_Assign && operation->getOpcode() != BO_Comma) ||
       (unary && unary->isArithmeticOp()) || (unary && unary->isIncrementDecrementOp()))) {
    return true;
  }
  if (const auto* call = dyn_cast<CallExpr>(statement);
      call && call->getDirectCallee() && computes(call->getDirectCallee(), met)) {
    return true;
  }
  if (const auto* made = dyn_cast<CXXConstructExpr>(statement);
      made && computes(made->getConstructor(), met)) {
    return true;
  }
  return llvm::any_of(statement->children(),
                      [&](const Stmt* child) { return computes(child, met); });
}

/// The member that `expression` names, of whatever object; null for others.
const FieldDecl* member_named(const Expr* expression) {
  expression = expression->IgnoreParenImpCasts();
  if (const auto* made = dyn_cast<CXXConstructExpr>(expression);
      made && made->getConstructor()->isCopyOrMoveConstructor()) {
    return member_named(made->getArg(0));
  }
  if (const auto* call = dyn_cast<CallExpr>(expression); call && call->getNumArgs() == 1 &&
                                                         call->getDirectCallee() &&
                                                         in_library(call->getDirectCallee())) {
    return member_named(call->getArg(0));  // std::move
  }
  if (const auto* call = dyn_cast<CXXMemberCallExpr>(expression)) {
    const FunctionDecl* body = nullptr;  // One that returns a member, and nothing else.
    const auto* whole = call->getDirectCallee() && call->getDirectCallee()->hasBody(body)
                            ? dyn_cast<CompoundStmt>(body->getBody())
                            : nullptr;
    const auto* result =
        whole && whole->size() == 1 ? dyn_cast<ReturnStmt>(whole->body_front()) : nullptr;
    return result && result->getRetValue() ? member_named(result->getRetValue()) : nullptr;
  }
  const auto* member = dyn_cast<MemberExpr>(expression);
  return member ? dyn_cast<FieldDecl>(member->getMemberDecl()) : nullptr;
}

/// True where a member gets a number that is not the one of the object that is copied.
bool gets_another(const FieldDecl* to, const Expr* number) {
  const FieldDecl* const from = member_named(number);
  return Types::is_real(to->getType()) &&
         (from ? from != to : isa<FloatingLiteral, IntegerLiteral>(number->IgnoreParenImpCasts()));
}

/// What a copy that is nothing but assignments of members does to each of them.
struct Copied {
  std::set<const FieldDecl*> set;  ///< The members that get something.
  bool gets_others = false;        ///< Some member gets another number.
  bool simple = true;              ///< There is nothing else in it.
};

void look_at(const Stmt* statement, Copied& found) {
  if (!statement || isa<ReturnStmt, NullStmt>(statement)) {
    return;
  }
  if (isa<CompoundStmt, ExprWithCleanups>(statement)) {
    for (const Stmt* child : statement->children()) {
      look_at(child, found);
    }
    return;
  }
  if (const auto* choice = dyn_cast<IfStmt>(statement); choice && !choice->getElse()) {
    return look_at(choice->getThen(), found);  // this != &other
  }
  const Expr* left = nullptr;
  const Expr* right = nullptr;
  if (const auto* operation = dyn_cast<BinaryOperator>(statement);
      operation && operation->getOpcode() == BO_Assign) {
    left = operation->getLHS();
    right = operation->getRHS();
  } else if (const auto* call = dyn_cast<CXXOperatorCallExpr>(statement);
             call && call->getOperator() == OO_Equal) {
    left = call->getArg(0);
    right = call->getArg(1);
  }
  const FieldDecl* const to = left ? member_named(left) : nullptr;
  if (!to) {
    found.simple = false;
    return;
  }
  found.gets_others = found.gets_others || gets_another(to, right);
  found.set.insert(to);
}

}  // namespace

/// True where a copy or move written for the class gives members other numbers than the object has
/// that it copies, as far as that shows: it computes, leaves a member as it is, or takes another.
bool Copies::is_by_hand(const CXXMethodDecl* copies) {
  const FunctionDecl* body = nullptr;
  if (!copies->isUserProvided() || !copies->hasBody(body)) {
    return false;
  }
  Met met;
  if (computes(body, met)) {
    return true;
  }
  Copied found;
  if (const auto* constructor = dyn_cast<CXXConstructorDecl>(body)) {
    for (const CXXCtorInitializer* part : constructor->inits()) {
      const FieldDecl* const to = part->getAnyMember();
      if (!to || !part->isWritten()) {
        continue;
      }
      found.gets_others = found.gets_others || gets_another(to, part->getInit());
      found.set.insert(to);
    }
  }
  look_at(body->getBody(), found);
  return found.gets_others ||
         (found.simple && llvm::any_of(copies->getParent()->fields(), [&](const FieldDecl* field) {
            return types_.may_hold_real(field->getType()) && !found.set.contains(field);
          }));
}

bool Copies::copies_by_hand(QualType type) {
  if (type->isReferenceType() || type->isPointerType() || type->isScalarType()) {
    return false;
  }
  type = type.getCanonicalType().getUnqualifiedType();
  if (const auto* array = type->getAsArrayTypeUnsafe()) {
    return copies_by_hand(array->getElementType());
  }
  const CXXRecordDecl* const found = Types::record(type);
  if (!found || !found->hasDefinition() || found->isLambda() || types_.is_dynamic_pointer(type) ||
      Types::is_dynamic_function(type) || !types_.may_hold_real(type)) {
    return false;
  }
  const auto [place, is_new] = copies_by_hand_.try_emplace(type.getTypePtr(), false);
  if (!is_new) {
    return place->second;  // False for a class that is being looked at.
  }
  bool result = false;
  if (in_library(found)) {
    result = llvm::any_of(template_types(found),
                          [&](QualType argument) { return copies_by_hand(argument); });
  } else {
    result =
        llvm::any_of(found->methods(),
                     [&](const CXXMethodDecl* method) {
                       const auto* constructor = dyn_cast<CXXConstructorDecl>(method);
                       const bool copies = constructor ? constructor->isCopyOrMoveConstructor()
                                                       : method->isCopyAssignmentOperator() ||
                                                             method->isMoveAssignmentOperator();
                       return copies && is_by_hand(method);
                     }) ||
        llvm::any_of(found->fields(),
                     [&](const FieldDecl* field) { return copies_by_hand(field->getType()); }) ||
        llvm::any_of(found->bases(),
                     [&](const CXXBaseSpecifier& base) { return copies_by_hand(base.getType()); });
  }
  return copies_by_hand_[type.getTypePtr()] = result;
}

}  // namespace ddx::compiler
