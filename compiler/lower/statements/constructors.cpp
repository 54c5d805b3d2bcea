#include "compiler/lower/statements/constructors.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/arguments.h"
#include "compiler/lower/calls/inlining.h"
#include "compiler/lower/calls/replacements.h"
#include "compiler/lower/calls/virtual_calls.h"
#include "compiler/lower/expressions/idempotent_constructors.h"
#include "compiler/lower/expressions/initialisers.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/path_steps.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/statements/moved_objects.h"
#include "compiler/support/types.h"

#include "llvm/ADT/ScopeExit.h"

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
  // What casts to the derived class must know the whole object; virtual functions mean those of the
  // class under construction.
  const bool casts =
      !constructor->getParent()->isPolymorphic() && context_.casts_to_derived.reached_from(body);
  const bool outer_casts = std::exchange(scope_.callee_casts, casts);
  const auto restore = llvm::make_scope_exit([&] { scope_.callee_casts = outer_casts; });
  if (!casts || !virtual_calls_.expand_whole(made, target, false)) {
    arguments_.expand_path(made, target, false, false);
  }
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
    moved_objects_.empty_moved(initialiser->getInit());
  }
}

bool Constructors::declare_polymorphic(Root* root, const CXXConstructExpr* construction) {
  const CXXConstructorDecl* constructor = construction->getConstructor();
  const FunctionDecl* definition = replacements_.visible_body(constructor);
  if (Types::record(root->type)->getNumVBases() > 0 || !definition ||
      constructor->isCopyOrMoveConstructor() ||
      !initialises_only(cast<CXXConstructorDecl>(definition))) {
    return false;
  }
  constructor = cast<CXXConstructorDecl>(definition);
  std::string text;
  if (!bind_constructor_arguments(constructor, construction, &text)) {
    return false;
  }
  root->type = root->type.getUnqualifiedType();  // The members are written once more.
  root->is_constant = false;
  ir::Statement* declaration = builder_.add(ir::Statement::Kind::Declare, root->where);
  declaration->root = root;
  declaration->text = text.empty() ? "" : "(" + text + ")";
  Path path;
  path.root = root;
  path.type = root->type.getUnqualifiedType();
  return repeat_constructor(path, constructor, construction);
}

/// Evaluates the arguments of a constructor, and binds its parameters to them.
bool Constructors::bind_constructor_arguments(const CXXConstructorDecl* constructor,
                                              const CXXConstructExpr* construction,
                                              std::string* text) {
  for (unsigned i = 0; i < construction->getNumArgs(); ++i) {
    const ParmVarDecl* parameter = constructor->getParamDecl(i);
    const QualType type = parameter->getType();
    const Expr* argument = construction->getArg(i);
    if (context_.types.is_scalarized(type) || Types::is_callable(type.getNonReferenceType()) ||
        type->isPointerType()) {
      return false;
    }
    Binding binding;
    binding.kind = Binding::Kind::Object;
    if (type->isReferenceType()) {
      const auto path = places_.lvalue(argument);
      if (!path) {
        return false;
      }
      Path target = *path;
      target.type = type.getNonReferenceType();
      binding =
          places_.bind_alias(target, false, parameter->getNameAsString(), argument->getExprLoc());
    } else {
      Root* root = builder_.new_root(Root::Kind::Local, parameter->getNameAsString(), type,
                                     argument->getExprLoc());
      builder_.keep(root);
      initialisers_.declare_object(root, argument);
      binding.path.root = root;
      binding.path.type = type;
    }
    scope_.bindings[parameter] = binding;
    if (text) {
      *text +=
          (text->empty() ? "" : ", ") + hole(binding.alias ? *binding.alias : *binding.path.root);
    }
  }
  return true;
}

/// Runs a constructor once more on the object that it has made, without calling it.
bool Constructors::repeat_constructor(const Path& object, const CXXConstructorDecl* constructor,
                                      const CXXConstructExpr* source) {
  InlinedSelf self{object, places_.bind_alias(object, false, "object", source->getExprLoc()).alias,
                   nullptr};
  bool done = false;
  inlining_.lower_in_place(
      constructor, source, self, [&] { done = repeat_initialisers(object, constructor); }, nullptr);
  return done;
}

bool Constructors::repeat_initialisers(const Path& object, const CXXConstructorDecl* constructor) {
  for (const CXXCtorInitializer* initialiser : constructor->inits()) {
    if (initialiser->isBaseInitializer()) {
      const auto* base =
          dyn_cast<CXXConstructExpr>(initialiser->getInit()->IgnoreUnlessSpelledInSource());
      if (!base) {
        base = dyn_cast<CXXConstructExpr>(initialiser->getInit());
      }
      const FunctionDecl* definition =
          base ? replacements_.visible_body(base->getConstructor()) : nullptr;
      if (!base || base->getConstructor()->isCopyOrMoveConstructor()) {
        return false;
      }
      if (!definition) {
        if (base->getConstructor()->isTrivial()) {
          continue;
        }
        return false;
      }
      const auto* made = cast<CXXConstructorDecl>(definition);
      const Path part =
          places_.base_path(object, initialiser->getBaseClass()->getAsCXXRecordDecl());
      if (!bind_constructor_arguments(made, base, nullptr) ||
          !repeat_constructor(part, made, base)) {
        return false;
      }
      continue;
    }
    const FieldDecl* field = initialiser->getMember();
    if (!field || field->getType()->isReferenceType() || field->getType()->isPointerType()) {
      return false;
    }
    Path target = field_path(object, field);
    target.type = target.type.getUnqualifiedType();
    if (!context_.types.has_tangent(target.type)) {
      continue;
    }
    const auto outer = std::exchange(scope_.self, object);
    // What is const takes no assignment; a number can be made in its place.
    initialisers_.initialise(
        target, initialiser->getInit(),
        field->getType().isConstQualified() && field->getType()->isScalarType());
    if (field->getType().isConstQualified() && field->getType()->isScalarType()) {
      builder_.block()->statements.back()->constructs = true;
    }
    scope_.self = outer;
  }
  return true;
}

}  // namespace ddx::compiler
