/// \file
/// The attribute behind `DDX_DERIVATIVE_OF(f)`: `__attribute__((ddx_derivative_of(&f)))`.

#include "compiler/diagnostics/diagnostics.h"
#include "compiler/request/registration.h"

#include "clang/AST/DeclCXX.h"
#include "clang/Basic/ParsedAttrInfo.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

namespace ddx::compiler {
namespace {

/// A derivative is called by itself, so it needs no object and no enclosing template.
bool is_free(const clang::FunctionDecl& function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  return (method == nullptr || method->isStatic()) &&
         !function.getDeclContext()->isDependentContext() &&
         !function.getLexicalDeclContext()->isDependentContext();
}

/// Clang hands an expression to a plugin only in GNU spelling, and only if it does not begin with
/// an identifier; the
/// `&` of the macro sees to that.
struct DerivativeOf final : clang::ParsedAttrInfo {
  DerivativeOf() {
    NumArgs = 1;
    static constexpr Spelling spellings[] = {{clang::ParsedAttr::AS_GNU, "ddx_derivative_of"}};
    Spellings = spellings;
  }

  bool diagAppertainsToDecl(clang::Sema& sema, const clang::ParsedAttr& attribute,
                            const clang::Decl* declaration) const override {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
    if (function != nullptr && is_free(*function)) {
      return true;
    }
    report(sema.getDiagnostics(), Diagnostic::DerivativeOfNeedsFunction, attribute.getLoc());
    return false;
  }

  AttrHandling handleDeclAttribute(clang::Sema& sema, clang::Decl* declaration,
                                   const clang::ParsedAttr& attribute) const override {
    auto* function = llvm::cast<clang::FunctionDecl>(declaration);
    if (!attribute.isArgExpr(0)) {
      report(sema.getDiagnostics(), Diagnostic::DerivativeOfUnknown, attribute.getLoc())
          << function;
      return AttributeNotApplied;
    }
    add_registration(sema, {function, attribute.getArgAsExpr(0), attribute.getLoc()});
    return AttributeApplied;
  }
};

const clang::ParsedAttrInfoRegistry::Add<DerivativeOf> attribute(
    "ddx_derivative_of", "registers a function as the derivative of another");

}  // namespace
}  // namespace ddx::compiler
