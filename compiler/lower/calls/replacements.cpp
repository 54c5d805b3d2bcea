#include "compiler/lower/calls/replacements.h"

#include "compiler/lower/effect_finder.h"
#include "compiler/lower/library/moving_expressions.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/texts.h"
#include "compiler/support/function_names.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/types.h"

#include "clang/Basic/Builtins.h"
#include "clang/Sema/Overload.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

const NamespaceDecl* inner_namespace(ASTContext& context, const DeclContext* outer,
                                     llvm::StringRef name) {
  for (const NamedDecl* found : outer->lookup(&context.Idents.get(name))) {
    if (const auto* space = dyn_cast<NamespaceDecl>(found)) {
      return space;
    }
  }
  return nullptr;
}

/// The namespace of the algorithms that take ranges.
bool is_ranges(const DeclContext* space) {
  const auto* named = dyn_cast<NamespaceDecl>(space);
  return named && named->getIdentifier() && named->getName() == "ranges" &&
         named->getParent()->isStdNamespace();
}

bool is_in_std(const CXXRecordDecl* record) {
  return record->isInStdNamespace() || is_ranges(record->getDeclContext());
}

/// The name by which namespace `ddx::detail::algorithms` knows `callee`: its own, or that of the
/// function object whose call operator it is. `std::ranges::sort` is one of class `__sort_fn`.
std::string known_name(const FunctionDecl* callee) {
  const auto name = [](const NamedDecl* decl) {
    return decl->getIdentifier() ? decl->getName() : llvm::StringRef();
  };
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  if (!method) {
    return callee->getOverloadedOperator() == OO_Slash ? "quotient" : name(callee).str();
  }
  if (method->getOverloadedOperator() != OO_Call || !method->getParent()->isEmpty()) {
    return "";
  }
  llvm::StringRef object = name(method->getParent());
  const bool is_range = is_ranges(method->getParent()->getDeclContext()) &&
                        object.consume_front("__") && object.consume_back("_fn");
  return (is_range ? "ranges_" : "") + object.str();
}

/// True for a class whose member type `iterator_category` is not that of random access.
bool lacks_random_access(const CXXRecordDecl* record) {
  for (const NamedDecl* found :
       record->lookup(&record->getASTContext().Idents.get("iterator_category"))) {
    const auto* category = dyn_cast<TypedefNameDecl>(found);
    const CXXRecordDecl* tag = category ? Types::record(category->getUnderlyingType()) : nullptr;
    return tag && tag->getIdentifier() && tag->getName() != "random_access_iterator_tag";
  }
  return false;
}

/// True for iterators that do not know the distance to another, or write elsewhere: plain functions
/// count places.
bool is_other_iterator(QualType type) {
  const CXXRecordDecl* record = Types::record(type);
  if (!record || !record->getIdentifier()) {
    return false;
  }
  if (!in_library(record)) {
    return lacks_random_access(record);
  }
  if (!record->getName().ends_with("iterator")) {
    return false;
  }
  if (const auto wrapped = Types::wrapped_iterator(type)) {
    return is_other_iterator(*wrapped);
  }
  return record->getName() != "__normal_iterator";
}

bool moves_bytes(const FunctionDecl* callee) {
  const unsigned kind = callee->getMemoryFunctionKind();
  return kind == Builtin::BImemcpy || kind == Builtin::BImemmove || kind == Builtin::BImemset;
}

/// The pointer that was converted to `void*`.
const Expr* before_bytes(const Expr* argument) {
  const auto* cast = dyn_cast<ImplicitCastExpr>(argument);
  while (cast && cast->getType()->isVoidPointerType()) {
    argument = cast->getSubExpr();
    cast = dyn_cast<ImplicitCastExpr>(argument);
  }
  return argument;
}

/// The container of `std::back_inserter(container)`, or null.
const Expr* behind_inserter(const Expr* argument) {
  const auto* call = dyn_cast<CallExpr>(below_copies(argument));
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  const bool known = callee && in_library(callee) && callee->getIdentifier() &&
                     callee->getName() == "back_inserter" && call->getNumArgs() == 1;
  return known ? call->getArg(0) : nullptr;
}

}  // namespace

const FunctionDecl* Replacements::visible_body(const FunctionDecl* callee) {
  const FunctionDecl* definition = nullptr;
  if (callee->hasBody(definition) && definition->getBody()) {
    return definition;
  }
  // A member of a class template, or a function template, whose body no call has asked for yet.
  auto* pattern = const_cast<FunctionDecl*>(callee);
  if (pattern->isTemplateInstantiation() && pattern->getTemplateInstantiationPattern()) {
    context_.sema.InstantiateFunctionDefinition(callee->getLocation(), pattern, true, true);
    if (callee->hasBody(definition) && definition->getBody()) {
      return definition;
    }
  }
  if (const auto* constructor = dyn_cast<CXXConstructorDecl>(callee);
      constructor && constructor->isDefaulted() && !constructor->isDeleted()) {
    auto* const implicit = const_cast<CXXConstructorDecl*>(constructor);
    if (constructor->isDefaultConstructor()) {
      context_.sema.DefineImplicitDefaultConstructor(callee->getLocation(), implicit);
    } else if (constructor->isCopyConstructor()) {
      context_.sema.DefineImplicitCopyConstructor(callee->getLocation(), implicit);
    } else if (constructor->isMoveConstructor()) {
      context_.sema.DefineImplicitMoveConstructor(callee->getLocation(), implicit);
    }
    return constructor->hasBody(definition) ? definition : nullptr;
  }
  if (const auto* method = dyn_cast<CXXMethodDecl>(callee);
      method && method->isDefaulted() && !method->isDeleted() &&
      (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator())) {
    auto* const implicit = const_cast<CXXMethodDecl*>(method);
    if (method->isCopyAssignmentOperator()) {
      context_.sema.DefineImplicitCopyAssignment(callee->getLocation(), implicit);
    } else {
      context_.sema.DefineImplicitMoveAssignment(callee->getLocation(), implicit);
    }
    return method->hasBody(definition) ? definition : nullptr;
  }
  return nullptr;
}

