#include "compiler/analysis/writes.h"

#include "compiler/analysis/activity.h"
#include "compiler/ir/overlap.h"

namespace ddx::compiler {

using namespace ir;

Writes::Writes(Function& function) {
  unsigned order = 0;
  for_each_statement(function.body, [&](Statement* statement) {
    statement->order = ++order;
    if (statement->value &&
        (statement->kind == Statement::Kind::Define || statement->kind == Statement::Kind::Call)) {
      statement->value->order = order;
    }
    for_each_write(*statement, [&](Root* root) {
      all_.insert(root);
      last_[root] = order;
      for (const Level* level = statement->kind == Statement::Kind::Loop ? statement->inner
                                                                         : statement->level;
           level; level = level->parent) {
        if (level->loop) {
          in_loop_[level->loop].insert(root);
          ++counts_[{level->loop, root}];
        }
      }
    });
  });
}

bool Writes::may_write(const Set& set, const Root& root) {
  for (const Root* written : set) {
    if (overlap(*written, root)) {
      return true;
    }
  }
  return false;
}

bool Writes::is_invariant(const Root& root, const Statement& loop) const {
  if (root.bound_to_text) {
    return false;
  }
  for (const Level* level = root.level; level; level = level->parent) {
    if (level == loop.inner) {
      return false;
    }
  }
  const auto found = in_loop_.find(&loop);
  return found == in_loop_.end() || !may_write(found->second, root);
}

bool Writes::is_settled(const Root& root, unsigned order, const Level* level) const {
  if (!root.keepable) {
    return false;
  }
  if (const auto last = last_.find(&root); last != last_.end() && last->second >= order) {
    return false;
  }
  for (; level && level != root.level; level = level->parent) {
    if (level->loop && count_in(root, *level->loop) > 0) {
      return false;  // By a later iteration.
    }
  }
  return true;
}

unsigned Writes::count_in(const Root& root, const Statement& loop) const {
  const auto found = counts_.find({&loop, &root});
  return found == counts_.end() ? 0 : found->second;
}

bool Writes::is_readable(const Root& root) const {
  switch (root.kind) {
    case Root::Kind::Reference:
    case Root::Kind::Pointer:
      return root.is_unchanged && is_unwritten(root);
    case Root::Kind::Global:
      return root.is_constant;
    case Root::Kind::Induction:
      return true;
    case Root::Kind::Local:
    case Root::Kind::Scalar:
    case Root::Kind::Alias:
      return false;
  }
  return false;
}

}  // namespace ddx::compiler
