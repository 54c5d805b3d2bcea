/// What copying and moving an object does to memory that it leads to.

#include "compiler/support/copies.h"

#include "compiler/support/template_types.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

#include <set>

namespace ddx::compiler {

using clang::CXXConstructorDecl;
using clang::CXXMethodDecl;
using clang::CXXRecordDecl;
using clang::Expr;
using clang::FieldDecl;
using clang::FunctionDecl;
using clang::QualType;
using clang::Stmt;

namespace {

/// The definition of a function, or that of the template that it is made from, or null.
const FunctionDecl* written_body(const FunctionDecl* function) {
  const FunctionDecl* definition = nullptr;
  if (function->hasBody(definition)) {
    return definition;
  }
  const FunctionDecl* pattern = function->getTemplateInstantiationPattern();
  return pattern && pattern->hasBody(definition) ? definition : nullptr;
}

/// Functions of the library that pass dynamic pointers.
bool hands_over(llvm::StringRef name) {
  return name == "move" || name == "forward" || name == "swap" || name == "exchange" ||
         name == "get" || name == "release" || name == "reset" || name == "as_const" ||
         name == "addressof";
}

}  // namespace

/// True where `function` makes nothing in memory and changes no number.
bool Copies::only_moves(const FunctionDecl* function, std::set<const FunctionDecl*>& met) {
  const FunctionDecl* const body = written_body(function);
  if (!body) {
    return false;
  }
  if (!met.insert(body).second) {
    return true;
  }
  if (const auto* constructor = llvm::dyn_cast<CXXConstructorDecl>(body)) {
    for (const clang::CXXCtorInitializer* part : constructor->inits()) {
      const FieldDecl* const field = part->getAnyMember();
      if ((field && Types::is_real(field->getType())) || !only_moves(part->getInit(), met)) {
        return false;
      }
    }
  }
  return only_moves(body->getBody(), met);
}

bool Copies::only_moves(const Stmt* statement, std::set<const FunctionDecl*>& met) {
  if (!statement) {
    return true;
  }
  if (llvm::isa<clang::CXXNewExpr, clang::LambdaExpr>(statement)) {
    return false;
  }
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(statement);
      operation && operation->isAssignmentOp()) {
    const QualType type = operation->getLHS()->getType();
    if (type->isRealFloatingType() || type->isDependentType()) {
      return false;
    }
  }
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(statement)) {
    const CXXConstructorDecl* const constructor = made->getConstructor();
    const bool quiet =
        constructor->isCopyOrMoveConstructor()
            ? !copying_works(constructor)
            : (in_library(constructor) ? made->getNumArgs() == 0
                                       : constructor->isTrivial() || only_moves(constructor, met));
    if (!quiet) {
      return false;
    }
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(statement)) {
    const FunctionDecl* const callee = call->getDirectCallee();
    if (const auto* name = llvm::dyn_cast<clang::UnresolvedLookupExpr>(call->getCallee());
        name && name->getName().isIdentifier()) {
      if (!hands_over(name->getName().getAsIdentifierInfo()->getName())) {
        return false;
      }
    } else if (!callee) {
      return false;
    } else if (in_library(callee)) {
      const auto* method = llvm::dyn_cast<CXXMethodDecl>(callee);
      const bool named = callee->getIdentifier() && hands_over(callee->getName());
      const bool assigns = method && method->getOverloadedOperator() == clang::OO_Equal &&
                           types_.is_dynamic_pointer(context_.getRecordType(method->getParent()));
      if (!named && !assigns && !(method && method->isConst())) {
        return false;
      }
      for (const Expr* argument : call->arguments()) {
        const QualType type = argument->getType();
        if (type->isRealFloatingType() ||
            (callee->getIdentifier() && named && !assigns && callee->getName() != "get" &&
             move_works(type) && callee->getName() != "move" && callee->getName() != "forward")) {
          return false;
        }
      }
    } else if (!only_moves(callee, met)) {
      return false;
    }
  }
  return llvm::all_of(statement->children(),
                      [&](const Stmt* child) { return only_moves(child, met); });
}

