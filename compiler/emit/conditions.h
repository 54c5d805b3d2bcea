/// \file
/// The control flow of the reverse sweep.

#pragma once

#include "compiler/emit/part.h"

#include <string>

namespace ddx::compiler {

/// Spells what the forward sweep executed, from the sites at which it left blocks.
class Conditions : public EmitPart {
 public:
  using EmitPart::EmitPart;

  /// The condition under which what follows a statement with these exits was executed.
  static std::string entered(const ir::Exits& exits);
  /// The condition under which a branch was taken.
  std::string taken(const ir::Statement& branch);
  /// Past these sites, backwards, control flow is ordinary again.
  void clear_exits(const ir::Exits& exits);
};

}  // namespace ddx::compiler
