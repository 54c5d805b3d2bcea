#include "compiler/request/registration.h"

#include "compiler/support/injected_namespace.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

#include <string>

namespace ddx::compiler {
namespace {

constexpr llvm::StringLiteral registered_namespace = "__ddx_registered";

}  // namespace

void add_registration(clang::Sema& sema, const Registration& registration) {
  clang::ASTContext& context = sema.Context;
  // Each name once: a reader of precompiled headers takes declarations of one name for one.
  const std::string unique = "derivative_" + std::to_string(registrations(sema).size());
  clang::NamespaceDecl* space = find_namespace(sema, registered_namespace);
  // A namespace read from a file is opened again: its declarations are not this unit's to extend.
  if (space == nullptr || space->getMostRecentDecl()->isFromASTFile()) {
    space = inject_namespace(sema, registered_namespace);
  }
  space = space->getMostRecentDecl();
  // The pair: a shadow of the derivative, then an assertion that nothing checks.
  const clang::DeclarationNameInfo name(&context.Idents.get(unique), registration.where);
  auto* introducer = clang::UsingDecl::Create(context, space, registration.where,
                                              clang::NestedNameSpecifierLoc(), name, false);
  space->addDecl(introducer);
  auto* shadow = clang::UsingShadowDecl::Create(context, space, registration.where, name.getName(),
                                                introducer, registration.derivative);
  introducer->addShadowDecl(shadow);
  space->addDecl(shadow);
  space->addDecl(clang::StaticAssertDecl::Create(context, space, registration.where,
                                                 registration.named, nullptr, registration.where,
                                                 /*Failed=*/false));
}

std::vector<Registration> registrations(clang::Sema& sema) {
  std::vector<Registration> result;
  clang::NamespaceDecl* space = find_namespace(sema, registered_namespace);
  llvm::SmallVector<clang::NamespaceDecl*> parts;
  for (auto* part = space == nullptr ? nullptr : space->getMostRecentDecl(); part != nullptr;
       part = part->getPreviousDecl()) {
    parts.push_back(part);
  }
  for (const clang::NamespaceDecl* part : llvm::reverse(parts)) {
    clang::FunctionDecl* derivative = nullptr;
    for (clang::Decl* declaration : part->decls()) {
      if (auto* shadow = llvm::dyn_cast<clang::UsingShadowDecl>(declaration)) {
        derivative = llvm::cast<clang::FunctionDecl>(shadow->getTargetDecl());
      } else if (auto* assertion = llvm::dyn_cast<clang::StaticAssertDecl>(declaration)) {
        result.push_back({derivative, assertion->getAssertExpr(), assertion->getLocation()});
      }
    }
  }
  return result;
}

}  // namespace ddx::compiler
