/// \file
/// The calls of the reverse sweep.

#pragma once

#include "compiler/emit/part.h"

namespace ddx::compiler {

/// Writes calls of reverse sweeps and of pullbacks.
class ReverseCalls : public EmitPart {
 public:
  using EmitPart::EmitPart;

  void reverse_call(ir::Statement& call);
  /// The same for a function with a registered derivative.
  void reverse_registered(ir::Statement& call);
};

}  // namespace ddx::compiler
