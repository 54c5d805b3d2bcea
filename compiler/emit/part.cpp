#include "compiler/emit/part.h"

#include "compiler/emit/all_parts.h"

namespace ddx::compiler {

EmitPart::EmitPart(EmitParts& all)
    : context_(all.context),
      derivative_(all.derivative),
      function_(all.derivative.function),
      writes_(all.writes),
      writer_(all.writer),
      speller_(all.speller),
      slopes_(all.slopes),
      shapes_(all.shapes),
      slice_copies_(all.slice_copies),
      primal_calls_(all.primal_calls),
      forward_(all.forward),
      forward_loops_(all.forward_loops),
      conditions_(all.conditions),
      selections_(all.selections),
      flat_adjoints_(all.flat_adjoints),
      adjoint_arrays_(all.adjoint_arrays),
      scatters_(all.scatters),
      reverse_(all.reverse),
      reverse_loops_(all.reverse_loops),
      reverse_calls_(all.reverse_calls) {}

}  // namespace ddx::compiler
