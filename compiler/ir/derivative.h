/// \file
/// A derivative as text, and the emitter that writes it.

#pragma once

#include "compiler/ir/ir.h"
#include "compiler/support/types.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ddx::compiler::ir {

/// One function with one activity: its IR while it is worked on, then its C++ text.
struct Derivative {
  unsigned id = 0;
  Function function;
  std::string name;     ///< Stem of the names of residuals, forward and reverse.
  bool active = false;  ///< Some parameter is active: there is a reverse sweep.
  bool in_progress = true;
  bool recursive = false;
  bool result_depends = true;  ///< Its result may depend on its active parameters.
  bool cuts = false;           ///< It, or what it calls, calls without_derivative.
  bool uses_arena = false;     ///< It, or what it calls, takes memory from the arena.
  bool is_deferred = false;    ///< It reaches an entry that is not defined yet.
  std::string declarations;    ///< Struct of residuals and prototypes.
  std::string definitions;
  bool has_batched = false;          ///< The next two are filled.
  std::string batched_declarations;  ///< Of the reverse sweep that serves several rows at once.
  std::string batched_definitions;
  std::vector<bool> reverse_takes;  ///< For each parameter: handed to the reverse sweep again.
  /// For each parameter: its adjoint is passed as a pointer to those of the elements.
  std::vector<bool> flat_adjoints;

  std::vector<bool> keeps_shape;  ///< For each parameter: as kept_shapes says.

  /// Where the reverse sweep takes over the elements of the cotangent of its result, by pointer:
  /// the slot of the residuals that says how many they are.
  std::string seed_size;

  /// False while the derivative is being worked on.
  bool takes_flat(std::size_t parameter) const {
    return parameter < flat_adjoints.size() && flat_adjoints[parameter];
  }

  std::string residuals() const { return name + "_record"; }
  std::string forward() const { return name + "_forward"; }
  std::string reverse() const { return name + "_reverse"; }
  std::string reverse_batched() const { return name + "_reverse_rows"; }
  std::string tangent() const { return name + "_tangent"; }

  /// Forward mode: it hands out the tangent of its result.
  bool gives_tangent(Types& types) const {
    return active && function.key.result_useful && !function.result->isVoidType() &&
           types.has_tangent(function.result);
  }
};

}  // namespace ddx::compiler::ir
