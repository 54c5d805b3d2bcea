#include "compiler/support/function_names.h"

#include "compiler/support/types.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

namespace ddx::compiler {

bool is_named(const clang::FunctionDecl* function, llvm::ArrayRef<llvm::StringRef> names) {
  return function && function->getIdentifier() && llvm::is_contained(names, function->getName());
}

bool is_std(const clang::FunctionDecl* function, llvm::ArrayRef<llvm::StringRef> names) {
  return in_library(function) && is_named(function, names);
}

bool is_compiled_call(const clang::FunctionDecl* function) {
  return is_named(function, {"run_compiled"}) &&
         function->getQualifiedNameAsString() == "ddx::detail::run_compiled";
}

bool is_synthesised(const clang::FunctionDecl* function) {
  const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(function->getDeclContext());
  return space && space->isAnonymousNamespace() && function->getIdentifier() &&
         function->getName().starts_with("ddx_");
}

bool is_memory_sweep(const clang::FunctionDecl* function) {
  const auto* label = function->getAttr<clang::AsmLabelAttr>();
  return label && label->getLabel().starts_with("ddx.memory.");
}

const clang::FunctionDecl* find_named(const clang::Stmt* statement, llvm::StringRef name) {
  if (!statement) {
    return nullptr;
  }
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(statement)) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl());
    return is_named(function, {name}) ? function : nullptr;
  }
  for (const clang::Stmt* child : statement->children()) {
    if (const clang::FunctionDecl* found = find_named(child, name)) {
      return found;
    }
  }
  return nullptr;
}

const clang::Expr* below_temporary(const clang::Expr* argument) {
  argument = argument->IgnoreParens();
  const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(argument);
  return temporary ? temporary->getSubExpr()->IgnoreParens() : argument;
}

}  // namespace ddx::compiler
