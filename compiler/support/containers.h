/// \file
/// The containers, iterators and other class templates of the library that the compiler knows.

#pragma once

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/StringRef.h"

namespace ddx::compiler {

/// What pointers and iterators over arrays and vectors have in common: they denote a place in
/// one sequence.
struct IteratorInfo {
  clang::QualType element;
  bool reversed = false;  ///< Steps backwards, and denotes the element before its place.
};

/// StdPair: also a std::tuple of values. SumType: a std::optional or std::variant that may hold
/// reals. StdMap: a std::map or std::unordered_map from what holds no reals.
enum class Container {
  None,
  CArray,
  StdArray,
  StdVector,
  StdDeque,
  StdPair,
  StdComplex,
  SumType,
  StdMap
};

/// True for the class, or a specialisation of the template, of the library that has this name.
bool in_std(const clang::CXXRecordDecl* record, llvm::StringRef name);

/// A template argument of `record`, a specialisation, that is a type.
clang::QualType template_type_argument(const clang::CXXRecordDecl* record, unsigned position);

}  // namespace ddx::compiler
