#include "compiler/analysis/outside_state.h"

#include "compiler/request/registry.h"
#include "compiler/support/function_names.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/DenseSet.h"

#include <tuple>
#include <utility>

namespace ddx::compiler {

using namespace clang;

namespace {

bool is_of_ddx(const Decl* declaration) {
  for (const DeclContext* around = declaration->getDeclContext(); around;
       around = around->getParent()) {
    const auto* space = dyn_cast<NamespaceDecl>(around);
    if (space && space->getName() == "ddx" && space->getParent()->isTranslationUnit()) {
      return true;
    }
  }
  return false;
}

/// Its code keeps no state that matters to its callers.
bool is_trusted(const Decl* declaration) {
  return in_library(declaration) || is_of_ddx(declaration);
}

/// True where an initialiser is made of addresses, literals and conversions alone: what it points
/// to are the variables it names.
bool names_its_target(const Expr* initialiser) {
  const Expr* written = initialiser->IgnoreUnlessSpelledInSource();
  if (isa<StringLiteral, IntegerLiteral, CXXNullPtrLiteralExpr, DeclRefExpr>(written)) {
    return true;
  }
  if (const auto* address = dyn_cast<UnaryOperator>(written)) {
    return address->getOpcode() == UO_AddrOf && names_its_target(address->getSubExpr());
  }
  if (const auto* element = dyn_cast<ArraySubscriptExpr>(written)) {
    return names_its_target(element->getBase());
  }
  const auto* member = dyn_cast<MemberExpr>(written);
  return member && !member->isArrow() && names_its_target(member->getBase());
}

/// True for members, elements, what pointers lead to, and what calls return, except for the pointer
/// that a lambda is converted to.
bool is_in_object(const Expr* expression) {
  const auto* call = dyn_cast<CXXMemberCallExpr>(expression);
  const auto* operation = dyn_cast<UnaryOperator>(expression);
  return !(call && isa_and_nonnull<CXXConversionDecl>(call->getDirectCallee())) &&
         (isa<MemberExpr, ArraySubscriptExpr, CallExpr>(expression) ||
          (operation && operation->getOpcode() == UO_Deref));
}

/// Looks through one body after another.
class Finder : public RecursiveASTVisitor<Finder> {
 public:
  Finder(const Context& context, bool by_pointer) : context_(context), by_pointer_(by_pointer) {}

  std::optional<OutsideState> run(const std::vector<const FunctionDecl*>& functions) {
    for (const FunctionDecl* function : functions) {
      reach(function, function->getLocation());
    }
    while (!pending_.empty() && !found_) {
      const FunctionDecl* function = nullptr;
      std::tie(function, of_derivative_) = pending_.back();
      pending_.pop_back();
      trusted_ = is_trusted(function);
      if (const auto* constructor = dyn_cast<CXXConstructorDecl>(function)) {
        for (const CXXCtorInitializer* initialiser : constructor->inits()) {
          TraverseStmt(initialiser->getInit());
        }
      }
      TraverseStmt(function->getBody());
    }
    return found_;
  }

  // What stands in these is not evaluated.
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr*) { return true; }
  bool TraverseCXXNoexceptExpr(CXXNoexceptExpr*) { return true; }
  bool TraverseTypeLoc(TypeLoc) { return true; }

  bool VisitDeclRefExpr(DeclRefExpr* reference) {
    if (const auto* function = dyn_cast<FunctionDecl>(reference->getDecl())) {
      reach(function, reference->getLocation());
    } else if (const auto* variable = dyn_cast<VarDecl>(reference->getDecl())) {
      read(variable, reference->getLocation());
    }
    return !found_;
  }

  bool VisitCallExpr(CallExpr* call) {
    const QualType type = call->getCallee()->getType();
    if (by_pointer_ && !call->getDirectCallee() && type->isFunctionPointerType()) {
      reach_stored(type, call->getExprLoc());
    }
    return !found_;
  }

  /// What a pointer in an object leads to depends on the object, not on what is passed by name.
  bool VisitExpr(Expr* expression) {
    if (is_in_object(expression) && expression->getType()->isFunctionPointerType()) {
      reach_stored(expression->getType(), expression->getExprLoc());
    }
    return !found_;
  }

  bool VisitMemberExpr(MemberExpr* member) {
    if (const auto* method = dyn_cast<CXXMethodDecl>(member->getMemberDecl())) {
      reach(method, member->getMemberLoc());
      if (method->isVirtual() && !is_trusted(method) &&
          member->performsVirtualDispatch(context_.sema.getLangOpts()) &&
          method->getDevirtualizedMethod(member->getBase(), false) != method) {
        find(method, member->getMemberLoc());  // An object of any class may be meant.
      }
    } else if (const auto* variable = dyn_cast<VarDecl>(member->getMemberDecl())) {
      read(variable, member->getMemberLoc());  // A static member.
    }
    return !found_;
  }

  bool VisitCXXConstructExpr(CXXConstructExpr* construction) {
    reach(construction->getConstructor(), construction->getLocation());
    return !found_;
  }

  bool VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr* temporary) {
    reach(temporary->getTemporary()->getDestructor(), temporary->getExprLoc());
    return !found_;
  }

