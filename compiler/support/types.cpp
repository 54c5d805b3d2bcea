#include "compiler/support/types.h"

namespace ddx::compiler {

using clang::CXXRecordDecl;
using clang::QualType;

const CXXRecordDecl* Types::record(QualType type) {
  const CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->hasDefinition() ? record->getDefinition() : nullptr;
}

bool Types::is_closure(QualType type) {
  const CXXRecordDecl* found = record(type);
  return found && found->isLambda();
}

bool Types::is_function_object(QualType type) {
  return in_std(record(type), "function");
}

const std::vector<const clang::FunctionDecl*>& Types::stored_functions(QualType type) {
  const clang::Type* const key =
      type.getNonReferenceType().getCanonicalType().getUnqualifiedType().getTypePtr();
  const auto [found, is_new] = stored_functions_.try_emplace(key);
  if (is_new) {
    found->second = compiler::stored_functions(context_, type);
  }
  return found->second;
}

}  // namespace ddx::compiler
