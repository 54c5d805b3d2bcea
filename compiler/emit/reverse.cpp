#include "compiler/emit/reverse.h"

#include "compiler/analysis/activity.h"
#include "compiler/emit/all_parts.h"
#include "compiler/emit/zero_adjoints.h"

#include <cstdint>
#include <cstdlib>

namespace ddx::compiler {

using namespace ir;

/// Increments the adjoint of a scalar value; where this is its only use, defines it. Not as a
/// constant: Clang looks through the initialisers of constants, in cubic time for a chain of them.
void ReverseSweep::add_to(Value& target, const std::string& increment) {
  const std::string* const term = scatters_.term_of(target);
  if (!target.active() || (term && term->empty())) {
    return;
  }
  if (target.adjoint_at_use) {
    line(speller_.adjoint_type(target.type) + " " + speller_.adjoint(target) + " = " + increment +
         ";");
  } else {
    line(speller_.adjoint(target) + " += " + increment + ";");
  }
}

/// Hands the cotangent of an object (an expression that may be moved from) to where the object came
/// from.
void ReverseSweep::pass_object(Value& target, const std::string& moved) {
  if (!target.active()) {
    return;
  }
  if (target.kind == Value::Kind::Load) {
    if (target.path.root->active() && is_differentiable(target.path, context_.types)) {
      const bool array = target.path.steps.empty() && adjoint_arrays_.is_array(*target.path.root);
      line(std::string("ddx::detail::") + (array ? "add_elements(" : "accumulate(") +
           speller_.adjoint(target.path) + ", " + moved + ");");
    }
  } else {
    line("ddx::detail::accumulate(" + speller_.adjoint(target) + ", " + moved + ");");
  }
}

void ReverseSweep::declare_adjoints(Block& block) {
  adjoint_arrays_.declare_arrays(block);
  for (const Root* declared : block.roots) {
    if (!declared->active() || adjoint_arrays_.contains(declared)) {
      continue;
    }
    const std::string name = speller_.adjoint(*declared);
    if (declared->type->isScalarType()) {
      line(speller_.adjoint_type(declared->type) + " " + name + " = " + nothing_yet + ";");
    } else if (declared->size_slot) {
      line(speller_.tangent(declared->type) + " " + name + "(" +
           speller_.slot(declared->size_slot, declared->level) + ");");
    } else if (declared->shape_slot) {
      const std::string shape = speller_.slot(declared->shape_slot, declared->level);
      line(speller_.tangent(declared->type) + " " + name + "{};");
      line("if (" + shape + ") ddx::detail::copy_shape(" + name + ", *" + shape + ");");
    } else {
      line(speller_.tangent(declared->type) + " " + name + "{};");
    }
  }
  for (const Statement* statement : block.statements) {
    const bool defines =
        statement->kind == Statement::Kind::Define || statement->kind == Statement::Kind::Call;
    if (!defines || !statement->value || !statement->value->active()) {
      continue;
    }
    Value& defined = *statement->value;
    if (!defined.type->isScalarType()) {
      if (defined.kind == Value::Kind::Call && !adjoint_arrays_.handed_back_to(defined)) {
        line(speller_.tangent(defined.type) + " " + speller_.adjoint(defined) + "{};");
      }
      continue;
    }
    if (!defined.adjoint_at_use) {
      line(speller_.adjoint_type(defined.type) + " " + speller_.adjoint(defined) + " = " +
           nothing_yet + ";");
    }
  }
}

void ReverseSweep::reverse_block(Block& block) {
  declare_adjoints(block);
  reverse_statements(block.statements, 0);
  adjoint_arrays_.release_arrays(block);
}

void ReverseSweep::reverse_statements(const std::vector<Statement*>& statements, std::size_t from) {
  std::size_t leaving = from;
  while (leaving < statements.size() && !statements[leaving]->exits.any()) {
    ++leaving;
  }
  std::size_t next = statements.size();
  unsigned guards = 0;
  std::string guard;  // Of what stands before the statement that is left.
  if (leaving < statements.size()) {
    const bool rest = std::any_of(
        statements.begin() + static_cast<long>(leaving) + 1, statements.end(),
        [](const Statement* statement) { return statement->reversed || statement->exits.any(); });
    if (rest) {
      open("if (" + conditions_.entered(statements[leaving]->exits) + ") {");
      reverse_statements(statements, leaving + 1);
      close();
    }
    if (is_idle_when_left(statements, from, leaving, context_.types)) {
      guard = "passed_" + std::to_string(statements[leaving]->order);
      line("const bool " + guard + " = " + conditions_.entered(statements[leaving]->exits) + ";");
    }
    next = leaving + 1;
  }
  while (next-- > from) {
    Statement& statement = *statements[next];
    if (statement.reversed) {
      reverse_statement(statement);
    }
    if (statement.exits.any()) {
      conditions_.clear_exits(statement.exits);
    }
    if (statement.reversed && is_idle_when_taken(statements, from, next, context_.types)) {
      guard = "!" + speller_.value(*statement.value, Sweep::Reverse);
    }
    if (!guard.empty()) {
      open("if (" + std::exchange(guard, "") + ") {");
      ++guards;
    }
  }
  while (guards-- > 0) {
    close();
  }
}

void ReverseSweep::reverse_statement(Statement& statement) {
  switch (statement.kind) {
    case Statement::Kind::Define:
      return reverse_define(*statement.value);
    case Statement::Kind::Declare:
      return reverse_declare(statement);
    case Statement::Kind::Store:
      return reverse_store(statement);
    case Statement::Kind::Vector:
      return reverse_vector(statement);
    case Statement::Kind::Call:
      return statement.registered || statement.functor
                 ? reverse_calls_.reverse_registered(statement)
                 : reverse_calls_.reverse_call(statement);
    case Statement::Kind::If:
      if (selections_.is_selectable(statement)) {
        return selections_.reverse_selected(statement);
      }
      open("if (" + conditions_.taken(statement) + ") {");
      reverse_block(*statement.body);
      if (!statement.otherwise->statements.empty()) {
        writer_.reopen("} else {");
        reverse_block(*statement.otherwise);
      }
      return close();
    case Statement::Kind::Loop:
      return reverse_loops_.reverse_loop(statement);
    case Statement::Kind::Switch:
      return reverse_switch(statement);
    case Statement::Kind::Return:
      return reverse_return(statement);
    case Statement::Kind::Block:
      open("{");
      reverse_block(*statement.body);
      return close();
    case Statement::Kind::Bind:
    case Statement::Kind::Break:
    case Statement::Kind::Continue:
    case Statement::Kind::Text:
    case Statement::Kind::Check:
    case Statement::Kind::Unsupported:
      return;
  }
}

void ReverseSweep::reverse_define(Value& defined) {
  const std::string cotangent = speller_.adjoint(defined);
  if (const std::string* const term = scatters_.term_of(defined)) {
    if (!term->empty()) {
      line(*term + "[" + defined.level->name + "_k] = " + cotangent + ";");
    }
    return;
  }
  switch (defined.kind) {
    case Value::Kind::Load:
      if (defined.type->isScalarType() && defined.path.root->active()) {
        line(speller_.adjoint(defined.path) + " += " + cotangent + ";");
      }
      return;
    case Value::Kind::Operation:
      if (!defined.rule || !defined.type->isScalarType()) {
        return;
      }
      for (unsigned i = 0; i < defined.operands.size(); ++i) {
        Value& operand = *defined.operands[i];
        if (!operand.active() || defined.rule->is_zero(i)) {
          continue;
        }
        const std::string increment = slopes_.product(defined, i, cotangent, Sweep::Reverse);
        const bool narrows = speller_.type(operand.type) != speller_.type(defined.type);
        add_to(operand, narrows ? "static_cast<" + speller_.adjoint_type(operand.type) + ">(" +
                                      increment + ")"
                                : increment);
      }
      return;
    case Value::Kind::Text:
    case Value::Kind::Call:
      return;
  }
}

void ReverseSweep::reverse_declare(Statement& statement) {
  const Root& declared = *statement.root;
  if (declared.type->isScalarType()) {
    add_to(*statement.value, speller_.adjoint(declared));
  } else if (adjoint_arrays_.contains(&declared)) {
    if (statement.value->kind == Value::Kind::Load) {
      line("ddx::detail::add_elements(" + speller_.adjoint(statement.value->path) + ", " +
           speller_.adjoint(declared) + ", " + adjoint_arrays_.array_length(declared) + ");");
    }
  } else {
    pass_object(*statement.value, "std::move(" + speller_.adjoint(declared) + ")");
  }
}

void ReverseSweep::reverse_object_store(Statement& statement) {
  const std::string target = speller_.adjoint(statement.path);
  Value& source = *statement.value;
  if (statement.slot) {
    open("{");
    line("auto taken = std::move(" + target + ");");
    if (context_.types.is_flat_vector(statement.path.type)) {
      line(target + ".assign(" + speller_.slot(statement.slot, statement.level) + ", {});");
    } else {
      line(target + " = *" + speller_.slot(statement.slot, statement.level) + ";");
    }
    pass_object(source, "std::move(taken)");
    return close();
  }
  if (source.active()) {
    open("{");
    line("auto taken = ddx::detail::take(" + target + ");");
    pass_object(source, "std::move(taken)");
    close();
  } else {
    line("ddx::detail::set_zero(" + target + ");");
  }
}

void ReverseSweep::reverse_store(Statement& statement) {
  if (!statement.path.type->isScalarType()) {
    return reverse_object_store(statement);
  }
  const std::string target = speller_.adjoint(statement.path);
  Value& source = *statement.value;
  switch (statement.mode) {
    case Statement::StoreMode::Add:
      return add_to(source, target);
    case Statement::StoreMode::Subtract:
      return add_to(source, "-" + target);
    case Statement::StoreMode::Assign:
      break;
  }
  if (!source.active()) {
    line(target + " = " + nothing_yet + ";");
    return;
  }
  // Kill before anything is accumulated: the value may come from the very object.
  if (source.adjoint_at_use) {
    line(speller_.adjoint_type(source.type) + " " + speller_.adjoint(source) + " = " + target +
         ";");
    line(target + " = " + nothing_yet + ";");
  } else {
    line(speller_.adjoint(source) + " += std::exchange(" + target + ", " + nothing_yet + ");");
  }
}

void ReverseSweep::reverse_vector(Statement& statement) {
  const std::string target = speller_.adjoint(statement.path);
  if (statement.path.steps.empty() && adjoint_arrays_.contains(statement.path.root)) {
    return adjoint_arrays_.reverse_growth(statement);
  }
  switch (statement.action) {
    case Statement::VectorAction::Append:
    case Statement::VectorAction::Prepend: {
      const bool behind = statement.action == Statement::VectorAction::Append;
      const std::string added = target + (behind ? ".back()" : ".front()");
      if (statement.value->type->isScalarType()) {
        if (statement.value->active()) {
          add_to(*statement.value, added);
        }
      } else {
        pass_object(*statement.value, "std::move(" + added + ")");
      }
      return line(target + (behind ? ".pop_back();" : ".pop_front();"));
    }
    case Statement::VectorAction::RemoveLast:
    case Statement::VectorAction::RemoveFirst: {
      const std::string place =
          statement.action == Statement::VectorAction::RemoveLast ? "back(" : "front(";
      return line(statement.slot ? target + ".push_" + place + "*" +
                                       speller_.slot(statement.slot, statement.level) + ");"
                                 : target + ".emplace_" + place + ");");
    }
    case Statement::VectorAction::Clear:
      line(target + ".clear();");
      [[fallthrough]];
    case Statement::VectorAction::Resize:
      return shapes_.restore_size(statement, target);
    case Statement::VectorAction::Fill:
      open("for (auto& part : " + target + ") {");
      if (statement.value->active()) {
        line(speller_.adjoint(*statement.value) + " += part;");
      }
      line("part = 0;");
      return close();
  }
}

void ReverseSweep::reverse_switch(Statement& statement) {
  open("{");
  if (statement.break_slot) {
    line("unsigned left_" + statement.break_slot->name + " = " +
         speller_.slot(statement.break_slot, statement.level) + ";");
  }
  const std::string entry = speller_.slot(statement.entry_slot, statement.level);
  Exits before;
  std::vector<Exits> reached;
  for (const SwitchSegment& segment : statement.segments) {
    reached.push_back(before);
    for (const Statement* part : segment.body->statements) {
      before.last_return = std::max(before.last_return, part->exits.last_return);
      before.breaks.append(part->exits.breaks.begin(), part->exits.breaks.end());
      before.continues.append(part->exits.continues.begin(), part->exits.continues.end());
    }
  }
  for (std::size_t i = statement.segments.size(); i-- > 0;) {
    open("if (" + entry + " >= 0 && " + entry + " <= " + std::to_string(i) +
         (reached[i].any() ? " && " + conditions_.entered(reached[i]) : "") + ") {");
    reverse_block(*statement.segments[i].body);
    close();
  }
  close();
}

void ReverseSweep::reverse_return(Statement& statement) {
  Value& result = *statement.value;
  if (adjoint_arrays_.taken_over() || !function_.key.result_useful) {
    return;  // No cotangent comes in, though the value may be of use elsewhere.
  }
  if (result.type->isScalarType()) {
    add_to(result, "seed");
  } else {
    pass_object(result, "std::move(seed)");
  }
}

}  // namespace ddx::compiler