/// Whether the copy or move constructor `constructor` does more than copy dynamic pointers.
bool Copies::copying_works(const CXXConstructorDecl* constructor) {
  const CXXRecordDecl* const record = constructor->getParent();
  const bool moves = constructor->isMoveConstructor();
  if (in_library(record)) {
    const QualType type = context_.getRecordType(record);
    return moves ? move_works(type) : copy_works(type);
  }
  if (!constructor->isUserProvided()) {
    return parts_work(record, moves);
  }
  std::set<const FunctionDecl*> met;
  return !only_moves(constructor, met);
}

/// Whether to copy or to move the bases and members of an object does more than copy dynamic
/// pointers.
bool Copies::parts_work(const CXXRecordDecl* record, bool moves) {
  const auto works = [&](QualType type) { return moves ? move_works(type) : copy_works(type); };
  return llvm::any_of(record->fields(),
                      [&](const FieldDecl* field) { return works(field->getType()); }) ||
         llvm::any_of(record->bases(),
                      [&](const clang::CXXBaseSpecifier& base) { return works(base.getType()); });
}

bool Copies::copy_works(QualType type) {
  return works(type, false);
}

bool Copies::move_works(QualType type) {
  return works(type, true);
}

/// What copying (or moving) an object of `type`, by construction or assignment, may come to.
bool Copies::works(QualType type, bool moves) {
  if (type->isReferenceType() || type->isPointerType() || type->isScalarType()) {
    return false;
  }
  type = type.getCanonicalType().getUnqualifiedType();
  if (const auto* array = type->getAsArrayTypeUnsafe()) {
    return works(array->getElementType(), moves);
  }
  const CXXRecordDecl* const found = Types::record(type);
  if (!found || found->isEmpty() || types_.is_dynamic_pointer(type) ||
      Types::is_dynamic_function(type) || !types_.holds_dynamic_pointer(type)) {
    return false;
  }
  auto& known = moves ? move_works_ : copy_works_;
  const auto [place, is_new] = known.try_emplace(type.getTypePtr(), false);
  if (!is_new) {
    return place->second;  // False for a class that is being looked at.
  }
  bool result = false;
  if (in_library(found)) {
    const llvm::StringRef name = found->getIdentifier() ? found->getName() : llvm::StringRef();
    const bool by_value = name == "array" || name == "pair" || name == "tuple" ||
                          name == "optional" || name == "variant" || name.starts_with("_Tuple");
    result = (by_value || !moves) && llvm::any_of(template_types(found), [&](QualType argument) {
               return works(argument, moves);
             });
  } else {
    const CXXConstructorDecl* copies = nullptr;
    const CXXConstructorDecl* moving = nullptr;
    for (const CXXConstructorDecl* constructor : found->ctors()) {
      copies = constructor->isCopyConstructor() ? constructor : copies;
      moving = constructor->isMoveConstructor() ? constructor : moving;
    }
    const bool has_move = moving != nullptr || found->needsImplicitMoveConstructor();
    const CXXConstructorDecl* const used = moves && has_move ? moving : copies;
    result = used && !used->isDeleted() && used->isUserProvided() ? copying_works(used)
                                                                  : parts_work(found, moves);
    const bool has_move_assignment = llvm::any_of(
        found->methods(),
        [](const CXXMethodDecl* method) { return method->isMoveAssignmentOperator(); });
    for (const CXXMethodDecl* method : found->methods()) {
      const bool assigns = moves && has_move_assignment ? method->isMoveAssignmentOperator()
                                                        : method->isCopyAssignmentOperator();
      std::set<const FunctionDecl*> met;
      result = result || (assigns && method->isUserProvided() && !only_moves(method, met));
    }
  }
  return known[type.getTypePtr()] = result;
}

}  // namespace ddx::compiler
