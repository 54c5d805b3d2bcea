/// \file
/// Signatures as derivatives see them: a member's object is the first parameter.

#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Type.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/SmallVector.h"

#include <cstddef>
#include <optional>
#include <string>

namespace ddx::compiler {

using ParameterTypes = llvm::SmallVector<clang::QualType>;

/// The canonical parameter types that a derivative of `primal` has; for a member, `const Class&`
/// comes first. Nothing for what can have no registered derivative: constructors, destructors, and
/// members that may change their object.
std::optional<ParameterTypes> derivative_parameters(const clang::ASTContext& context,
                                                    const clang::FunctionDecl& primal);

/// Which way a registered derivative goes.
enum class Way { Reverse, Forward };

/// The canonical parameter types of a derivative of `primal`, which is not a template: those above,
/// and for forward mode the tangents of those that have one, as values.
std::optional<ParameterTypes> derivative_parameters(clang::Sema& sema,
                                                    const clang::FunctionDecl& primal, Way way);

/// Whether a derivative with the parameters `own` fits: what `wanted` has after the first `exact`
/// types may come by value or by `const&`.
bool fits(const ParameterTypes& own, const ParameterTypes& wanted, std::size_t exact);

/// Whether the last parameter of `function`, a derivative for forward mode, says which tangents are
/// those of constants: a `ddx::Wanted` with a default.
bool takes_wanted(const clang::FunctionDecl& function);

/// The canonical parameter types of `function` itself, without that one.
ParameterTypes own_parameters(const clang::FunctionDecl& function);

/// "auto NAME(TYPES)" for reverse mode, with "template <PARAMETERS> " before it where `primal` is a
/// template.
std::string expected_signature(clang::Sema& sema, const clang::NamedDecl& derivative,
                               const clang::FunctionDecl& primal, Way way);

/// Whether `type` is a specialisation of class template `ddx::Vjp`.
bool is_vjp(clang::QualType type);

/// Whether the class of the pullback that a derivative returns says, by a member type
/// `DdxSymmetric`, that the Jacobian is symmetric: then the pullback maps tangents as well.
bool has_symmetric_jacobian(const clang::FunctionDecl& vjp);

/// Whether `type` is one of class template `ddx::ValueWithTangent`.
bool is_jvp(clang::QualType type);

}  // namespace ddx::compiler
