/// \file
/// Activity: which values and objects depend on an active input (varied) and reach an active output
/// (useful). What is both is active and gets an adjoint.

#pragma once

#include "compiler/ir/ir.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

/// Sets `varied` and `useful` on every value and root, to a fixed point over loops; whole objects
/// are one element. In doubt: active.
void analyse_activity(ir::Function& function, Types& types);

/// True when adjoints exist along the whole path, with numbers at its end.
bool is_differentiable(const ir::Path& path, Types& types);

/// True for an argument whose numbers are active: the callee is differentiated by it.
bool is_active(const ir::Argument& argument, Types& types);

/// True when the call has an active argument. Registered calls, and those that hand a function over
/// as an object, need an active result too.
bool is_active(const ir::Statement& call, Types& types);

/// True where something reads what the call returns or changes.
bool has_useful_outputs(const ir::Statement& call);

/// True for an argument that is made of varied numbers, or depends on them.
bool brings_varied(const ir::Argument& argument, Types& types);

/// True for an argument without tangent (a text) that is made of active numbers: the callee may
/// read them back from it.
bool is_computed_from_active(const ir::Argument& argument, Types& types);

/// Calls `visit` on every statement, outer ones first, in order.
template <class Visit>
void for_each_statement(ir::Block* block, Visit&& visit) {
  if (!block) {
    return;
  }
  for (std::size_t i = 0; i < block->statements.size(); ++i) {
    ir::Statement* statement = block->statements[i];
    visit(statement);
    for_each_statement(statement->body, visit);
    for_each_statement(statement->otherwise, visit);
    for_each_statement(statement->increment, visit);
    for (ir::SwitchSegment& segment : statement->segments) {
      for_each_statement(segment.body, visit);
    }
  }
}

/// As above, the last statement first: facts that flow from uses to definitions settle in one pass.
template <class Visit>
void for_each_statement_backwards(ir::Block* block, Visit&& visit) {
  if (!block) {
    return;
  }
  for (std::size_t i = block->statements.size(); i-- > 0;) {
    ir::Statement* statement = block->statements[i];
    for (ir::SwitchSegment& segment : llvm::reverse(statement->segments)) {
      for_each_statement_backwards(segment.body, visit);
    }
    for_each_statement_backwards(statement->increment, visit);
    for_each_statement_backwards(statement->otherwise, visit);
    for_each_statement_backwards(statement->body, visit);
    visit(statement);
  }
}

/// Calls `visit(root)` for each root that the statement itself may write, its declaration apart.
template <class Visit>
void for_each_write(const ir::Statement& statement, Visit&& visit) {
  if (statement.kind == ir::Statement::Kind::Store ||
      statement.kind == ir::Statement::Kind::Vector) {
    visit(statement.path.root);
  }
  if (statement.kind == ir::Statement::Kind::Call) {
    for (const ir::Argument& argument : statement.arguments) {
      if (!argument.is_constant && (argument.kind == ir::Argument::Kind::Reference ||
                                    argument.kind == ir::Argument::Kind::Pointer)) {
        visit(argument.path.root);
      }
    }
  }
  for (ir::Root* root : statement.text_writes) {
    visit(root);
  }
}

}  // namespace ddx::compiler
