/// \file
/// Copies of parts of arrays that a loop of the reverse sweep reads.

#pragma once

#include "compiler/emit/part.h"

#include <string>

namespace ddx::compiler {

/// Writes the copies that stand in front of loops of the forward sweep, and what reads them.
class SliceCopies : public EmitPart {
 public:
  using EmitPart::EmitPart;

  /// Copies what stands in front of `loop`, which counts from `begin` to `end`.
  void copy_slices(const ir::Statement& loop, const std::string& begin, const std::string& end);
  /// In front of the reverse sweep of `loop`: asks for what lies below its copies, of which the
  /// first is lowest.
  void fetch_copies(const ir::Statement& loop);
  /// An element that was copied, in the reverse sweep.
  std::string copied(const ir::Value& load);

 private:
  void copy_tile(const ir::SavedTile& rows);
};

}  // namespace ddx::compiler
