/// \file
/// What a variable denotes while a function is lowered.

#pragma once

#include "compiler/ir/ir.h"

#include "clang/AST/DeclCXX.h"

#include <memory>
#include <vector>

namespace ddx::compiler {

struct ScalarizedObject;

/// What a C++ name denotes.
struct Binding {
  enum class Kind { None, Object, Pointer, View, Closure, Function, Functor, Member };
  Kind kind = Kind::None;
  /// Object; Pointer: the element pointed to; View: the first element; Functor: the object,
  /// `function` its call operator.
  ir::Path path;
  std::shared_ptr<ScalarizedObject> closure;  ///< Closure: what its captures denote.
  /// Closure: its call operator, where the class has several.
  const clang::FunctionDecl* function = nullptr;
  const clang::FieldDecl* member = nullptr;  ///< Member: what a pointer to member points to.
  bool stands_for_callable() const {
    return kind == Kind::Closure || kind == Kind::Function || kind == Kind::Functor ||
           kind == Kind::Member;
  }
  ir::Root* alias = nullptr;  ///< The reference or pointer that text names it by, if it has one.
  /// Pointer that moves, or iterator: its place in the sequence that the path, whose last step has
  /// no index, goes through. `alias` is then that sequence.
  ir::Root* position = nullptr;
  clang::QualType iterator;    ///< Pointer, View: the class of the iterator or view that it is.
  ir::Root* extent = nullptr;  ///< View: the number of elements.
};

/// An object of a class that is scalarized (see Types): a lambda, known by its captures, or an
/// object that keeps references, known by its members. In the order of its members. No such object
/// exists at run time.
struct ScalarizedObject {
  const clang::CXXRecordDecl* record = nullptr;
  std::vector<Binding> captures;
  bool owns_referents = false;  ///< What its references refer to is its own, as a pullback's.
};

}  // namespace ddx::compiler
