#include "compiler/analysis/activity.h"
#include "compiler/emit/emitter.h"

#include <cstdint>
#include <cstdlib>

namespace ddx::compiler {

using namespace ir;

/// Increments the adjoint of a scalar value; where this is its only use, defines it. Not as a
/// constant: Clang looks through the initialisers of constants, in cubic time for a chain of them.
void Emitter::add_to(Value& target, const std::string& increment) {
  const auto term = terms_.find(&target);
  if (!target.active() || (term != terms_.end() && term->second.empty())) {
    return;
  }
  if (target.adjoint_at_use) {
    line(adjoint_type(target.type) + " " + adjoint(target) + " = " + increment + ";");
  } else {
    line(adjoint(target) + " += " + increment + ";");
  }
}

/// Hands the cotangent of an object (an expression that may be moved from) to where the object came
/// from.
void Emitter::pass_object(Value& target, const std::string& moved) {
  if (!target.active()) {
    return;
  }
  if (target.kind == Value::Kind::Load) {
    if (target.path.root->active() && is_differentiable(target.path, context_.types)) {
      const bool array = target.path.steps.empty() && is_array(*target.path.root);
      line(std::string("ddx::detail::") + (array ? "add_elements(" : "accumulate(") +
           adjoint(target.path) + ", " + moved + ");");
    }
  } else {
    line("ddx::detail::accumulate(" + adjoint(target) + ", " + moved + ");");
  }
}

/// A scalar with one use, in its own block, has its adjoint defined by that use: a value is used in
/// its own full expression, which control does not leave half-way but by an exception.
void Emitter::decide_adjoints_at_use(Block& block) {
  llvm::DenseMap<const Statement*, unsigned> behind;  // How many places where it may be left.
  unsigned leaving = 0;
  for (const Statement* statement : block.statements) {
    behind[statement] = leaving;
    leaving += statement->exits.any() ? 1 : 0;
  }
  for (const Statement* statement : block.statements) {
    const bool defines =
        statement->kind == Statement::Kind::Define || statement->kind == Statement::Kind::Call;
    if (!defines || !statement->value || !statement->value->active() ||
        !statement->value->type->isScalarType()) {
      continue;
    }
    Value& defined = *statement->value;
    const bool additive = defined.user && (defined.user->kind == Statement::Kind::Define ||
                                           defined.user->kind == Statement::Kind::Store ||
                                           defined.user->kind == Statement::Kind::Declare ||
                                           defined.user->kind == Statement::Kind::Return);
    bool straight = defined.uses == 1 && !defined.nested_use && additive &&
                    defined.user->reversed && behind.lookup(defined.user) == behind[statement];
    if (straight && defined.user->kind == Statement::Kind::Define) {
      const Value& user = *defined.user->value;
      straight = user.kind == Value::Kind::Operation && user.rule && user.active();
      for (unsigned k = 0; straight && k < user.operands.size(); ++k) {
        straight = user.operands[k] != &defined || !user.rule->is_zero(k);
      }
    }
    if (straight && defined.user->kind == Statement::Kind::Store) {
      straight = defined.user->path.root->active() &&
                 is_differentiable(defined.user->path, context_.types) &&
                 defined.user->value == &defined;
    }
    defined.adjoint_at_use = straight;
  }
}

void Emitter::declare_adjoints(Block& block) {
  declare_arrays(block);
  for (const Root* declared : block.roots) {
    if (!declared->active() || arrays_.contains(declared)) {
      continue;
    }
    const std::string name = adjoint(*declared);
    if (declared->type->isScalarType()) {
      line(adjoint_type(declared->type) + " " + name + " = " + nothing_yet + ";");
    } else if (declared->size_slot) {
      line(tangent(declared->type) + " " + name + "(" + slot(declared->size_slot, declared->level) +
           ");");
    } else if (declared->shape_slot) {
      const std::string shape = slot(declared->shape_slot, declared->level);
      line(tangent(declared->type) + " " + name + "{};");
      line("if (" + shape + ") ddx::detail::copy_shape(" + name + ", *" + shape + ");");
    } else {
      line(tangent(declared->type) + " " + name + "{};");
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
      if (defined.kind == Value::Kind::Call && !handed_back_to(defined)) {
        line(tangent(defined.type) + " " + adjoint(defined) + "{};");
      }
      continue;
    }
    if (!defined.adjoint_at_use) {
      line(adjoint_type(defined.type) + " " + adjoint(defined) + " = " + nothing_yet + ";");
    }
  }
}

/// The condition under which what follows a statement with these exits was executed.
std::string Emitter::entered(const Exits& exits) {
  std::string condition;
  const auto add = [&](const std::string& variable, unsigned last) {
    condition += (condition.empty() ? "" : " && ") + std::string("(") + variable + " == 0 || " +
                 variable + " > " + std::to_string(last) + ")";
  };
  if (exits.last_return) {
    add("exit", exits.last_return);
  }
  for (const auto& [target, site] : exits.breaks) {
    if (target->break_slot) {
      add("left_" + target->break_slot->name, site);
    }
  }
  for (const auto& [target, site] : exits.continues) {
    if (target->continue_slot) {
      add("skipped_" + target->continue_slot->name, site);
    }
  }
  return condition.empty() ? "true" : condition;
}

/// Past these sites, backwards, control flow is ordinary again.
void Emitter::clear_exits(const Exits& exits) {
  if (exits.last_return) {
    line("if (exit <= " + std::to_string(exits.last_return) + ") exit = 0;");
  }
  const auto clear = [&](const std::string& variable, unsigned last) {
    line("if (" + variable + " <= " + std::to_string(last) + ") " + variable + " = 0;");
  };
  for (const auto& [target, site] : exits.breaks) {
    if (target->break_slot) {
      clear("left_" + target->break_slot->name, site);
    }
  }
  for (const auto& [target, site] : exits.continues) {
    if (target->continue_slot) {
      clear("skipped_" + target->continue_slot->name, site);
    }
  }
}

/// The condition under which a branch was taken.
std::string Emitter::taken(const Statement& branch) {
  if (branch.last_slot) {
    return slot(branch.last_slot, branch.level->parent) + " == " + branch.level->name + "_k + 1";
  }
  const Statement* const exit = branch.only_exit;
  if (!exit) {
    return value(*branch.value, Sweep::Reverse);
  }
  const std::string left = exit->kind == Statement::Kind::Return ? "exit"
                           : exit->kind == Statement::Kind::Break
                               ? "left_" + exit->target->break_slot->name
                               : "skipped_" + exit->target->continue_slot->name;
  return left + " == " + std::to_string(exit->site);
}

void Emitter::reverse_block(Block& block) {
  declare_adjoints(block);
  reverse_statements(block.statements, 0);
  release_arrays(block);
}

void Emitter::reverse_statements(const std::vector<Statement*>& statements, std::size_t from) {
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
      open("if (" + entered(statements[leaving]->exits) + ") {");
      reverse_statements(statements, leaving + 1);
      close();
    }
    if (is_idle_when_left(statements, from, leaving)) {
      guard = "passed_" + std::to_string(statements[leaving]->order);
      line("const bool " + guard + " = " + entered(statements[leaving]->exits) + ";");
    }
    next = leaving + 1;
  }
  while (next-- > from) {
    Statement& statement = *statements[next];
    if (statement.reversed) {
      reverse_statement(statement);
    }
    if (statement.exits.any()) {
      clear_exits(statement.exits);
    }
    if (statement.reversed && is_idle_when_taken(statements, from, next)) {
      guard = "!" + value(*statement.value, Sweep::Reverse);
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

void Emitter::reverse_statement(Statement& statement) {
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
      return statement.registered || statement.functor ? reverse_registered(statement)
                                                       : reverse_call(statement);
    case Statement::Kind::If:
      open("if (" + taken(statement) + ") {");
      reverse_block(*statement.body);
      if (!statement.otherwise->statements.empty()) {
        indent_ -= 2;
        open("} else {");
        reverse_block(*statement.otherwise);
      }
      return close();
    case Statement::Kind::Loop:
      return reverse_loop(statement);
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

/// The partial of a rule by one operand, with the operands' values in it.
std::string Emitter::partial(const Value& result, unsigned operand, Sweep sweep) {
  if (result.slope_slot) {
    return slot(result.slope_slot, result.level);
  }
  if (result.partner && sweep == Sweep::Reverse) {
    return (is_sine(*result.rule) ? "" : "-") + value(*result.partner, sweep);
  }
  const std::string& form = result.rule->partials[operand];
  std::string text;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] != '$') {
      text += form[i];
      continue;
    }
    const char which = form[++i];
    if (which == 'r') {
      text += value(result, sweep);
    } else if (which == 'T') {
      text += type(result.type);
    } else {
      text += value(*result.operands[static_cast<std::size_t>(which - '0')], sweep);
    }
  }
  return text;
}

