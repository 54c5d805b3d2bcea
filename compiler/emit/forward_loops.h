/// \file
/// The loops of the forward sweep.

#pragma once

#include "compiler/emit/part.h"

#include <string>

namespace ddx::compiler {

/// Writes loops that save their residuals: an array of them for a loop whose number of iterations
/// is known in front of it, a chain for others.
class ForwardLoops : public EmitPart {
 public:
  using EmitPart::EmitPart;

  void forward_loop(ir::Statement& loop);

 private:
  std::string begin_loop(const ir::Statement& loop);
  std::string begin_counted(const ir::Statement& loop);
  void declare_counts(const ir::Statement& loop);
  void begin_iteration(const ir::Statement& loop);
  /// The struct of residuals of one iteration.
  [[nodiscard]] std::string node_type(const ir::Statement& loop) const {
    return derivative_.residuals() + "_" + loop.inner->name;
  }
};

}  // namespace ddx::compiler
