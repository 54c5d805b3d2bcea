#include "compiler/emit/zero_adjoints.h"

#include "compiler/analysis/activity.h"

namespace ddx::compiler {

using namespace ir;

namespace {

/// What the reverse sweep of some statements of one block depends on.
struct Demand {
  llvm::SmallPtrSet<const Root*, 4> roots;  ///< Objects older than the statements' own blocks.
  bool known = true;
  bool is_work = false;  ///< There is a loop or a call among them.
};

/// True when `root` is declared in `block` or in a block inside of it.
bool is_within(const Root& root, const Block& block) {
  for (const Block* outer = root.block; outer; outer = outer->parent) {
    if (outer == &block) {
      return true;
    }
  }
  return false;
}

/// False for what is a name in its block for an object that may be older.
bool is_object_of_its_block(const Root& root) {
  return root.kind == Root::Kind::Local || root.kind == Root::Kind::Scalar ||
         root.kind == Root::Kind::Induction;
}

/// True when the reverse of `statement` may change the length of an adjoint, zero or not.
bool may_resize(const Statement& statement, Types& types) {
  switch (statement.kind) {
    case Statement::Kind::Store:
      return types.is_shaped(statement.path.type);
    case Statement::Kind::Vector:
      return statement.action != Statement::VectorAction::Fill;
    case Statement::Kind::Call:
      for (std::size_t i = 0; i < statement.arguments.size(); ++i) {
        const Argument& passed = statement.arguments[i];
        const bool elements_only = statement.derivative && statement.derivative->takes_flat(i);
        if (!passed.is_constant && passed.path.root && types.has_tangent(passed.path.type) &&
            types.is_shaped(passed.path.type) && !elements_only) {
          return true;
        }
      }
      return false;
    default:
      return false;
  }
}

/// The adjoints that the reverse of `statements` before number `end` reads: with all of them zero,
/// it does nothing.
Demand demand_of(const std::vector<Statement*>& statements, std::size_t from, std::size_t end,
                 Types& types) {
  Demand demand;
  const Block& block = *statements[end]->block;
  const auto read = [&](const Root* root) {
    if (root && (root->block == &block || !is_within(*root, block))) {
      demand.roots.insert(root);
    } else if (root && !is_object_of_its_block(*root)) {
      demand.known = false;
    }
  };
  const auto add = [&](const Statement* statement) {
    if (!statement->reversed) {
      return;
    }
    demand.known = demand.known && !statement->exits.any() && !may_resize(*statement, types);
    switch (statement->kind) {
      case Statement::Kind::Define:
      case Statement::Kind::Call:
        if (const Value* const value = statement->value; value && value->active()) {
          demand.known =
              demand.known && (!value->user || value->user->order < statements[end]->order);
        }
        demand.is_work = demand.is_work || statement->kind == Statement::Kind::Call;
        for (const Argument& passed : statement->arguments) {
          if (!passed.is_constant) {
            read(passed.path.root);
          }
        }
        return;
      case Statement::Kind::Store:
      case Statement::Kind::Vector:
        return read(statement->path.root);
      case Statement::Kind::Declare:
        return read(statement->root);
      case Statement::Kind::Loop:
        demand.is_work = true;
        return;
      case Statement::Kind::Return:
        demand.known = false;
        return;
      default:
        return;
    }
  };
  for (std::size_t i = from; i < end; ++i) {
    add(statements[i]);
    for_each_statement(statements[i]->body, add);
    for_each_statement(statements[i]->otherwise, add);
    for_each_statement(statements[i]->increment, add);
    for (const SwitchSegment& segment : statements[i]->segments) {
      for_each_statement(segment.body, add);
    }
  }
  return demand;
}

}  // namespace

/// True when the statements before number `end` have nothing to undo where control left at it: no
/// adjoint that they read has got anything yet.
bool is_idle_when_left(const std::vector<Statement*>& statements, std::size_t from, std::size_t end,
                       Types& types) {
  const Statement& leaving = *statements[end];
  const Demand demand = demand_of(statements, from, end, types);
  bool idle = demand.known && demand.is_work && leaving.kind == Statement::Kind::If;
  for (const Root* root : demand.roots) {
    idle = idle && root->kind == Root::Kind::Local && root->block == leaving.block;
  }
  const auto use = [&](const Path& path) { idle = idle && !demand.roots.contains(path.root); };
  const auto add = [&](const Statement* statement) {
    if (!statement->reversed) {
      return;
    }
    if (statement->kind == Statement::Kind::Define && statement->value->kind == Value::Kind::Load) {
      use(statement->value->path);
    }
    for (const Argument& passed : statement->arguments) {
      use(passed.path);
    }
  };
  for_each_statement(leaving.body, add);
  for_each_statement(leaving.otherwise, add);
  return idle;
}

/// True when the statements before number `end`, an `if`, have nothing to undo where its branch was
/// taken: it replaced by constants all that they computed.
bool is_idle_when_taken(const std::vector<Statement*>& statements, std::size_t from,
                        std::size_t end, Types& types) {
  const Statement& branch = *statements[end];
  if (branch.kind != Statement::Kind::If || branch.exits.any() || branch.last_slot ||
      !branch.otherwise->statements.empty()) {
    return false;
  }
  llvm::SmallPtrSet<const Root*, 4> replaced;
  for (const Statement* statement : branch.body->statements) {
    if (!statement->reversed) {
      continue;
    }
    if (statement->kind != Statement::Kind::Store ||
        statement->mode != Statement::StoreMode::Assign || !statement->path.steps.empty() ||
        !statement->path.type->isScalarType() || statement->value->active()) {
      return false;
    }
    replaced.insert(statement->path.root);
  }
  const Demand demand = demand_of(statements, from, end, types);
  return demand.known && demand.is_work &&
         llvm::all_of(demand.roots, [&](const Root* root) { return replaced.contains(root); });
}

}  // namespace ddx::compiler
