/// \file
/// Access paths with one more step.

#pragma once

#include "compiler/lower/binding.h"

#include <optional>

namespace ddx::compiler {

std::optional<ir::Path> element_path(std::optional<ir::Path> base, ir::Value* index,
                                     clang::QualType type);
std::optional<ir::Path> offset(std::optional<ir::Path> base, ir::Value* index);
ir::Path field_path(ir::Path base, const clang::FieldDecl* field);
/// What names the object at `path`, without a name in text.
Binding object_at(ir::Path path);

}  // namespace ddx::compiler
