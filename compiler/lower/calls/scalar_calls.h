/// \file
/// Calls of functions of numbers that have a rule.

#pragma once

#include "compiler/lower/calls/call_rule.h"
#include "compiler/lower/part.h"

namespace ddx::compiler {

/// Lowers calls of functions of numbers that have a row in rules/scalar.def.
class ScalarCalls : Part, public CallRule {
 public:
  using Part::Part;

  std::optional<ir::Value*> lower_by_rule(const CallSite& site) override;
};

}  // namespace ddx::compiler
