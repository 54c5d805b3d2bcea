/// \file
/// Calls of `ddx::without_derivative`.

#pragma once

#include "compiler/lower/calls/call_rule.h"
#include "compiler/lower/part.h"

namespace ddx::compiler {

/// Lowers `ddx::without_derivative(x)` as an operation without a rule.
class WithoutDerivative : Part, public CallRule {
 public:
  using Part::Part;

  std::optional<ir::Value*> lower_by_rule(const CallSite& site) override;
};

}  // namespace ddx::compiler
