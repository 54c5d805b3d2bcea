#include "compiler/support/readable_names.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclarationName.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/Basic/OperatorKinds.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"

namespace ddx::compiler {
namespace {

constexpr std::size_t longest = 40;

/// Letters and digits of `text`; every run of others becomes one underscore between them.
std::string identifier_of(llvm::StringRef text, llvm::StringRef fallback) {
  std::string result;
  for (const char c : text) {
    if (!llvm::isAlnum(c)) {
      if (!result.empty() && result.back() != '_') {
        result += '_';
      }
      continue;
    }
    if (result.empty() && llvm::isDigit(c)) {
      result = fallback.str() + "_";
    }
    result += c;
  }
  result.resize(std::min(result.size(), longest));
  while (!result.empty() && result.back() == '_') {
    result.pop_back();
  }
  return result.empty() ? fallback.str() : result;
}

llvm::StringRef enumerator(clang::OverloadedOperatorKind kind) {
  switch (kind) {
#define OVERLOADED_OPERATOR(Name, Spelling, Token, Unary, Binary, MemberOnly) \
  case clang::OO_##Name:                                                      \
    return #Name;
#include "clang/Basic/OperatorKinds.def"
    case clang::OO_None:
    case clang::NUM_OVERLOADED_OPERATORS:
      break;
  }
  llvm_unreachable("not an operator");
}

}  // namespace

std::string readable_type(clang::QualType type, const clang::ASTContext& context) {
  clang::PrintingPolicy policy(context.getPrintingPolicy());
  policy.SuppressDefaultTemplateArgs = true;
  return (type->getContainedAutoType() ? type.getCanonicalType() : type)
      .getUnqualifiedType()
      .getAsString(policy);
}

std::string readable_name(const clang::ASTContext& context, clang::QualType type) {
  if (const auto* record = type->getAsCXXRecordDecl(); record != nullptr && record->isLambda()) {
    return "closure";
  }
  clang::PrintingPolicy policy(context.getLangOpts());
  policy.SuppressScope = true;
  policy.AnonymousTagLocations = false;
  return identifier_of(type.getCanonicalType().getAsString(policy), "type");
}

std::string readable_name(const clang::ASTContext& context, const clang::NamedDecl& declaration) {
  const clang::DeclarationName name = declaration.getDeclName();
  switch (name.getNameKind()) {
    case clang::DeclarationName::Identifier:
      return identifier_of(declaration.getName(), "unnamed");
    case clang::DeclarationName::CXXOperatorName:
      return "operator_" + enumerator(name.getCXXOverloadedOperator()).lower();
    case clang::DeclarationName::CXXConversionFunctionName:
      return "conversion_to_" + readable_name(context, name.getCXXNameType());
    case clang::DeclarationName::CXXLiteralOperatorName:
      return identifier_of("literal_" + name.getCXXLiteralIdentifier()->getName().str(), "literal");
    case clang::DeclarationName::CXXConstructorName:
    case clang::DeclarationName::CXXDestructorName:
    case clang::DeclarationName::CXXDeductionGuideName:
    case clang::DeclarationName::CXXUsingDirective:
    case clang::DeclarationName::ObjCZeroArgSelector:
    case clang::DeclarationName::ObjCOneArgSelector:
    case clang::DeclarationName::ObjCMultiArgSelector:
      break;
  }
  return "unnamed";
}

}  // namespace ddx::compiler
