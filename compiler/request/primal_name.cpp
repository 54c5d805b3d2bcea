#include "compiler/request/primal_name.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/NestedNameSpecifier.h"
#include "llvm/ADT/STLExtras.h"

namespace ddx::compiler {
namespace {

void add(PrimalName& name, clang::NamedDecl* declaration) {
  declaration = declaration->getUnderlyingDecl();
  if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
    name.functions.push_back(function->getCanonicalDecl());
  } else if (auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration)) {
    name.templates.push_back(pattern->getCanonicalDecl());
  }
}

/// The template C of a qualifier `C<T>::`, or null.
const clang::ClassTemplateDecl* class_template(const clang::NestedNameSpecifier* qualifier) {
  const clang::Type* type = qualifier == nullptr ? nullptr : qualifier->getAsType();
  if (type == nullptr) {
    return nullptr;
  }
  if (const auto* specialization = type->getAs<clang::TemplateSpecializationType>()) {
    return llvm::dyn_cast_or_null<clang::ClassTemplateDecl>(
        specialization->getTemplateName().getAsTemplateDecl());
  }
  return nullptr;
}

}  // namespace

bool PrimalName::covers(const clang::FunctionDecl& primal) const {
  const auto among = [this](const clang::FunctionDecl* function) {
    return function != nullptr && llvm::is_contained(functions, function->getCanonicalDecl());
  };
  const auto template_among = [this](const clang::FunctionTemplateDecl* pattern) {
    return pattern != nullptr && llvm::is_contained(templates, pattern->getCanonicalDecl());
  };
  const clang::FunctionTemplateDecl* made_from = primal.getPrimaryTemplate();
  if (among(&primal) || among(primal.getInstantiatedFromMemberFunction()) ||
      template_among(made_from)) {
    return true;
  }
  return made_from != nullptr && template_among(made_from->getInstantiatedFromMemberTemplate());
}

PrimalName primal_name(const clang::Expr& argument) {
  PrimalName name;
  const clang::Expr* named = argument.IgnoreParenImpCasts();
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(named)) {
    named = address->getSubExpr()->IgnoreParenImpCasts();
  }
  if (const auto* one = llvm::dyn_cast<clang::DeclRefExpr>(named)) {
    name.text = one->getNameInfo().getAsString();
    add(name, const_cast<clang::ValueDecl*>(one->getDecl()));
  } else if (const auto* set = llvm::dyn_cast<clang::OverloadExpr>(named)) {
    name.text = set->getName().getAsString();
    llvm::for_each(set->decls(), [&](clang::NamedDecl* declaration) { add(name, declaration); });
    name.has_explicit_arguments = set->hasExplicitTemplateArgs();
    set->copyTemplateArgumentsInto(name.explicit_arguments);
  } else if (const auto* dependent = llvm::dyn_cast<clang::DependentScopeDeclRefExpr>(named)) {
    name.text = dependent->getDeclName().getAsString();
    name.dependent_class = class_template(dependent->getQualifier());
    if (name.dependent_class != nullptr) {
      for (clang::NamedDecl* member :
           name.dependent_class->getTemplatedDecl()->lookup(dependent->getDeclName())) {
        add(name, member);
      }
    }
  }
  return name;
}

}  // namespace ddx::compiler
