#include "compiler/support/stored_functions.h"

#include "compiler/support/template_types.h"
#include "compiler/support/types.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

#include <set>

namespace ddx::compiler {
namespace {

using clang::CXXRecordDecl;
using clang::FunctionDecl;
using clang::QualType;

/// Functions of the unit that are named without being called.
class NamedFunctions : public clang::RecursiveASTVisitor<NamedFunctions> {
 public:
  NamedFunctions(const clang::ASTContext& context) : context_(context) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  /// Only there are overloaded names in initialiser lists resolved.
  bool shouldVisitImplicitCode() const { return true; }

  bool TraverseDecl(clang::Decl* declaration) {
    // The library names none of the unit's functions, and is long.
    const bool foreign =
        declaration && declaration->getLocation().isValid() &&
        !llvm::isa<clang::TranslationUnitDecl, clang::NamespaceDecl, clang::LinkageSpecDecl>(
            declaration) &&
        context_.getSourceManager().isInSystemHeader(declaration->getLocation());
    return foreign || RecursiveASTVisitor::TraverseDecl(declaration);
  }

  bool TraverseCallExpr(clang::CallExpr* call) {
    if (!call->getDirectCallee()) {
      return RecursiveASTVisitor::TraverseCallExpr(call);
    }
    for (clang::Expr* argument : call->arguments()) {
      TraverseStmt(argument);
    }
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    const auto* function = llvm::dyn_cast<FunctionDecl>(reference->getDecl());
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
    if (function && !function->isDependentContext() && !(method && method->isInstance()) &&
        met_.insert(function->getCanonicalDecl()).second) {
      found.push_back(function);
    }
    return true;
  }

  std::vector<const FunctionDecl*> found;

 private:
  const clang::ASTContext& context_;
  std::set<const FunctionDecl*> met_;
};

bool is_ordinary_type(const CXXRecordDecl* record) {
  return !record->isDependentContext() && !in_library(record);
}

const CXXRecordDecl* class_of(QualType type) {
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  return record && record->hasDefinition() ? record->getDefinition() : nullptr;
}

/// The class and the classes of its bases and members.
void add_with_parts(const CXXRecordDecl* record, std::set<const CXXRecordDecl*>& met) {
  if (!record || !is_ordinary_type(record) || record->isLambda() || !met.insert(record).second) {
    return;
  }
  for (const clang::FieldDecl* field : record->fields()) {
    add_with_parts(class_of(field->getType().getCanonicalType()), met);
  }
  for (const clang::CXXBaseSpecifier& base : record->bases()) {
    add_with_parts(class_of(base.getType()), met);
  }
}

bool contains_objects(const CXXRecordDecl* record) {
  static const char* const names[] = {
      "vector", "deque", "list",     "forward_list",   "map",           "unordered_map", "multimap",
      "pair",   "tuple", "optional", "variant",        "unique_ptr",    "shared_ptr",    "queue",
      "stack",  "array", "set",      "priority_queue", "unordered_set", "_Deque_base"};
  return record->getIdentifier() && record->isInStdNamespace() &&
         llvm::is_contained(names, record->getName());
}

}  // namespace

std::vector<const FunctionDecl*> stored_functions(clang::ASTContext& context, QualType type) {
  NamedFunctions named(context);
  named.TraverseAST(context);
  llvm::erase_if(named.found, [&](const FunctionDecl* function) {
    return !context.hasSameFunctionTypeIgnoringExceptionSpec(type->getPointeeType(),
                                                             function->getType());
  });
  return std::move(named.found);
}

std::vector<const CXXRecordDecl*> contained_classes(clang::ASTContext& context) {
  std::set<const CXXRecordDecl*> met;
  const auto& types = context.getTypes();
  for (std::size_t i = 0; i < types.size(); ++i) {  // Looking at one may make others.
    const clang::Type* type = types[i];
    if (type->isDependentType()) {
      continue;
    }
    if (const auto* array = llvm::dyn_cast<clang::ArrayType>(type)) {
      add_with_parts(class_of(array->getElementType().getCanonicalType()), met);
      continue;
    }
    const CXXRecordDecl* record =
        llvm::isa<clang::RecordType>(type) ? type->getAsCXXRecordDecl() : nullptr;
    if (record && contains_objects(record)) {
      for (const QualType held : template_types(record)) {
        add_with_parts(class_of(held.getCanonicalType()), met);
      }
    }
  }
  return {met.begin(), met.end()};
}

}  // namespace ddx::compiler
