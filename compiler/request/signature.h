/// \file
/// Signatures as derivatives see them: a member's object is the first parameter.

#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace ddx::compiler {

using ParameterTypes = llvm::SmallVector<clang::QualType>;

/// The canonical parameter types that a derivative of `primal` has; for a member, `const Class&`
/// comes first. Nothing for what can have no registered derivative: constructors, destructors, and
/// members that may change their object.
std::optional<ParameterTypes> derivative_parameters(const clang::ASTContext& context,
                                                    const clang::FunctionDecl& primal);

/// The canonical parameter types of `function` itself.
ParameterTypes own_parameters(const clang::FunctionDecl& function);

/// "auto NAME(TYPES)", with "template <PARAMETERS> " before it where `primal` is a template.
std::string expected_signature(const clang::ASTContext& context, const clang::NamedDecl& derivative,
                               const clang::FunctionDecl& primal);

/// Whether `type` is a specialisation of class template `ddx::Vjp`.
bool is_vjp(clang::QualType type);

}  // namespace ddx::compiler
