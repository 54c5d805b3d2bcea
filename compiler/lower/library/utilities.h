/// \file
/// Functions of `<utility>` and `<iterator>` that name or exchange objects.

#pragma once

#include "compiler/lower/calls/call_rule.h"
#include "compiler/lower/part.h"

namespace ddx::compiler {

/// Lowers std::move and similar, std::data and std::swap of numbers.
class Utilities : Part, public CallRule {
 public:
  using Part::Part;

  std::optional<ir::Value*> lower_by_rule(const CallSite& site) override;
};

}  // namespace ddx::compiler
