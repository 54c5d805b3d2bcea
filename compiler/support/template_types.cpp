#include "compiler/support/template_types.h"

namespace ddx::compiler {

using clang::TemplateArgument;

std::vector<clang::QualType> template_types(const clang::CXXRecordDecl* record) {
  std::vector<clang::QualType> result;
  const auto* made = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record);
  if (!made) {
    return result;
  }
  for (const TemplateArgument& argument : made->getTemplateArgs().asArray()) {
    const auto parts = argument.getKind() == TemplateArgument::Pack ? argument.pack_elements()
                                                                    : llvm::ArrayRef(argument);
    for (const TemplateArgument& part : parts) {
      if (part.getKind() == TemplateArgument::Type) {
        result.push_back(part.getAsType());
      }
    }
  }
  return result;
}

}  // namespace ddx::compiler
