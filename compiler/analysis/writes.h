/// \file
/// Which objects the statements of a function may write.

#pragma once

#include "compiler/ir/ir.h"

#include <map>
#include <set>

namespace ddx::compiler {

/// Which roots the statements of a region may write; answers questions about invariance and
/// stability.
class Writes {
 public:
  /// Numbers the statements and their values, and notes what they write.
  explicit Writes(ir::Function& function);

  /// True when nothing in the function may write what `root` names, its declaration apart.
  bool is_unwritten(const ir::Root& root) const {
    return !root.bound_to_text && !may_write(all_, root);
  }

  /// True when some statement writes `root` by its own name.
  bool writes_directly(const ir::Root& root) const { return all_.count(&root) > 0; }

  /// True when one iteration of `loop` cannot change what `root` names, and `root` is older than
  /// the loop.
  bool is_invariant(const ir::Root& root, const ir::Statement& loop) const;

  /// True when `root`, which may be kept, is not written any more once what stands at `order` in
  /// `level` has run: kept, it has the same value in the reverse sweep.
  bool is_settled(const ir::Root& root, unsigned order, const ir::Level* level) const;

  /// How many statements inside `loop` write `root`.
  unsigned count_in(const ir::Root& root, const ir::Statement& loop) const;

  /// True when reading `root` in the reverse sweep gives what it gave in the forward sweep, by the
  /// same name.
  bool is_readable(const ir::Root& root) const;

 private:
  using Set = std::set<const ir::Root*>;
  static bool may_write(const Set& set, const ir::Root& root);

  Set all_;
  std::map<const ir::Statement*, Set> in_loop_;
  std::map<std::pair<const ir::Statement*, const ir::Root*>, unsigned> counts_;
  std::map<const ir::Root*, unsigned> last_;  ///< The last statement that writes it.
};

}  // namespace ddx::compiler