/// The partial by one operand times `with`, a cotangent of the result or a tangent of the operand.
std::string Emitter::product(const Value& result, unsigned operand, const std::string& with,
                             Sweep sweep) {
  if (result.rule->name == "operator div") {
    return quotient_product(result, operand, with, sweep);
  }
  if (sweep == Sweep::Reverse && is_identity(*result.rule)) {
    return "ddx::detail::singular_cotangent(" + with + ", " + value(*result.operands[0], sweep) +
           ")";
  }
  const std::string slope = partial(result, operand, sweep);
  if (slope == "1" || slope == "-1") {
    return (slope == "1" ? "" : "-") + with;
  }
  const Masking masking = sweep == Sweep::Forward ? masking_of_tangent(*result.rule, operand)
                                                  : masking_of_cotangent(*result.rule);
  const bool is_root = sweep == Sweep::Forward && is_singular_at_zero(*result.rule);
  switch (masking) {
    case Masking::None:
      break;
    case Masking::ByFactor:
      return (is_root ? "ddx::detail::tangent_of_root(" : "ddx::detail::scaled(") + with + ", " +
             slope + ")";
    case Masking::BySlope:
      return "ddx::detail::scaled(" + type(result.type) + "(" + slope + "), " + with + ")";
  }
  return "(" + slope + ") * " + with;
}

