/// \file
/// The calls of the forward sweep.

#pragma once

#include "compiler/emit/part.h"

#include <string>

namespace ddx::compiler {

/// Writes calls with the primal's arguments: of a function itself, of its forward sweep, of its
/// registered derivative.
class PrimalCalls : public EmitPart {
 public:
  using EmitPart::EmitPart;

  /// A call in the forward sweep.
  void forward_call(ir::Statement& call);
  /// A call of the function itself; `declared`: what the result initialises.
  void call_as_it_stands(const ir::Statement& call, const std::string& declared);
  /// The arguments of a call of its registered derivative, which need not repeat the defaults of
  /// its primal.
  std::string registered_arguments(const ir::Statement& call);
  std::string arguments(const ir::Statement& call, bool leave_out_defaults, bool skip_first);

 private:
  std::string argument(const ir::Argument& argument);
};

}  // namespace ddx::compiler
