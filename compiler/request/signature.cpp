#include "compiler/request/signature.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace ddx::compiler {
namespace {

clang::QualType object_parameter(const clang::ASTContext& context,
                                 const clang::CXXMethodDecl& method) {
  const clang::CXXRecordDecl* parent = method.getParent();
  const clang::ClassTemplateDecl* pattern = parent->getDescribedClassTemplate();
  const clang::QualType object =
      pattern != nullptr
          ? const_cast<clang::ClassTemplateDecl*>(pattern)->getInjectedClassNameSpecialization()
          : context.getTypeDeclType(parent);
  return context.getLValueReferenceType(object.withConst());
}

/// The canonical type `ddx::TangentOf<T>` of a parameter; null where it has no tangent, or is not
/// known yet.
clang::QualType tangent_of(clang::Sema& sema, clang::QualType parameter,
                           clang::SourceLocation where) {
  clang::ASTContext& context = sema.Context;
  const clang::QualType plain = parameter.getNonReferenceType().getUnqualifiedType();
  if (plain->isDependentType() || plain->isPointerType()) {
    return {};
  }
  for (clang::NamedDecl* space :
       context.getTranslationUnitDecl()->lookup(&context.Idents.get("ddx"))) {
    auto* library = llvm::dyn_cast<clang::NamespaceDecl>(space);
    for (clang::NamedDecl* found : library ? library->lookup(&context.Idents.get("TangentOf"))
                                           : clang::DeclContextLookupResult()) {
      auto* alias = llvm::dyn_cast<clang::TypeAliasTemplateDecl>(found);
      if (alias == nullptr) {
        continue;
      }
      clang::TemplateArgumentListInfo arguments(where, where);
      arguments.addArgument(sema.getTrivialTemplateArgumentLoc(clang::TemplateArgument(plain),
                                                               clang::QualType(), where));
      const clang::QualType tangent =
          sema.CheckTemplateIdType(clang::TemplateName(alias), where, arguments);
      if (tangent.isNull()) {
        return {};
      }
      const auto* record = tangent->getAsCXXRecordDecl();
      const bool none = record != nullptr && record->getIdentifier() != nullptr &&
                        record->getQualifiedNameAsString() == "ddx::NoTangent";
      return none ? clang::QualType() : tangent.getCanonicalType().getUnqualifiedType();
    }
  }
  return {};
}

bool may_change_its_object(const clang::CXXMethodDecl& method) {
  return method.isInstance() &&
         (!method.isConst() || method.isVolatile() || method.getRefQualifier() == clang::RQ_RValue);
}

}  // namespace

std::optional<ParameterTypes> derivative_parameters(const clang::ASTContext& context,
                                                    const clang::FunctionDecl& primal) {
  ParameterTypes result;
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&primal)) {
    if (llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(method) ||
        may_change_its_object(*method)) {
      return std::nullopt;
    }
    if (method->isInstance()) {
      result.push_back(object_parameter(context, *method).getCanonicalType());
    }
  }
  result.append(own_parameters(primal));
  return result;
}

std::optional<ParameterTypes> derivative_parameters(clang::Sema& sema,
                                                    const clang::FunctionDecl& primal, Way way) {
  std::optional<ParameterTypes> result = derivative_parameters(sema.Context, primal);
  if (!result || way == Way::Reverse) {
    return result;
  }
  const ParameterTypes parameters = *result;
  for (const clang::QualType parameter : parameters) {
    const clang::QualType tangent = tangent_of(sema, parameter, primal.getLocation());
    if (!tangent.isNull()) {
      result->push_back(tangent);
    }
  }
  return result;
}

bool fits(const ParameterTypes& own, const ParameterTypes& wanted, std::size_t exact) {
  if (own.size() != wanted.size()) {
    return false;
  }
  for (std::size_t i = 0; i < own.size(); ++i) {
    const bool by_const_reference = i >= exact && own[i]->isLValueReferenceType() &&
                                    own[i].getNonReferenceType().isConstQualified();
    const clang::QualType type =
        by_const_reference ? own[i].getNonReferenceType().getUnqualifiedType() : own[i];
    if (type != wanted[i]) {
      return false;
    }
  }
  return true;
}

ParameterTypes own_parameters(const clang::FunctionDecl& function) {
  ParameterTypes result;
  for (const clang::ParmVarDecl* parameter : function.parameters()) {
    result.push_back(parameter->getType().getCanonicalType().getUnqualifiedType());
  }
  if (!result.empty() && takes_wanted(function)) {
    result.pop_back();
  }
  return result;
}

std::string expected_signature(clang::Sema& sema, const clang::NamedDecl& derivative,
                               const clang::FunctionDecl& primal, Way way) {
  const clang::ASTContext& context = sema.Context;
  clang::PrintingPolicy policy(context.getLangOpts());
  std::string text;
  llvm::raw_string_ostream out(text);
  if (const auto* described = primal.getDescribedFunctionTemplate()) {
    described->getTemplateParameters()->print(out, context, policy);
  }
  out << "auto " << derivative.getNameAsString() << "(";
  llvm::SmallVector<clang::QualType> types;
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&primal);
      method != nullptr && method->isInstance()) {
    types.push_back(object_parameter(context, *method));
  }
  for (const clang::ParmVarDecl* parameter : primal.parameters()) {
    types.push_back(parameter->getType());
  }
  if (way == Way::Forward) {
    const llvm::SmallVector<clang::QualType> parameters = types;
    for (const clang::QualType type : parameters) {
      const clang::QualType tangent = tangent_of(sema, type, primal.getLocation());
      if (!tangent.isNull()) {
        types.push_back(tangent->isScalarType()
                            ? tangent
                            : context.getLValueReferenceType(tangent.withConst()));
      }
    }
  }
  llvm::interleaveComma(types, out, [&](clang::QualType type) { type.print(out, policy); });
  out << (way == Way::Forward && primal.isTemplated() ? ", tangents...)" : ")");
  return text;
}

namespace {

bool is_instance_of(clang::QualType type, llvm::StringRef name) {
  const auto* record = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      type.isNull() ? nullptr : type->getAsCXXRecordDecl());
  return record != nullptr && record->getQualifiedNameAsString() == name;
}

}  // namespace

bool takes_wanted(const clang::FunctionDecl& function) {
  const clang::ParmVarDecl* last =
      function.getNumParams() == 0 ? nullptr : function.parameters().back();
  return last != nullptr && last->hasDefaultArg() && is_instance_of(last->getType(), "ddx::Wanted");
}

bool is_vjp(clang::QualType type) {
  return is_instance_of(type, "ddx::Vjp");
}

bool has_symmetric_jacobian(const clang::FunctionDecl& vjp) {
  const auto* made = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      vjp.getReturnType()->getAsCXXRecordDecl());
  const auto* pullback =
      made ? made->getTemplateArgs()[1].getAsType()->getAsCXXRecordDecl() : nullptr;
  return pullback != nullptr &&
         !pullback->lookup(&vjp.getASTContext().Idents.get("DdxSymmetric")).empty();
}

bool is_jvp(clang::QualType type) {
  return is_instance_of(type, "ddx::ValueWithTangent");
}

}  // namespace ddx::compiler
