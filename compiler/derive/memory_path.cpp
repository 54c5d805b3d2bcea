#include "compiler/derive/memory_path.h"

#include "compiler/derive/given_derivatives.h"

#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <optional>

namespace ddx::compiler {

using namespace clang;

namespace {

/// Calls `use` with each instantiation of `ddx::without_derivative`.
template <class Use>
void for_each_cut(ASTContext& ast, const Use& use) {
  for (const NamedDecl* library : ast.getTranslationUnitDecl()->lookup(&ast.Idents.get("ddx"))) {
    const auto* space = dyn_cast<NamespaceDecl>(library);
    if (!space) {
      continue;
    }
    for (NamedDecl* found : space->lookup(&ast.Idents.get("without_derivative"))) {
      if (auto* pattern = dyn_cast<FunctionTemplateDecl>(found)) {
        llvm::for_each(pattern->specializations(), use);
      }
    }
  }
}

/// The definitions of the unit by their mangled names.
class Definitions : public RecursiveASTVisitor<Definitions> {
 public:
  explicit Definitions(ASTContext& ast) : names_(ast) {
    TraverseDecl(ast.getTranslationUnitDecl());
  }

  static bool shouldVisitTemplateInstantiations() { return true; }

  bool VisitFunctionDecl(FunctionDecl* function) {
    if (function->isThisDeclarationADefinition() && !function->isDependentContext() &&
        !isa<CXXDeductionGuideDecl>(function)) {
      found_.try_emplace(names_.getName(function), function);
    }
    return true;
  }

  FunctionDecl* find(llvm::StringRef mangled) const { return found_.lookup(mangled); }

 private:
  ASTNameGenerator names_;
  llvm::StringMap<FunctionDecl*> found_;
};

/// Finds the first call of a function, by its mangled name, or assembly, by the name "asm".
class FirstCall : public RecursiveASTVisitor<FirstCall> {
 public:
  FirstCall(ASTContext& ast, llvm::StringRef mangled) : names_(ast), mangled_(mangled) {}

  static bool shouldVisitImplicitCode() { return true; }

  bool VisitCallExpr(CallExpr* call) {
    return compare(call->getDirectCallee(), call->getBeginLoc());
  }
  bool VisitAsmStmt(AsmStmt* assembly) {
    if (mangled_ == "asm") {
      place = assembly->getBeginLoc();
    }
    return place.isInvalid();
  }
  bool VisitCXXConstructExpr(CXXConstructExpr* made) {
    return compare(made->getConstructor(), made->getLocation());
  }

  SourceLocation place;

 private:
  bool compare(const FunctionDecl* callee, SourceLocation where) {
    if (callee != nullptr && !callee->isDependentContext() && names_.getName(callee) == mangled_) {
      place = where;
    }
    return place.isInvalid();
  }

  ASTNameGenerator names_;
  llvm::StringRef mangled_;
};

}  // namespace

MemoryLimit memory_limit(const Context& context, const Request& request,
                         llvm::ArrayRef<const FunctionDecl*> reached) {
  for (const unsigned i : request.wrt) {
    if (!context.types.has_addresses(request.primal->getParamDecl(i + 1)->getType())) {
      return MemoryLimit::NoAddresses;
    }
  }
  if (!context.types.has_addresses(request.primal->getReturnType())) {
    return MemoryLimit::NoAddresses;
  }
  return llvm::any_of(reached,
                      [&](const FunctionDecl* one) { return is_beyond_memory(context, *one); })
             ? MemoryLimit::GivenDerivative
             : MemoryLimit::None;
}

void add_memory_rules(const Context& context) {
  ASTContext& ast = context.ast;
  MemoryRules& rules = context.memory_rules;
  ASTNameGenerator names(ast);
  for_each_cut(ast, [&](const FunctionDecl* cut) { rules.constants.insert(names.getName(cut)); });
  auto definitions = std::make_shared<std::optional<Definitions>>();
  rules.locate = [&ast, definitions](llvm::StringRef function, llvm::StringRef callee) {
    if (!definitions->has_value()) {
      definitions->emplace(ast);
    }
    FunctionDecl* const found = (*definitions)->find(function);
    if (found == nullptr || callee.empty()) {
      return found != nullptr ? found->getLocation() : SourceLocation();
    }
    FirstCall call(ast, callee);
    call.TraverseStmt(found->getBody());
    return call.place.isValid() ? call.place : found->getLocation();
  };
}

}  // namespace ddx::compiler
