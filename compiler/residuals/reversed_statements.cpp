#include "compiler/residuals/reversed_statements.h"

#include "compiler/analysis/activity.h"

#include <algorithm>

namespace ddx::compiler {

using namespace ir;

namespace {

/// Adds the sites of `from`; of two for one target, the later counts.
void merge(Exits& into, const Exits& from) {
  into.last_return = std::max(into.last_return, from.last_return);
  const auto add = [](auto& list, const auto& more) {
    for (const auto& [target, site] : more) {
      auto* found = llvm::find_if(list, [&](const auto& known) { return known.first == target; });
      if (found == list.end()) {
        list.push_back({target, site});
      } else {
        found->second = std::max(found->second, site);
      }
    }
  };
  add(into.breaks, from.breaks);
  add(into.continues, from.continues);
}

/// Sets the exits of the statements in `block`. Returns: those of the block.
Exits find_exits(Block& block, bool single_exit) {
  Exits result;
  for (Statement* statement : block.statements) {
    Exits own;
    switch (statement->kind) {
      case Statement::Kind::Return:
        if (!single_exit) {
          own.last_return = statement->site;
        }
        break;
      case Statement::Kind::Break:
        if (statement->site > 0) {
          own.breaks.push_back({statement->target, statement->site});
        }
        break;
      case Statement::Kind::Continue:
        own.continues.push_back({statement->target, statement->site});
        break;
      default:
        for (Block* inner : {statement->body, statement->otherwise, statement->increment}) {
          if (inner) {
            merge(own, find_exits(*inner, single_exit));
          }
        }
        for (SwitchSegment& segment : statement->segments) {
          merge(own, find_exits(*segment.body, single_exit));
        }
        llvm::erase_if(own.breaks, [&](const auto& exit) { return exit.first == statement; });
        llvm::erase_if(own.continues, [&](const auto& exit) { return exit.first == statement; });
        break;
    }
    statement->exits = own;
    merge(result, own);
  }
  return result;
}

/// True when the reverse sweep has a cotangent to pass on.
bool has_adjoint(const Statement& statement, Types& types) {
  switch (statement.kind) {
    case Statement::Kind::Define:
      return statement.value->active();
    case Statement::Kind::Store:
    case Statement::Kind::Vector:
      return statement.path.root->active() && is_differentiable(statement.path, types);
    case Statement::Kind::Declare:
      return statement.value && statement.value->active() && statement.root->active();
    case Statement::Kind::Return:
      return statement.value && statement.value->active();
    case Statement::Kind::Call:
      return is_active(statement, types);
    default:
      return false;
  }
}

/// Sets `reversed` of the statements in `block`. Returns: whether it is set of any.
bool mark_reversed(Block& block, Types& types) {
  bool any = false;
  for (Statement* statement : block.statements) {
    bool inner = false;
    for (Block* part : {statement->body, statement->otherwise, statement->increment}) {
      if (part) {
        inner = mark_reversed(*part, types) || inner;
      }
    }
    for (SwitchSegment& segment : statement->segments) {
      inner = mark_reversed(*segment.body, types) || inner;
    }
    statement->reversed = inner || has_adjoint(*statement, types);
    any = any || statement->reversed;
  }
  return any;
}

}  // namespace

void find_reversed(Function& function, Types& types) {
  find_exits(*function.body, function.single_exit);
  mark_reversed(*function.body, types);
}

const Statement* only_exit(const Statement& branch) {
  if (!branch.otherwise->statements.empty() || branch.body->statements.empty()) {
    return nullptr;
  }
  const Statement* const last = branch.body->statements.back();
  unsigned exits = 0;
  for_each_statement(branch.body, [&](const Statement* inner) {
    exits += inner->kind == Statement::Kind::Return || inner->kind == Statement::Kind::Break ||
             inner->kind == Statement::Kind::Continue;
  });
  const bool leaves = last->kind == Statement::Kind::Return ||
                      last->kind == Statement::Kind::Break ||
                      last->kind == Statement::Kind::Continue;
  return leaves && exits == 1 && last->site > 0 && branch.exits.any() ? last : nullptr;
}

}  // namespace ddx::compiler
