/// \file
/// A derivative as text, and the emitter that writes it.

#pragma once

#include "compiler/ir/ir.h"

#include <string>

namespace ddx::compiler::ir {

/// One function with one activity: its IR while it is worked on, then its C++ text.
struct Derivative {
  unsigned id = 0;
  Function function;
  std::string name;     ///< Stem of the names of record, forward and reverse.
  bool active = false;  ///< Some parameter is active: there is a reverse sweep.
  bool in_progress = true;
  bool recursive = false;
  std::string declarations;  ///< Record and prototypes.
  std::string definitions;
  std::vector<bool> reverse_takes;  ///< For each parameter: handed to the reverse sweep again.

  std::string record() const { return name + "_record"; }
  std::string forward() const { return name + "_forward"; }
  std::string reverse() const { return name + "_reverse"; }
};

}  // namespace ddx::compiler::ir
