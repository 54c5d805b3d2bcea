#include "compiler/shapes/classes.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

#include <optional>

namespace ddx::compiler::shapes {

bool is_of_std(const clang::Decl& declaration) {
  const clang::DeclContext* context = declaration.getDeclContext();
  while (context != nullptr && !context->isTranslationUnit()) {
    if (context->isStdNamespace()) {
      return true;
    }
    if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context)) {
      if (space->getName() == "__gnu_cxx") {
        return true;
      }
    }
    context = context->getParent();
  }
  return false;
}

bool is_of_library(const clang::ASTContext& ast, const clang::Decl& declaration) {
  const clang::SourceManager& sources = ast.getSourceManager();
  return sources.getFilename(sources.getExpansionLoc(declaration.getLocation()))
      .contains("include/ddx/");
}

std::string qualified_name(const clang::NamedDecl& declaration) {
  if (declaration.getIdentifier() == nullptr) {
    return {};
  }
  std::string name = declaration.getName().str();
  for (const clang::DeclContext* context = declaration.getDeclContext();
       !context->isTranslationUnit(); context = context->getParent()) {
    const auto* named = llvm::dyn_cast<clang::NamedDecl>(context);
    const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context);
    if (named != nullptr && named->getIdentifier() != nullptr &&
        (space == nullptr || !space->isInline())) {
      name.insert(0, named->getName().str() + "::");
    }
  }
  return name;
}

std::string class_name(const clang::CXXRecordDecl* record) {
  return record == nullptr ? std::string() : qualified_name(*record);
}

namespace {

bool is_record(const clang::CXXRecordDecl& record) {
  return record.hasDefinition() && !record.isUnion() && record.getNumVBases() == 0 &&
         !is_of_std(record) && !record.isDependentContext();
}

}  // namespace

Class class_of(clang::QualType type) {
  type = type.getNonReferenceType().getCanonicalType();
  if (type->isConstantArrayType()) {
    return Class::List;
  }
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (record == nullptr) {
    return type->isScalarType() ? Class::Scalar : Class::Opaque;
  }
  const std::string name = class_name(record);
  const auto known =
      llvm::StringSwitch<std::optional<Class>>(name)
          .Cases("ddx::Tensor", "ddx::detail::Array", "ddx::detail::DiscreteArray", Class::Tensor)
          .Cases("ddx::Shape", "ddx::Indices", "std::vector", "std::array", "std::span",
                 "std::initializer_list", "std::pair", "std::tuple", "std::optional", Class::List)
          .Cases("ddx::Device", "ddx::RandomKey", "ddx::ops::Literal", Class::Opaque)
          .Case("__gnu_cxx::__normal_iterator", Class::Iterator)
          .Default(std::nullopt);
  if (known) {
    return *known;
  }
  return is_record(*record) ? Class::Record : Class::Opaque;
}

bool is_mutable_access(clang::QualType type) {
  return (type->isReferenceType() || type->isPointerType()) && !is_access_to_const(type);
}

bool is_access_to_const(clang::QualType type) {
  return (type->isReferenceType() || type->isPointerType()) &&
         type->getPointeeType().isConstQualified();
}

}  // namespace ddx::compiler::shapes