void Emitter::reverse_define(Value& defined) {
  const std::string cotangent = adjoint(defined);
  if (const auto found = terms_.find(&defined); found != terms_.end()) {
    if (!found->second.empty()) {
      line(found->second + "[" + defined.level->name + "_k] = " + cotangent + ";");
    }
    return;
  }
  switch (defined.kind) {
    case Value::Kind::Load:
      if (defined.type->isScalarType() && defined.path.root->active()) {
        line(adjoint(defined.path) + " += " + cotangent + ";");
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
        const std::string increment = product(defined, i, cotangent, Sweep::Reverse);
        const bool narrows = type(operand.type) != type(defined.type);
        add_to(operand, narrows
                            ? "static_cast<" + adjoint_type(operand.type) + ">(" + increment + ")"
                            : increment);
      }
      return;
    case Value::Kind::Text:
    case Value::Kind::Call:
      return;
  }
}

void Emitter::reverse_declare(Statement& statement) {
  const Root& declared = *statement.root;
  if (declared.type->isScalarType()) {
    add_to(*statement.value, adjoint(declared));
  } else if (arrays_.contains(&declared)) {
    if (statement.value->kind == Value::Kind::Load) {
      line("ddx::detail::add_elements(" + adjoint(statement.value->path) + ", " +
           adjoint(declared) + ", " + array_length(declared) + ");");
    }
  } else {
    pass_object(*statement.value, "std::move(" + adjoint(declared) + ")");
  }
}

void Emitter::reverse_store(Statement& statement) {
  const std::string target = adjoint(statement.path);
  Value& source = *statement.value;
  if (!statement.path.type->isScalarType()) {
    if (statement.slot) {
      open("{");
      line("auto taken = std::move(" + target + ");");
      if (context_.types.is_flat_vector(statement.path.type)) {
        line(target + ".assign(" + slot(statement.slot, statement.level) + ", {});");
      } else {
        line(target + " = *" + slot(statement.slot, statement.level) + ";");
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
    return;
  }
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
    line(adjoint_type(source.type) + " " + adjoint(source) + " = " + target + ";");
    line(target + " = " + nothing_yet + ";");
  } else {
    line(adjoint(source) + " += std::exchange(" + target + ", " + nothing_yet + ");");
  }
}

/// A sum type that got another alternative, or none: the cotangent goes to where the new value came
/// from.
void Emitter::reverse_sum_type(Statement& statement) {
  const std::string target = adjoint(statement.path);
  Value* const source = statement.value;
  const bool passes = source && source->active();
  open("{");
  if (passes) {
    line("auto taken = std::move(std::get<" + std::to_string(statement.part) + ">(" + target +
         "));");
  }
  line(statement.slot ? target + " = *" + slot(statement.slot, statement.level) + ";"
                      : "ddx::detail::set_zero(" + target + ");");
  if (passes && source->type->isScalarType()) {
    add_to(*source, "taken");
  } else if (passes) {
    pass_object(*source, "std::move(taken)");
  }
  close();
}

void Emitter::reverse_vector(Statement& statement) {
  const std::string target = adjoint(statement.path);
  if (statement.path.steps.empty() && arrays_.contains(statement.path.root)) {
    return reverse_growth(statement);
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
                                       slot(statement.slot, statement.level) + ");"
                                 : target + ".emplace_" + place + ");");
    }
    case Statement::VectorAction::Clear:
      line(target + ".clear();");
      [[fallthrough]];
    case Statement::VectorAction::Resize:
      return restore_size(statement, target);
    case Statement::VectorAction::Fill:
      open("for (auto& part : " + target + ") {");
      if (statement.value->active()) {
        line(adjoint(*statement.value) + " += part;");
      }
      line("part = 0;");
      return close();
    case Statement::VectorAction::SetAlternative:
    case Statement::VectorAction::Reset:
      return reverse_sum_type(statement);
  }
}

