/// \file
/// Assignments to objects.

#pragma once

#include "compiler/lower/calls/call_rule.h"
#include "compiler/lower/part.h"

namespace ddx::compiler {

/// Lowers calls of assignment operators that the class did not write, or that only move dynamic
/// pointers.
class ObjectAssignments : Part, public CallRule {
 public:
  using Part::Part;

  std::optional<ir::Value*> lower_by_rule(const CallSite& site) override;

 private:
  ir::Value* assign_scalarized(const CallSite& site);
  void assign_selected(const CallSite& site, const clang::ConditionalOperator* conditional);
  ir::Value* assign_members(const CallSite& site);
};

}  // namespace ddx::compiler
