/// \file
/// How the analysis of shapes represents objects of a class.

#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace ddx::compiler::shapes {

/// Representations.
enum class Class : std::uint8_t {
  Scalar,    ///< Not a class: numbers, pointers.
  Tensor,    ///< By its extents.
  List,      ///< Shapes, index lists, arrays, vectors, spans, pairs, tuples: by their elements.
  Record,    ///< By bases and fields.
  Iterator,  ///< Of a list: a pointer to an element.
  Opaque,    ///< Not at all.
};

/// The representation of objects of a type, references removed.
Class class_of(clang::QualType type);

/// "std::vector" for each of its specialisations; empty for null, or what has no name.
std::string class_name(const clang::CXXRecordDecl* record);

/// The name with its namespaces and classes, without inline namespaces and template arguments;
/// empty for an operator.
std::string qualified_name(const clang::NamedDecl& declaration);

/// Whether a function is of namespace std or one below.
bool is_of_std(const clang::Decl& declaration);

/// Whether a function is declared in namespace ddx, by a header of the library.
bool is_of_library(const clang::ASTContext& ast, const clang::Decl& declaration);

/// Whether an object is changed through a reference or pointer of the type.
bool is_mutable_access(clang::QualType type);
/// Whether the type is a reference or pointer to const.
bool is_access_to_const(clang::QualType type);

}  // namespace ddx::compiler::shapes
