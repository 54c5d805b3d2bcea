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

ParameterTypes own_parameters(const clang::FunctionDecl& function) {
  ParameterTypes result;
  for (const clang::ParmVarDecl* parameter : function.parameters()) {
    result.push_back(parameter->getType().getCanonicalType().getUnqualifiedType());
  }
  return result;
}

std::string expected_signature(const clang::ASTContext& context, const clang::NamedDecl& derivative,
                               const clang::FunctionDecl& primal) {
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
  llvm::interleaveComma(types, out, [&](clang::QualType type) { type.print(out, policy); });
  out << ")";
  return text;
}

bool is_vjp(clang::QualType type) {
  const auto* record = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      type.isNull() ? nullptr : type->getAsCXXRecordDecl());
  return record != nullptr && record->getQualifiedNameAsString() == "ddx::Vjp";
}

}  // namespace ddx::compiler
