/// \file
/// Decides, for every value that the reverse sweep names, where it finds it: still there, computed
/// again, or saved in a record.

#pragma once

#include "compiler/ir/ir.h"
#include "compiler/support/context.h"

#include <map>
#include <set>

namespace ddx::compiler {

/// Which roots the statements of a region may write; answers questions about invariance and
/// stability.
class Writes {
 public:
  explicit Writes(ir::Function& function);

  /// True when nothing in the function may write what `root` names, its declaration apart.
  bool is_unwritten(const ir::Root& root) const { return !may_write(all_, root); }

  /// True when some statement writes `root` by its own name.
  bool writes_directly(const ir::Root& root) const { return all_.count(&root) > 0; }

  /// True when one iteration of `loop` cannot change what `root` names, and `root` is older than
  /// the loop.
  bool is_invariant(const ir::Root& root, const ir::Statement& loop) const;

  /// How many statements inside `loop` write `root`.
  unsigned count_in(const ir::Root& root, const ir::Statement& loop) const;

  /// True when reading `root` in the reverse sweep gives what it gave in the forward sweep, by the
  /// same name.
  bool is_readable(const ir::Root& root) const;

 private:
  using Set = std::set<const ir::Root*>;
  static bool overlap(const ir::Root& a, const ir::Root& b);
  static bool may_write(const Set& set, const ir::Root& root);

  Set all_;
  std::map<const ir::Statement*, Set> in_loop_;
  std::map<std::pair<const ir::Statement*, const ir::Root*>, unsigned> counts_;
};

/// Sets `reversed`, `exits`, the slots of control flow, and for each value `found` and its slot.
/// Precondition: activity is known and every active call has its derivative.
void plan_records(ir::Function& function, const Context& context, const Writes& writes);

}  // namespace ddx::compiler
