#include "compiler/lower/escapes.h"

#include "compiler/support/types.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace ddx::compiler {

using namespace clang;

namespace {

class Finder {
 public:
  void find(const Stmt* body) {
    assigned(body);
    visit(body);
  }
  llvm::DenseSet<const VarDecl*> found;

 private:
  /// The variable that `object` is, or is a member of; elements are places that iterators know.
  static const VarDecl* variable_of(const Expr* object) {
    object = object->IgnoreParenImpCasts();
    while (const auto* member = dyn_cast<MemberExpr>(object)) {
      if (member->isArrow()) {
        return nullptr;
      }
      object = member->getBase()->IgnoreParenImpCasts();
    }
    const auto* reference = dyn_cast<DeclRefExpr>(object);
    const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
    return variable && variable->hasLocalStorage() && !isa<ParmVarDecl>(variable) &&
                   !variable->getType()->isReferenceType()
               ? variable
               : nullptr;
  }

  void add(const Expr* object) {
    if (const VarDecl* variable = variable_of(object)) {
      found.insert(variable);
    }
  }

  /// The objects whose address `pointer` may be.
  void add_addressed(const Expr* pointer) {
    pointer = pointer->IgnoreParenImpCasts();
    if (const auto* operation = dyn_cast<UnaryOperator>(pointer);
        operation && operation->getOpcode() == UO_AddrOf) {
      add(operation->getSubExpr());
    } else if (const auto* conditional = dyn_cast<ConditionalOperator>(pointer)) {
      add_addressed(conditional->getTrueExpr());
      add_addressed(conditional->getFalseExpr());
    } else if (const auto* list = dyn_cast<InitListExpr>(pointer)) {
      for (const Expr* part : list->inits()) {
        add_addressed(part);
      }
    } else if (const auto* elements = dyn_cast<CXXStdInitializerListExpr>(pointer)) {
      add_addressed(elements->getSubExpr());
    } else if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(pointer)) {
      add_addressed(temporary->getSubExpr());
    }
  }

  /// Pointers that do not always point to the same.
  void assigned(const Stmt* statement) {
    if (!statement) {
      return;
    }
    if (const auto* operation = dyn_cast<BinaryOperator>(statement);
        operation && operation->getOpcode() == BO_Assign &&
        operation->getLHS()->getType()->isPointerType()) {
      if (const VarDecl* variable = variable_of(operation->getLHS())) {
        changing_.insert(variable);
      }
    }
    for (const Stmt* child : statement->children()) {
      assigned(child);
    }
  }

  static bool in_library_call(const FunctionDecl* callee) { return callee && in_library(callee); }

  void visit(const Stmt* statement) {
    if (!statement) {
      return;
    }
    if (const auto* operation = dyn_cast<BinaryOperator>(statement);
        operation && operation->getOpcode() == BO_Assign &&
        operation->getLHS()->getType()->isPointerType()) {
      add_addressed(operation->getRHS());
    } else if (const auto* declarations = dyn_cast<DeclStmt>(statement)) {
      for (const Decl* declaration : declarations->decls()) {
        if (const auto* variable = dyn_cast<VarDecl>(declaration);
            variable && variable->getInit()) {
          visit_variable(*variable);
        }
      }
    } else if (const auto* construction = dyn_cast<CXXConstructExpr>(statement);
               construction && construction != declared_ && may_keep(*construction)) {
      for (const Expr* argument : construction->arguments()) {
        if (argument->getType()->isPointerType() || isa<CXXStdInitializerListExpr>(argument)) {
          add_addressed(argument);
        }
      }
    } else if (const auto* list = dyn_cast<InitListExpr>(statement)) {
      add_addressed(list);
    } else if (const auto* call = dyn_cast<CallExpr>(statement);
               call && in_library_call(call->getDirectCallee())) {
      for (const Expr* argument : call->arguments()) {
        add_addressed(argument);
      }
    }
    for (const Stmt* child : statement->children()) {
      visit(child);
    }
  }

  /// True for constructors whose object may hold the pointers that it is given.
  static bool may_keep(const CXXConstructExpr& construction) {
    const CXXConstructorDecl* constructor = construction.getConstructor();
    return in_library(constructor) || has_pointer(constructor->getParent());
  }

  static bool has_pointer(const CXXRecordDecl* record) {
    const auto may_hold = [](QualType type) {
      type = type.getCanonicalType();
      return type->isPointerType() || holds_others(type);
    };
    return !record->hasDefinition() || llvm::any_of(record->fields(), [&](const FieldDecl* field) {
      return may_hold(field->getType());
    }) || llvm::any_of(record->bases(), [&](const CXXBaseSpecifier& base) {
      return may_hold(base.getType());
    });
  }

  /// True for arrays and objects that may hold pointers.
  static bool holds_others(QualType type) {
    while (const auto* array = dyn_cast<ArrayType>(type)) {
      type = array->getElementType().getCanonicalType();
      if (type->isPointerType()) {
        return true;
      }
    }
    const CXXRecordDecl* const held = type->getAsCXXRecordDecl();
    return held && (in_library(held) || has_pointer(held));
  }

  /// True for the object of a variable, when each of its pointers is a member that is known.
  static bool is_taken_apart(const CXXConstructExpr& construction) {
    return llvm::none_of(construction.arguments(),
                         [](const Expr* argument) {
                           return isa<ConditionalOperator>(argument->IgnoreParenImpCasts());
                         }) &&
           llvm::none_of(construction.getConstructor()->getParent()->fields(),
                         [](const FieldDecl* field) {
                           return holds_others(field->getType().getCanonicalType());
                         });
  }

  void visit_variable(const VarDecl& variable) {
    const Expr* initialiser = variable.getInit()->IgnoreParenImpCasts();
    if (const auto* construction = dyn_cast<CXXConstructExpr>(initialiser);
        construction && !in_library(construction->getConstructor()) &&
        is_taken_apart(*construction)) {
      declared_ = construction;
    }
    if (variable.getType()->isReferenceType()) {
      if (const auto* conditional = dyn_cast<ConditionalOperator>(initialiser);
          conditional && conditional->isGLValue()) {
        add(conditional->getTrueExpr());
        add(conditional->getFalseExpr());
      }
    } else if (variable.getType()->isPointerType() &&
               (changing_.contains(&variable) || isa<ConditionalOperator>(initialiser))) {
      add_addressed(initialiser);
    }
  }

  llvm::DenseSet<const VarDecl*> changing_;
  const Expr* declared_ = nullptr;
};

}  // namespace

llvm::DenseSet<const VarDecl*> escaping_variables(const Stmt* body) {
  Finder finder;
  finder.find(body);
  return std::move(finder.found);
}

}  // namespace ddx::compiler
