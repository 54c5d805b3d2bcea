#include "compiler/derive/memory_path.h"

#include "compiler/lower/functor_calls.h"
#include "compiler/request/registry.h"
#include "compiler/support/function_names.h"

#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <optional>

namespace ddx::compiler {

using namespace clang;

namespace {

/// Finds, in the bodies that functions reach by name, a function that the memory path has no rule
/// for.
class Search : public RecursiveASTVisitor<Search> {
 public:
  explicit Search(const Registry& registry) : registry_(registry) {}

  static bool shouldVisitImplicitCode() { return true; }

  MemoryLimit run(const FunctionDecl* first) {
    reached_.insert(first->getCanonicalDecl());
    for (std::size_t i = 0; i < reached_.size() && found_ == MemoryLimit::None; ++i) {
      const FunctionDecl* body = nullptr;
      if (reached_[i]->hasBody(body) && body->getBody()) {
        TraverseDecl(const_cast<FunctionDecl*>(body));
      }
    }
    return found_;
  }

  bool VisitDeclRefExpr(DeclRefExpr* reference) { return reach(reference->getDecl()); }
  bool VisitMemberExpr(MemberExpr* member) { return reach(member->getMemberDecl()); }
  bool VisitCXXConstructExpr(CXXConstructExpr* made) { return reach(made->getConstructor()); }

 private:
  /// False where the search is over.
  bool reach(const Decl* declaration) {
    const auto* function = dyn_cast<FunctionDecl>(declaration);
    if (function && reached_.insert(function->getCanonicalDecl())) {
      if (registry_.covers(*function) || is_functor_call(function)) {
        found_ = MemoryLimit::GivenDerivative;
      }
    }
    return found_ == MemoryLimit::None;
  }

  const Registry& registry_;
  llvm::SetVector<const FunctionDecl*> reached_;
  MemoryLimit found_ = MemoryLimit::None;
};

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
                         const FunctionDecl* target) {
  for (const unsigned i : request.wrt) {
    if (!context.types.has_addresses(request.primal->getParamDecl(i + 1)->getType())) {
      return MemoryLimit::NoAddresses;
    }
  }
  if (!context.types.has_addresses(request.primal->getReturnType())) {
    return MemoryLimit::NoAddresses;
  }
  return Search(context.registry).run(target ? target : request.primal);
}

void add_memory_rules(const Context& context) {
  ASTContext& ast = context.ast;
  MemoryRules& rules = context.memory_rules;
  ASTNameGenerator names(ast);
  for_each_cut(ast, [&](const FunctionDecl* cut) { rules.constants.insert(names.getName(cut)); });
  context.registry.for_each_primal(
      [&](const FunctionDecl* primal) { rules.registered.insert(names.getName(primal)); });
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
