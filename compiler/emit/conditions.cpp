#include "compiler/emit/conditions.h"

#include "compiler/emit/speller.h"

namespace ddx::compiler {

using namespace ir;

/// The condition under which what follows a statement with these exits was executed.
std::string Conditions::entered(const Exits& exits) {
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
void Conditions::clear_exits(const Exits& exits) {
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
std::string Conditions::taken(const Statement& branch) {
  if (branch.last_slot) {
    return speller_.slot(branch.last_slot, branch.level->parent) + " == " + branch.level->name +
           "_k + 1";
  }
  const Statement* const exit = branch.only_exit;
  if (!exit) {
    return speller_.value(*branch.value, Sweep::Reverse);
  }
  const std::string left = exit->kind == Statement::Kind::Return ? "exit"
                           : exit->kind == Statement::Kind::Break
                               ? "left_" + exit->target->break_slot->name
                               : "skipped_" + exit->target->continue_slot->name;
  return left + " == " + std::to_string(exit->site);
}

}  // namespace ddx::compiler
