/// \file
/// Arithmetic of integers and pointers that are known.

#pragma once

#include "compiler/shapes/values.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

namespace ddx::compiler::shapes {

/// An integer as one of another type; unknown where its value would change.
const Value* converted(clang::ASTContext& ast, Arena& arena, const Value* value,
                       clang::QualType type);

/// The result of an operator that neither assigns nor is logical. What overflows is unknown.
const Value* computed(clang::ASTContext& ast, Arena& arena, const clang::BinaryOperator* e,
                      const Value* left, const Value* right);

/// A pointer to an element of a list, `distance` elements on.
const Value* moved(Arena& arena, const Value* pointer, const Value* distance);

/// The distance of two pointers to elements of one list, in elements.
std::optional<std::int64_t> distance(const Value& from, const Value& to);

}  // namespace ddx::compiler::shapes
