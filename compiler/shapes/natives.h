/// \file
/// What the analysis of shapes knows of functions without executing them.

#pragma once

#include "compiler/shapes/interpreter.h"

#include <optional>

namespace ddx::compiler::shapes {

/// The rule for a function, or null.
Native native_of(const clang::FunctionDecl& function);

/// Those of tensors: members and constructors.
Native tensor_native(const clang::FunctionDecl& function);
/// Those of lists and iterators: members and constructors.
Native list_native(const clang::FunctionDecl& function);
/// Those of std::optional, a list of one element or none.
Native optional_native(const clang::FunctionDecl& function);
/// Checks of layers and losses: functions of ddx::nn::detail, and those that throw.
Native layer_check(const clang::FunctionDecl& function, llvm::StringRef name);
/// Functions that compute extents from extents, by their names in namespace ddx.
Native extents_native(llvm::StringRef name);
/// Those of namespace std, such as std::move.
Native standard_native(llvm::StringRef name);
/// Operators of lists and iterators that are no members, such as ==.
Native standard_operator(const clang::FunctionDecl& function);
/// Operations on arrays: ddx::detail::matmul and the others of ddx/tensor/detail/operations.h.
Native operation_native(llvm::StringRef name);
/// Factorisations and systems of equations, of arrays.
Native linear_algebra_native(llvm::StringRef name);
/// ddx::einsum, of tensors one by one or in a vector.
std::optional<const Value*> einsum(Interpreter& in, const Call& call);
/// Functions that differentiate, ddx::shaped and ddx::einsum.
Native library_native(llvm::StringRef name);

/// The value of an argument of a call, whether it is passed by value or by reference.
const Value* argument(Interpreter& in, const Call& call, unsigned index);

/// The product of the elements of a list, or of the extents of a tensor.
const Value* product(Arena& arena, const Value& list);

/// Whether an expression is a call or constructs an object.
bool is_call(const clang::Expr* expression);
/// Executes one; returns a pointer for a glvalue.
const Value* call_expression(Interpreter& in, const clang::Expr* expression);
/// Constructs an object at a place.
void construct(Interpreter& in, const Place& place, const clang::CXXConstructExpr* e);

/// Whether a variable that anything may have been stored in has nothing to do with shapes.
bool class_may_hold_shapes(clang::QualType type);

}  // namespace ddx::compiler::shapes
