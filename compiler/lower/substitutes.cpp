#include "compiler/lower/lowering.h"

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

/// The name by which namespace `ddx::detail::algorithms` knows `callee`: its own, or that of the
/// function object whose call operator it is.
llvm::StringRef known_name(const FunctionDecl* callee) {
  const auto name = [](const NamedDecl* decl) {
    return decl->getIdentifier() ? decl->getName() : llvm::StringRef();
  };
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  if (method) {
    return method->getOverloadedOperator() == OO_Call && method->getParent()->isEmpty()
               ? name(method->getParent())
               : llvm::StringRef();
  }
  return callee->getOverloadedOperator() == OO_Slash ? "quotient" : name(callee);
}

/// True for iterators that do not know the distance to another, or write elsewhere: plain functions
/// count places.
bool is_other_iterator(QualType type) {
  const CXXRecordDecl* record = Types::record(type);
  if (!record || !in_library(record) || !record->getIdentifier() ||
      !record->getName().ends_with("iterator")) {
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

}  // namespace

/// The function `name` of namespace `ddx::detail::algorithms` that takes these arguments, or null.
const FunctionDecl* Lowering::plain_function(llvm::StringRef name,
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
    given.push_back(const_cast<Expr*>(argument));
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

/// The instance of `ddx::detail::algorithms::create` that makes an object from these arguments, or
/// null.
const FunctionDecl* Lowering::maker_of(QualType made, llvm::ArrayRef<const Expr*> arguments,
                                       SourceLocation where) {
  const DeclContext* space = context_.ast.getTranslationUnitDecl();
  for (const char* part : {"ddx", "detail", "algorithms"}) {
    space = space ? inner_namespace(context_.ast, space, part) : nullptr;
  }
  if (!space) {
    return nullptr;
  }
  TemplateArgumentListInfo written(where, where);
  written.addArgument(context_.sema.getTrivialTemplateArgumentLoc(
      TemplateArgument(made.getUnqualifiedType()), QualType(), where));
  llvm::SmallVector<Expr*> given;
  for (const Expr* argument : arguments) {
    given.push_back(const_cast<Expr*>(argument));
  }
  OverloadCandidateSet candidates(where, OverloadCandidateSet::CSK_Normal);
  for (NamedDecl* found : space->lookup(&context_.ast.Idents.get("create"))) {
    if (auto* pattern = dyn_cast<FunctionTemplateDecl>(found)) {
      context_.sema.AddTemplateOverloadCandidate(pattern, DeclAccessPair::make(pattern, AS_public),
                                                 &written, given, candidates);
    }
  }
  OverloadCandidateSet::iterator best;
  return candidates.BestViableFunction(context_.sema, where, best) == OR_Success ? best->Function
                                                                                 : nullptr;
}

/// The arguments of `callee` as it takes them; without their conversion to `void*` where it is
/// memcpy, memmove or memset of objects with reals.
llvm::SmallVector<const Expr*> Lowering::typed_arguments(const FunctionDecl* callee,
                                                         llvm::ArrayRef<const Expr*> arguments) {
  llvm::SmallVector<const Expr*> result(arguments.begin(), arguments.end());
  if (!moves_bytes(callee)) {
    return result;
  }
  for (const Expr*& argument : result) {
    const Expr* given = argument;
    while (const auto* cast = dyn_cast<ImplicitCastExpr>(given)) {
      if (!cast->getType()->isVoidPointerType()) {
        break;
      }
      given = cast->getSubExpr();
    }
    if (given->getType()->isPointerType() &&
        context_.types.may_hold_real(given->getType()->getPointeeType())) {
      argument = given;
    }
  }
  return result;
}

/// The plain function to lower in the place of `callee`, of the standard library, or null.
const FunctionDecl* Lowering::substitute(const FunctionDecl* callee,
                                         llvm::ArrayRef<const Expr*> arguments) {
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  const bool known = method ? method->getParent()->isInStdNamespace()
                            : callee->isInStdNamespace() || moves_bytes(callee);
  return known ? plain_function(known_name(callee), arguments) : nullptr;
}

/// A call of the library that another function was lowered for is made as it stands where nothing
/// active comes of it.
void Lowering::note_original(ir::Statement* made, const Expr* source, const FunctionDecl* callee) {
  const auto* written = dyn_cast<CallExpr>(source);
  if (!written || !written->getDirectCallee() || !in_library(written->getDirectCallee()) ||
      in_library(callee)) {
    return;
  }
  made->by_name = false;
  const Effects found = effects(source);
  const bool writes_reals = llvm::all_of(found.writes, [](const Root* root) {
    return root->carries;  // Anything else was stepped when the arguments were lowered.
  });
  if (const auto text = writes_reals ? text_of(source) : std::nullopt) {
    made->by_name = true;
    made->primal_text = *text;
  }
}

}  // namespace ddx::compiler
