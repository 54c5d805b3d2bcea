/// \file
/// The parts of the emission of one derivative.

#pragma once

#include "compiler/emit/adjoint_arrays.h"
#include "compiler/emit/conditions.h"
#include "compiler/emit/flat_adjoints.h"
#include "compiler/emit/forward.h"
#include "compiler/emit/forward_loops.h"
#include "compiler/emit/primal_calls.h"
#include "compiler/emit/reverse.h"
#include "compiler/emit/reverse_calls.h"
#include "compiler/emit/reverse_loops.h"
#include "compiler/emit/scatter.h"
#include "compiler/emit/selections.h"
#include "compiler/emit/shapes.h"
#include "compiler/emit/slice_copies.h"
#include "compiler/emit/slopes.h"
#include "compiler/emit/speller.h"
#include "compiler/emit/writer.h"

namespace ddx::compiler {

/// Owns the parts.
struct EmitParts {
  EmitParts(const Context& for_unit, ir::Derivative& emitted, const Writes& of_function)
      : context(for_unit), derivative(emitted), writes(of_function) {}

  const Context& context;
  ir::Derivative& derivative;
  const Writes& writes;
  CppWriter writer;
  Speller speller{*this};
  Slopes slopes{*this};
  Shapes shapes{*this};
  SliceCopies slice_copies{*this};
  PrimalCalls primal_calls{*this};
  ForwardSweep forward{*this};
  ForwardLoops forward_loops{*this};
  Conditions conditions{*this};
  Selections selections{*this};
  FlatAdjoints flat_adjoints{*this};
  AdjointArrays adjoint_arrays{*this};
  Scatters scatters{*this};
  ReverseSweep reverse{*this};
  ReverseLoops reverse_loops{*this};
  ReverseCalls reverse_calls{*this};
};

}  // namespace ddx::compiler
