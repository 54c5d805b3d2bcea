#include "compiler/analysis/array_part.h"

namespace ddx::compiler {

using namespace ir;

ArrayPart leading_part(const Path& path, std::size_t& next) {
  ArrayPart part{path.root, {}};
  for (next = 0; next < path.steps.size(); ++next) {
    const clang::FieldDecl* const field = path.steps[next].field;
    if (!field || path.steps[next].part >= 0 || field->getParent()->isUnion()) {
      break;
    }
    part.fields.push_back(field);
  }
  return part;
}

std::optional<ArrayPart> array_of_element(const Path& path) {
  std::size_t next = 0;
  ArrayPart part = leading_part(path, next);
  return next + 1 == path.steps.size() && path.steps.back().is_element() ? std::optional(part)
                                                                         : std::nullopt;
}

}  // namespace ddx::compiler
