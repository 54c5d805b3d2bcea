#include "compiler/support/injected_namespace.h"

#include "clang/AST/ASTContext.h"

namespace ddx::compiler {

clang::NamespaceDecl* find_namespace(clang::Sema& sema, llvm::StringRef name) {
  clang::ASTContext& context = sema.Context;
  for (clang::NamedDecl* found :
       context.getTranslationUnitDecl()->lookup(&context.Idents.get(name))) {
    if (auto* space = llvm::dyn_cast<clang::NamespaceDecl>(found)) {
      return space;
    }
  }
  return nullptr;
}

clang::NamespaceDecl* inject_namespace(clang::Sema& sema, llvm::StringRef name) {
  clang::ASTContext& context = sema.Context;
  clang::TranslationUnitDecl* unit = context.getTranslationUnitDecl();
  auto* space = clang::NamespaceDecl::Create(context, unit, /*Inline=*/false, {}, {},
                                             &context.Idents.get(name), find_namespace(sema, name),
                                             /*Nested=*/false);
  unit->addDecl(space);
  sema.PushOnScopeChains(space, sema.TUScope, /*AddToContext=*/false);
  return space;
}

}  // namespace ddx::compiler