  bool VisitVarDecl(VarDecl* variable) {
    const CXXRecordDecl* record =
        context_.ast.getBaseElementType(variable->getType())->getAsCXXRecordDecl();
    if (record && record->hasDefinition() && !record->isDependentContext()) {
      reach(record->getDestructor(), variable->getLocation());
    }
    return !found_;
  }

  bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr* argument) {
    return TraverseStmt(argument->getExpr());
  }

  bool VisitCXXDefaultInitExpr(CXXDefaultInitExpr* initialiser) {
    return TraverseStmt(initialiser->getExpr());
  }

 private:
  void find(const ValueDecl* what, SourceLocation where) {
    if (!found_) {
      found_ = OutsideState{what, where};
    }
  }

  void read(const VarDecl* variable, SourceLocation where) {
    if (!variable->hasGlobalStorage() || !seen_.insert(variable->getCanonicalDecl()).second) {
      return;
    }
    const QualType type = variable->getType();
    const Expr* initialiser = variable->getAnyInitializer();
    const CXXRecordDecl* record =
        context_.ast.getBaseElementType(type.getNonReferenceType())->getAsCXXRecordDecl();
    const bool fixed =
        !type.isVolatileQualified() && !(record && record->hasMutableFields()) &&
        (variable->isConstexpr() || type.isConstQualified() || type->isReferenceType() ||
         context_.ast.getBaseElementType(type).isConstQualified());
    const bool points = type->isReferenceType() || type->isPointerType();
    const bool leads_elsewhere = points && !(initialiser && names_its_target(initialiser));
    if (trusted_ && (is_trusted(variable) || is_of_system(variable))) {
      return;  // Also what the C library reports: whether there are threads to count for.
    }
    if (!fixed || (leads_elsewhere && !type->isFunctionPointerType())) {
      return find(variable, where);
    }
    if (initialiser) {
      TraverseStmt(const_cast<Expr*>(initialiser));  // Functions in tables, objects pointed to.
    }
  }

  /// A function whose body is not there and that may still be called again.
  bool is_pure(const FunctionDecl* function) const {
    if (const unsigned builtin = function->getBuiltinID()) {
      const llvm::StringRef header = context_.ast.BuiltinInfo.getHeaderName(builtin);
      return header != "stdio.h" && header != "setjmp.h";
    }
    const auto* method = dyn_cast<CXXMethodDecl>(function);
    const bool of_object = method && method->isInstance();
    return function->isNoReturn() || function->hasAttr<ConstAttr>() ||
           function->hasAttr<PureAttr>() || function->isDefaulted() ||
           (method && method->isPureVirtual()) || is_of_ddx(function) ||
           (in_library(function) && of_object) || (trusted_ && is_of_system(function));
  }

  bool is_of_system(const Decl* declaration) const {
    return context_.sema.getSourceManager().isInSystemHeader(declaration->getLocation());
  }

  /// Any function that a pointer of `type` may lead to.
  void reach_stored(QualType type, SourceLocation where) {
    for (const FunctionDecl* stored : context_.types.stored_functions(type)) {
      reach(stored, where);
    }
  }

  /// Derivatives of what a registered derivative calls are not looked into: that may be another
  /// instantiation of the same function, and so on.
  void reach(const FunctionDecl* function, SourceLocation where) {
    if (!function || function->isReplaceableGlobalAllocationFunction() ||
        is_compiled_call(function)) {  // That is refused where it stands.
      return;
    }
    const Decl* const key = function->getCanonicalDecl();
    if (of_derivative_ ? seen_.contains(key) || !seen_in_derivatives_.insert(key).second
                       : !seen_.insert(key).second) {
      return;
    }
    const RegisteredDerivative* const registered =
        of_derivative_ ? nullptr : context_.registry.find(function);
    if (registered) {
      of_derivative_ = true;
      reach(registered->vjp, where);
      reach(registered->jvp, where);
      of_derivative_ = false;
    }
    if (registered || (of_derivative_ && context_.registry.covers(*function))) {
      if (!function->hasBody()) {
        return;
      }
    }
    const auto* method = dyn_cast<CXXMethodDecl>(function);
    if (method && method->isLambdaStaticInvoker()) {
      return reach(method->getParent()->getLambdaCallOperator(), where);
    }
    const FunctionDecl* defined = nullptr;
    if (method && in_library(method) && method->getParent()->getIdentifier() &&
        method->getParent()->getName() == "random_device") {
      find(function, where);
    } else if (function->hasBody(defined) && defined->getBody()) {
      pending_.emplace_back(defined, of_derivative_);
    } else if (!is_pure(function)) {
      find(function, where);
    }
  }

  const Context& context_;
  bool by_pointer_;
  llvm::DenseSet<const Decl*> seen_;
  llvm::DenseSet<const Decl*> seen_in_derivatives_;
  std::vector<std::pair<const FunctionDecl*, bool>> pending_;  ///< Each, and its of_derivative_.
  bool trusted_ = false;        ///< What is looked through is code of a library.
  bool of_derivative_ = false;  ///< It is run by a registered derivative.
  std::optional<OutsideState> found_;
};

}  // namespace

std::optional<OutsideState> find_outside_state(const Context& context,
                                               const std::vector<const FunctionDecl*>& functions,
                                               bool by_pointer) {
  return Finder(context, by_pointer).run(functions);
}

}  // namespace ddx::compiler
