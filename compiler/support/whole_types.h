/// \file
/// What holds of a type as a whole, with all that its objects hold.

#pragma once

#include "compiler/support/types.h"

namespace ddx::compiler {

/// Integers, enumerators, sequences of them and objects made of them: what they are computed from
/// leaves no trace of real numbers in them. Characters do not count: they make texts.
bool is_discrete(clang::QualType type, Types& types);

/// True when a copy of an object shares nothing with it that may change: no pointer, reference or
/// view in it.
bool is_self_contained(clang::QualType type, Types& types);

/// True where the class declares a copy constructor, or has one implicitly, and is not abstract.
bool is_copyable(clang::QualType type);

}  // namespace ddx::compiler
