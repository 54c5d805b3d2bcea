/// \file
/// Arrays that are members of objects, distinguished by the fields that lead to them.

#pragma once

#include "compiler/ir/ir.h"

#include <optional>

namespace ddx::compiler {

/// An object, or the member of it that `fields` lead to. Of one object, two of them that end in
/// arrays of numbers are the same array or have nothing in common.
struct ArrayPart {
  const ir::Root* root = nullptr;
  llvm::SmallVector<const clang::FieldDecl*, 2> fields;

  friend bool operator==(const ArrayPart&, const ArrayPart&) = default;
};

/// What the fields at the beginning of `path` lead to; `next` becomes the number of the first step
/// behind them. A member of a union ends them: it is no part of its own.
ArrayPart leading_part(const ir::Path& path, std::size_t& next);

/// The array that `path` names one element of, and nothing further inside.
std::optional<ArrayPart> array_of_element(const ir::Path& path);

}  // namespace ddx::compiler
