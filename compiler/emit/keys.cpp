// Maps that get or lose keys. The tangent of a map has the same keys, or fewer: one that is missing
// counts as zero, so that what a value got back while it was there is forgotten, and nothing made.

#include "compiler/emit/tangent.h"

namespace ddx::compiler {

using namespace ir;

void Emitter::forward_key(Statement& statement, const std::string& target) {
  const std::string key = value(*statement.count, Sweep::Forward);
  if (statement.action == Statement::VectorAction::Add) {
    const std::string added = "ddx::detail::add_key(" + target + ", " + key + ");";
    line(statement.slot ? slot(statement.slot, statement.level) + " = " + added : added);
  } else {
    if (statement.slot) {
      line(slot(statement.slot, statement.level) + " = ddx::detail::saved_shape_at<" +
           tangent(Types::mapped(statement.path.type)) + ">(arena, " + target + ", " + key + ");");
    }
    line(target + ".erase(" + key + ");");
  }
  save_shape_of(statement.path);
}

void Emitter::reverse_key(Statement& statement, const std::string& target) {
  switch (statement.action) {
    case Statement::VectorAction::Add:
      return line("if (" + slot(statement.slot, statement.level) + ") " + target + ".erase(" +
                  value(*statement.count, Sweep::Reverse) + ");");
    case Statement::VectorAction::Erase: {
      const std::string key = value(*statement.count, Sweep::Reverse);
      line(target + ".erase(" + key + ");");
      if (statement.slot) {
        const std::string shape = slot(statement.slot, statement.level);
        line("if (" + shape + ") " + target + ".try_emplace(" + key + ", *" + shape + ");");
      }
      return;
    }
    case Statement::VectorAction::Clear:
      return line(statement.slot ? target + " = *" + slot(statement.slot, statement.level) + ";"
                                 : target + ".clear();");
    default:
      return;  // Of other containers.
  }
}

void TangentEmitter::change_map(Statement& statement, const std::string& target) {
  forward_vector(statement);
  if (statement.action == Statement::VectorAction::Clear) {
    return line(target + ".clear();");
  }
  const std::string key = value(*statement.count, Sweep::Forward);
  if (statement.action == Statement::VectorAction::Erase) {
    return line(target + ".erase(" + key + ");");
  }
  const clang::QualType mapped = Types::mapped(statement.path.type);
  if (context_.types.is_shaped(mapped)) {
    line("if (!" + target + ".contains(" + key + ")) " + target + "[" + key +
         "] = ddx::detail::zeros_shaped_like<" + tangent(mapped) + ">(ddx::detail::entry(" +
         path(statement.path, Sweep::Forward) + ", " + key + ").second);");
  }
}

}  // namespace ddx::compiler