const FunctionDecl* Replacements::plain_function(llvm::StringRef name,
                                                 llvm::ArrayRef<const Expr*> arguments) {
  const DeclContext* space = context_.ast.getTranslationUnitDecl();
  for (const char* part : {"ddx", "detail", "algorithms"}) {
    space = space ? inner_namespace(context_.ast, space, part) : nullptr;
  }
  const bool counts = llvm::none_of(
      arguments, [](const Expr* argument) { return is_other_iterator(argument->getType()); });
  if (name.empty() || !space || !counts) {
    return nullptr;
  }
  llvm::SmallVector<Expr*> given;
  for (const Expr* argument : arguments) {
    // Braces say no type by themselves; the parameter has said it.
    const bool is_list = isa<InitListExpr>(argument) && argument->getType()->isRecordType();
    given.push_back(is_list ? new (context_.ast) OpaqueValueExpr(argument->getExprLoc(),
                                                                 argument->getType(), VK_PRValue)
                            : const_cast<Expr*>(argument));
  }
  const SourceLocation where =
      arguments.empty() ? SourceLocation() : arguments.front()->getExprLoc();
  OverloadCandidateSet candidates(where, OverloadCandidateSet::CSK_Normal);
  for (NamedDecl* found : space->lookup(&context_.ast.Idents.get(name))) {
    if (auto* pattern = dyn_cast<FunctionTemplateDecl>(found)) {
      context_.sema.AddTemplateOverloadCandidate(pattern, DeclAccessPair::make(pattern, AS_public),
                                                 nullptr, given, candidates);
    }
  }
  OverloadCandidateSet::iterator best;
  return candidates.BestViableFunction(context_.sema, where, best) == OR_Success ? best->Function
                                                                                 : nullptr;
}

const FunctionDecl* Replacements::closure_form(const FunctionDecl* callee) {
  if (!is_named(callee, {"run_value_with_pullback"}) ||
      callee->getQualifiedNameAsString() != "ddx::detail::run_value_with_pullback") {
    return nullptr;
  }
  const FunctionDecl* body = visible_body(callee);
  const FunctionDecl* form = body ? find_named(body->getBody(), "value_with_closure") : nullptr;
  return form ? visible_body(form) : nullptr;
}

std::optional<Replacement> Replacements::replacement(const FunctionDecl* callee, const Expr* source,
                                                     llvm::ArrayRef<const Expr*> arguments) {
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  const bool of_bytes = moves_bytes(callee);
  if (!of_bytes && !(method ? is_in_std(method->getParent()) : callee->isInStdNamespace())) {
    return std::nullopt;
  }
  std::string name = known_name(callee);
  Replacement result;
  for (const Expr* argument : arguments) {
    const Expr* const typed = of_bytes ? before_bytes(argument) : argument;
    if (typed->getType()->isPointerType() && typed != argument) {
      const bool moves_reals = context_.types.may_hold_real(typed->getType()->getPointeeType());
      result.arguments.push_back(moves_reals ? typed : argument);
    } else if (const Expr* container = behind_inserter(argument)) {
      name = "append_" + name;
      result.arguments.push_back(container);
    } else {
      result.arguments.push_back(argument);
    }
  }
  result.function = plain_function(name, result.arguments);
  if (result.function && result.function->getReturnType()->isVoidType() &&
      !source->getType()->isVoidType() && source != scope_.discarded) {
    result.function = plain_function("used_" + name, result.arguments);
  }
  return result.function ? std::optional(result) : std::nullopt;
}

void Replacements::note_original(ir::Statement* made, const Expr* source,
                                 const FunctionDecl* callee) {
  const auto* written = dyn_cast<CallExpr>(source);
  if (!written || !written->getDirectCallee() || !in_library(written->getDirectCallee()) ||
      in_library(callee)) {
    return;
  }
  made->by_name = false;
  const Effects found = effects_.of(source);
  const bool writes_reals = llvm::all_of(found.writes, [](const Root* root) {
    return root->has_tangent;  // Anything else was stepped when the arguments were lowered.
  });
  if (const auto text = writes_reals ? texts_.text_of(source) : std::nullopt) {
    made->by_name = true;
    made->primal_text = *text;
  }
}

}  // namespace ddx::compiler
