#include "compiler/ir/overlap.h"

namespace ddx::compiler {

using namespace ir;

bool is_outside(const Root& root) {
  return root.kind == Root::Kind::Reference || root.kind == Root::Kind::Pointer ||
         root.kind == Root::Kind::Global;
}

bool share_group(const Root& a, const Root& b) {
  if (a.noalias_group || b.noalias_group) {
    return a.noalias_group && b.noalias_group && a.group == b.group;
  }
  return a.group == 0 || b.group == 0 || a.group == b.group;
}

bool overlap(const Root& a, const Root& b) {
  if (&a == &b) {
    return true;
  }
  if (!is_outside(a) || !is_outside(b) || a.has_tangent != b.has_tangent) {
    return false;
  }
  const bool global = a.kind == Root::Kind::Global || b.kind == Root::Kind::Global;
  return global ? !a.noalias_group && !b.noalias_group : share_group(a, b);
}

}  // namespace ddx::compiler
