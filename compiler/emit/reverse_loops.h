/// \file
/// The loops of the reverse sweep.

#pragma once

#include "compiler/emit/part.h"

#include <string>
#include <vector>

namespace ddx::compiler {

/// Writes loops that run the iterations backwards, or in their own order where nothing depends on
/// it.
class ReverseLoops : public EmitPart {
 public:
  using EmitPart::EmitPart;

  /// `__restrict` says something on parameters alone, so a loop that reaches adjoints of local
  /// vectors, or of vectors in objects, stands in a closure that takes pointers to them. So do the
  /// terms that it scatters.
  void reverse_loop(ir::Statement& loop);
  /// The number of iterations that ran.
  std::string trips(const ir::Statement& loop);

 private:
  [[nodiscard]] bool is_independent(const ir::Statement& loop) const;
  void reverse_iterations(ir::Statement& loop);
  void reverse_increment(ir::Statement& loop);
  void reverse_counters(const ir::Statement& loop, bool upwards);

  /// A parameter of a closure: a pointer to the adjoints of a vector's elements.
  struct ElementPointer {
    std::string element;
    std::string name;
  };
  std::vector<ElementPointer> pointers_;  ///< Those of the closures around this place.
};

}  // namespace ddx::compiler
