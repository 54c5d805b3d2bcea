/// \file
/// The structs of residuals and the signatures of the sweeps.

#pragma once

#include "compiler/emit/part.h"

#include <string>

namespace ddx::compiler {

/// Spells what the definitions of the sweeps begin with.
class Signatures : public EmitPart {
 public:
  using EmitPart::EmitPart;

  /// The structs of residuals, those of inner iterations first: outer residuals point at inner
  /// ones.
  std::string residual_structs();
  std::string forward_signature();
  std::string reverse_signature();

 private:
  std::string level_struct(const ir::Level& level);
};

}  // namespace ddx::compiler
