/// \file
/// Text that entries have in common, whichever path they take.

#pragma once

#include "compiler/request/request.h"
#include "compiler/support/names.h"

#include <string>
#include <vector>

namespace ddx::compiler {

/// What the class of a pullback's state is written with.
struct PullbackClass {
  std::string base;
  std::string value;     ///< The type of the function's result.
  std::string tangents;  ///< The type of the tuple of the selected arguments' tangents.
  std::string members;   ///< Declarations of `f`, `a0`, ...
  std::string parameters;
  std::string initialisers;
  std::string passed;  ///< The arguments of the constructor, as the entry names them.
};

PullbackClass pullback_class(const Request& request, Names& names);

/// The names of the parameters of an entry.
std::vector<std::string> entry_parameters(const Request& request);

}  // namespace ddx::compiler