void Emitter::reverse_switch(Statement& statement) {
  open("{");
  if (statement.break_slot) {
    line("unsigned left_" + statement.break_slot->name + " = " +
         slot(statement.break_slot, statement.level) + ";");
  }
  const std::string entry = slot(statement.entry_slot, statement.level);
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
         (reached[i].any() ? " && " + entered(reached[i]) : "") + ") {");
    reverse_block(*statement.segments[i].body);
    close();
  }
  close();
}

void Emitter::reverse_return(Statement& statement) {
  Value& result = *statement.value;
  if (taken_over_ || !function_.key.result_useful) {
    return;  // No cotangent comes in, though the value may be of use elsewhere.
  }
  if (result.type->isScalarType()) {
    add_to(result, "seed");
  } else {
    pass_object(result, "std::move(seed)");
  }
}

void Emitter::reverse_call(Statement& call) {
  const Derivative& callee = *call.derivative;
  const std::string residuals = slot(call.slot, call.level);
  std::string list = (call.boxed ? "*" : "") + residuals;
  const auto add = [&](const std::string& argument) { list += ", " + argument; };
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Argument& passed = call.arguments[i];
    if (!callee.reverse_takes[i]) {
      continue;
    }
    add(passed.kind == Argument::Kind::Text      ? text(passed.text, Sweep::Reverse)
        : passed.kind == Argument::Kind::Pointer ? pointer(passed.path, Sweep::Reverse)
                                                 : path(passed.path, Sweep::Reverse));
  }
  if (call.value && callee.function.key.result_useful && call.value->has_tangent) {
    const std::string seed = adjoint(*call.value);
    const Root* const owner = handed_back_to(*call.value);
    add(owner ? adjoint(*owner)
        : !callee.seed_size.empty()
            ? "ddx::detail::elements(" + seed + ", " + residuals + "." + callee.seed_size + ")"
        : call.value->type->isScalarType() ? seed
                                           : "std::move(" + seed + ")");
  }
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Argument& passed = call.arguments[i];
    if (!callee.function.key.parameters[i].active) {
      continue;
    }
    add(passed.kind == Argument::Kind::Value     ? adjoint(*passed.value)
        : passed.kind == Argument::Kind::Pointer ? adjoint_pointer(passed.path)
        : callee.takes_flat(i)                   ? adjoint_elements(passed.path)
                                                 : adjoint(passed.path));
  }
  line((is_batched_ ? callee.reverse_batched() + "<ddx_lanes>" : callee.reverse()) + "(" + list +
       ", arena);");
}

void Emitter::reverse_registered(Statement& call) {
  const AtCall here(*this, call);
  std::string tangents, wanted;
  unsigned count = 0;
  for (const Argument& passed : call.arguments) {
    const clang::QualType of =
        passed.kind == Argument::Kind::Value ? passed.value->type : passed.path.type;
    if (!passed.has_tangent || !context_.types.counts(of)) {
      continue;
    }
    const bool active =
        passed.kind == Argument::Kind::Value
            ? passed.value->active()
            : passed.path.root->active() && is_differentiable(passed.path, context_.types);
    tangents += (count ? ", " : "") + tangent(of);
    wanted += (count ? ", " : "") + std::string(active ? "true" : "false");
    ++count;
  }
  open("{");
  line("auto parts = ddx::detail::call_pullback<std::tuple<" + tangents + ">>(*" +
       slot(call.slot, call.level) + ", " + adjoint(*call.value) + ", ddx::Wanted<" +
       std::to_string(count) + ">(" + wanted + "));");
  unsigned position = 0;
  for (const Argument& passed : call.arguments) {
    const clang::QualType of =
        passed.kind == Argument::Kind::Value ? passed.value->type : passed.path.type;
    if (!passed.has_tangent || !context_.types.counts(of)) {
      continue;
    }
    const std::string part = "std::get<" + std::to_string(position++) + ">(parts)";
    if (passed.kind == Argument::Kind::Value) {
      if (passed.value->active()) {
        line(adjoint(*passed.value) + " += " + part + ";");
      }
    } else if (passed.path.root->active() && is_differentiable(passed.path, context_.types)) {
      line("ddx::detail::accumulate(" + adjoint(passed.path) + ", std::move(" + part + "));");
    }
  }
  close();
}

}  // namespace ddx::compiler
