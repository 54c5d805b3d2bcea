#include "compiler/residuals/last_writer.h"

#include "compiler/analysis/activity.h"
#include "compiler/analysis/regions.h"

namespace ddx::compiler {

using namespace ir;

namespace {

/// Calls `visit` on the statements of `block`, and on those of plain blocks in it.
template <class Visit>
void for_each_always(const Block& block, Visit&& visit) {
  for (Statement* statement : block.statements) {
    if (statement->kind == Statement::Kind::Block) {
      for_each_always(*statement->body, visit);
    } else {
      visit(statement);
    }
  }
}

/// The stores of `block` that the reverse sweep undoes, where the rest defines what they store;
/// none where it does anything else.
llvm::SmallVector<const Statement*, 2> only_stores(const Block& block) {
  llvm::SmallVector<const Statement*, 2> stores;
  bool simple = true;
  for_each_always(block, [&](const Statement* statement) {
    switch (statement->kind) {
      case Statement::Kind::Define:
      case Statement::Kind::Bind:
        return;
      case Statement::Kind::Store:
        if (statement->reversed) {
          stores.push_back(statement);
        }
        return;
      default:
        simple = simple && !statement->reversed && !statement->exits.any() &&
                 statement->kind == Statement::Kind::Text;
        return;
    }
  });
  if (!simple) {
    stores.clear();
  }
  return stores;
}

/// True when `store`, inside `branch`, is the only statement of `loop` that has to do with the
/// adjoint of its object.
bool is_alone(const Statement& loop, const Statement& store) {
  const Root* const root = store.path.root;
  bool alone = true;
  for_each_statement(const_cast<Block*>(loop.body), [&](const Statement* statement) {
    if (statement == &store) {
      return;
    }
    for_each_write(*statement, [&](const Root* written) { alone = alone && written != root; });
    const Value* const value = statement->value;
    if (statement->kind == Statement::Kind::Define && value->kind == Value::Kind::Load) {
      alone = alone && !(value->path.root == root && value->active());
    }
    for (const Argument& argument : statement->arguments) {
      alone = alone && argument.path.root != root;
    }
  });
  return alone;
}

/// True when `statement`, inside `loop`, computes objects of the iteration and nothing else: with
/// their adjoints zero, its reverse does nothing.
bool stays_inside(const Statement& loop, const Statement& statement) {
  switch (statement.kind) {
    case Statement::Kind::Define:
    case Statement::Kind::Bind:
    case Statement::Kind::Text:
      return true;
    case Statement::Kind::Declare:
      return statement.root->type->isScalarType();
    case Statement::Kind::Store:
      return statement.path.type->isScalarType() &&
             statement.path.root->kind == Root::Kind::Local &&
             is_inside(statement.path.root->level, loop);
    case Statement::Kind::Loop:
    case Statement::Kind::If:
    case Statement::Kind::Block:
      return !statement.exits.any();
    default:
      return !statement.reversed;
  }
}

}  // namespace

Statement* last_writer(const Statement& loop) {
  const auto overwrites = [&](const Statement* store) {
    const bool scalar = store->path.steps.empty() && store->path.type->isScalarType() &&
                        store->mode == Statement::StoreMode::Assign &&
                        store->path.root->kind == Root::Kind::Local;
    return scalar && !is_inside(store->path.root->level, loop) && is_alone(loop, *store);
  };
  Statement* found = nullptr;
  for_each_always(*loop.body, [&](Statement* statement) {
    if (found || statement->kind != Statement::Kind::If || !statement->reversed ||
        !statement->otherwise->statements.empty()) {
      return;
    }
    const auto stores = only_stores(*statement->body);
    if (!stores.empty() && llvm::all_of(stores, overwrites)) {
      found = statement;
    }
  });
  return found;
}

bool does_only(const Statement& loop, const Statement& inner) {
  bool only = !loop.increment;
  bool before = true;
  for_each_always(*loop.body, [&](const Statement* statement) {
    if (statement == &inner) {
      before = false;
    } else if (statement->reversed) {
      only = only && before && stays_inside(loop, *statement);
      for (Block* part : {statement->body, statement->otherwise, statement->increment}) {
        for_each_statement(
            part, [&](const Statement* deeper) { only = only && stays_inside(loop, *deeper); });
      }
    }
  });
  return only;
}

}  // namespace ddx::compiler
