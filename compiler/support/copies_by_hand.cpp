/// Which classes may have copies that are not those of their members.

#include "compiler/support/copies.h"
#include "compiler/support/template_types.h"

#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"

namespace ddx::compiler {

using namespace clang;

/// True for a copy or move, by construction or assignment, that is written in the class.
static bool is_by_hand(const CXXMethodDecl* method) {
  const auto* constructor = dyn_cast<CXXConstructorDecl>(method);
  const bool copies =
      constructor ? constructor->isCopyOrMoveConstructor()
                  : method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator();
  return copies && method->isUserProvided();
}

bool Copies::copies_by_hand(QualType type) {
  if (type->isReferenceType() || type->isPointerType() || type->isScalarType()) {
    return false;
  }
  type = type.getCanonicalType().getUnqualifiedType();
  if (const auto* array = type->getAsArrayTypeUnsafe()) {
    return copies_by_hand(array->getElementType());
  }
  const CXXRecordDecl* const found = Types::record(type);
  if (!found || !found->hasDefinition() || found->isLambda() || types_.is_leaf(found) ||
      types_.is_dynamic_pointer(type) || Types::is_dynamic_function(type) ||
      !types_.may_hold_real(type)) {
    return false;
  }
  const auto [place, is_new] = copies_by_hand_.try_emplace(type.getTypePtr(), false);
  if (!is_new) {
    return place->second;  // False for a class that is being looked at.
  }
  bool result = false;
  if (in_library(found)) {
    result = llvm::any_of(template_types(found),
                          [&](QualType argument) { return copies_by_hand(argument); });
  } else {
    result =
        llvm::any_of(found->methods(), is_by_hand) ||
        llvm::any_of(found->fields(),
                     [&](const FieldDecl* field) { return copies_by_hand(field->getType()); }) ||
        llvm::any_of(found->bases(),
                     [&](const CXXBaseSpecifier& base) { return copies_by_hand(base.getType()); });
  }
  return copies_by_hand_[type.getTypePtr()] = result;
}

}  // namespace ddx::compiler
