/// \file
/// What each part of the emission reaches.

#pragma once

#include "compiler/analysis/writes.h"
#include "compiler/emit/sweep.h"
#include "compiler/emit/writer.h"
#include "compiler/ir/derivative.h"
#include "compiler/support/context.h"

#include <string>

namespace ddx::compiler {

class AdjointArrays;
class Conditions;
class FlatAdjoints;
class ForwardLoops;
class ForwardSweep;
class PrimalCalls;
class ReverseCalls;
class ReverseLoops;
class ReverseSweep;
class Scatters;
class Selections;
class Shapes;
class SliceCopies;
class Slopes;
class Speller;
struct EmitParts;

/// Base class of the parts of the emission: classes of one theme each, which live as long as the
/// text of one derivative is written. A part appends to the text through `writer_`, spells what
/// stands in it through `speller_`, and calls the other parts for what lies outside its own theme.
class EmitPart {
 public:
  explicit EmitPart(EmitParts& all);
  EmitPart(const EmitPart&) = delete;
  EmitPart& operator=(const EmitPart&) = delete;

 protected:
  void line(const std::string& text) { writer_.line(text); }
  void open(const std::string& text) { writer_.open(text); }
  void close(const std::string& text = "}") { writer_.close(text); }

  const Context& context_;
  ir::Derivative& derivative_;
  ir::Function& function_;
  const Writes& writes_;
  CppWriter& writer_;
  Speller& speller_;
  Slopes& slopes_;
  Shapes& shapes_;
  SliceCopies& slice_copies_;
  PrimalCalls& primal_calls_;
  ForwardSweep& forward_;
  ForwardLoops& forward_loops_;
  Conditions& conditions_;
  Selections& selections_;
  FlatAdjoints& flat_adjoints_;
  AdjointArrays& adjoint_arrays_;
  Scatters& scatters_;
  ReverseSweep& reverse_;
  ReverseLoops& reverse_loops_;
  ReverseCalls& reverse_calls_;
};

}  // namespace ddx::compiler
