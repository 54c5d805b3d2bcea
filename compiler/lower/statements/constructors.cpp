#include "compiler/lower/statements/constructors.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/arguments.h"
#include "compiler/lower/calls/inlining.h"
#include "compiler/lower/calls/replacements.h"
#include "compiler/lower/expressions/initialisers.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/path_steps.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/statements/moved_objects.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

Value* Constructors::construct_call(const CXXConstructorDecl* constructor, Path target,
                                    const Expr* source, llvm::ArrayRef<const Expr*> arguments) {
  // The text of a construction makes a temporary, not this object: it cannot be carried over.
  const auto not_constructed = [this]() -> Value* {
    function_.statements.back().primal_text.clear();
    return nullptr;
  };
  const FunctionDecl* body = replacements_.visible_body(constructor);
  if (!body) {
    rejections_.unsupported(source, Diagnostic::UnsupportedHiddenBody,
                            {constructor->getNameAsString()});
    return not_constructed();
  }
  initialisers_.unlisted(constructor->getParent(), source->getExprLoc());
  if (const auto* written = dyn_cast<CXXConstructExpr>(source);
      written && written->requiresZeroInitialization()) {
    initialisers_.zero_numbers(target, source->getExprLoc());
  }
  ir::Statement* made = builder_.make(ir::Statement::Kind::Call, source->getExprLoc());
  made->callee = body;
  arguments_.expand_path(made, target, false, false);
  for (unsigned i = 0; i < arguments.size() && i < constructor->getNumParams(); ++i) {
    if (!arguments_.expand_argument(made, constructor->getParamDecl(i)->getType(), arguments[i])) {
      rejections_.unsupported_argument(source, arguments[i]);
      return not_constructed();
    }
  }
  return arguments_.emit_call(made, context_.ast.VoidTy);
}

/// `using Base::Base;`: the constructor of the base class gets what the inherited one was given.
void Constructors::forward_to_inherited(const CXXConstructorDecl* constructor,
                                        const CXXInheritedCtorInitExpr* inherited,
                                        const Path& base) {
  llvm::SmallVector<const Expr*> arguments;
  for (ParmVarDecl* parameter : constructor->parameters()) {
    const QualType type = parameter->getType();
    Expr* given = DeclRefExpr::Create(context_.ast, NestedNameSpecifierLoc(), SourceLocation(),
                                      parameter, /*RefersToEnclosingVariableOrCapture=*/false,
                                      inherited->getExprLoc(), type.getNonReferenceType(),
                                      type->isRValueReferenceType() ? VK_XValue : VK_LValue);
    if (!type->isReferenceType() && !type->isScalarType()) {
      return rejections_.lose(inherited,
                              Diagnostic::UnsupportedInitialiser);  // It would be copied once more.
    }
    if (!type->isReferenceType()) {
      given = ImplicitCastExpr::Create(context_.ast, type, CK_LValueToRValue, given, nullptr,
                                       VK_PRValue, FPOptionsOverride());
    }
    arguments.push_back(given);
  }
  construct_call(inherited->getConstructor(), base, inherited, arguments);
}

void Constructors::lower_initialisers(const CXXConstructorDecl* constructor) {
  for (const CXXCtorInitializer* initialiser : constructor->inits()) {
    if (initialiser->isBaseInitializer()) {
      if (initialiser->isBaseVirtual()) {
        rejections_.lose(initialiser->getInit(), Diagnostic::UnsupportedVirtualBase,
                         {initialiser->getBaseClass()->getAsCXXRecordDecl()->getNameAsString()});
        continue;
      }
      const Path base =
          places_.base_path(*scope_.self, initialiser->getBaseClass()->getAsCXXRecordDecl());
      if (const auto* inherited = dyn_cast<CXXInheritedCtorInitExpr>(initialiser->getInit())) {
        forward_to_inherited(constructor, inherited, base);
      } else {
        initialisers_.initialise(base, initialiser->getInit(), true);
      }
    } else if (initialiser->isDelegatingInitializer()) {
      initialisers_.initialise(*scope_.self, initialiser->getInit(), true);
    } else if (initialiser->isMemberInitializer()) {
      const FieldDecl* field = initialiser->getMember();
      if (field->getType()->isReferenceType()) {
        rejections_.lose(initialiser->getInit(), Diagnostic::UnsupportedReferenceMember,
                         {field->getNameAsString(), field->getParent()->getNameAsString()});
        continue;
      }
      Path target = field_path(*scope_.self, field);
      target.type = target.type.getUnqualifiedType();
      initialisers_.initialise(target, initialiser->getInit(), true);
    } else if (const IndirectFieldDecl* member = initialiser->getIndirectMember();
               member && member->getChainingSize() == 2 &&
               Types::is_shared_name(member->getAnonField()->getParent())) {
      const auto* shared = cast<FieldDecl>(*member->chain_begin());
      initialisers_.initialise(field_path(*scope_.self, shared), initialiser->getInit(), true);
    } else {
      rejections_.lose(initialiser->getInit(), Diagnostic::UnsupportedInitialiser);
    }
    moved_objects_.check_moves(initialiser->getInit());
  }
}

}  // namespace ddx::compiler
