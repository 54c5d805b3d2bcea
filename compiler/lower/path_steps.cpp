#include "compiler/lower/path_steps.h"

#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

Path field_path(Path base, const FieldDecl* field) {
  Step step;
  step.field = field;
  base.steps.push_back(step);
  QualType type = Types::member_type(field);
  if (base.type.isConstQualified() && !field->isMutable()) {
    type = type.withConst();
  }
  base.type = type;
  return base;
}

std::optional<Path> element_path(std::optional<Path> base, Value* index, QualType type) {
  if (!base) {
    return std::nullopt;
  }
  Step step;
  if (index) {
    step.index.push_back(index);
  }
  const Container kind = Types::container(base->type);
  step.segmented = kind == Container::StdDeque;
  base->steps.push_back(step);
  base->type = type;
  return base;
}

std::optional<Path> offset(std::optional<Path> base, Value* index) {
  if (!base || !index || (index->kind == Value::Kind::Text && index->text == "0")) {
    return base;
  }
  if (base->steps.empty() || !base->steps.back().is_element() || base->steps.back().segmented) {
    return std::nullopt;  // A pointer to a single object has no neighbours.
  }
  base->steps.back().index.push_back(index);
  return base;
}

Binding object_at(Path path) {
  Binding bound;
  bound.kind = Binding::Kind::Object;
  bound.path = std::move(path);
  return bound;
}

}  // namespace ddx::compiler
