/// \file
/// What a function of a unit is a derivative of.

#pragma once

#include "llvm/IR/DerivedTypes.h"

#include <compare>
#include <string>

namespace ddx::compiler::memory {

/// How a derivative is made of a function, as origins name it.
enum class Mode : char {
  Forward = 'f',  ///< The forward part of reverse mode.
  Reverse = 'r',  ///< Its reverse part.
  Tangent = 't'   ///< Forward mode.
};

/// A function of the program has its type and no modes; a derivative the type of the function of
/// the program that it comes from, and the mode of each derivative in between, the first one first.
///
/// A call through a pointer reaches functions of one origin: derivatives of functions of other
/// types may have the same type, as most reverse sweeps do.
struct Origin {
  llvm::FunctionType* type = nullptr;
  std::string modes;

  /// That of a derivative of a function of this origin.
  [[nodiscard]] Origin then(Mode mode) const { return {type, modes + static_cast<char>(mode)}; }

  /// How many derivatives lie between: 0 for a function of the program.
  [[nodiscard]] unsigned order() const { return static_cast<unsigned>(modes.size()); }

  auto operator<=>(const Origin&) const = default;
};

/// The name of what calls functions of an origin through a pointer: "ddx.indirect.rt.double (ptr)"
/// for the tangents of reverse sweeps of functions double(void*).
std::string name_of_caller(const Origin& callees);

}  // namespace ddx::compiler::memory
