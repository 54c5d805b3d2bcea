/// \file
/// Looks for mistakes of the compiler in the text of derivatives, before Clang reads it.
///
/// Clang finds an undeclared name and a type that does not fit. This finds what is C++ and
/// would give wrong numbers: a name that hides another, a cotangent that goes nowhere, a residual
/// that one sweep keeps and the other passes over.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ddx::compiler {

/// What is wrong with `text`, a sentence for each mistake that begins with the function's name:
///
/// - brackets match;
/// - inside a function, no declaration hides another, except for the parameters of closures that
/// are
///   called where they stand, which are pointers to the same adjoints;
/// - adjoints have a value from the start, and so has all that a reverse sweep declares;
/// - what a reverse sweep puts into an adjoint of its own is read again;
/// - a reverse sweep writes to nothing but adjoints and what it declares;
/// - a field of a struct of residuals that a reverse sweep reads, its forward sweep names;
/// - residuals of calls that a forward sweep fills, its reverse sweep hands over, the last first;
/// - memory of the arena is released where it was marked, the last first.
std::vector<std::string> mistakes_in(std::string_view text);

}  // namespace ddx::compiler
