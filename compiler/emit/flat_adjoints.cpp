#include "compiler/analysis/activity.h"
#include "compiler/emit/emitter.h"

namespace ddx::compiler {

using namespace ir;

/// Decides which vector parameters hand only their elements' adjoints to the reverse sweep: where
/// nothing treats the vector as a whole, a pointer to them does, and a pointer can be `__restrict`.
void Emitter::decide_flat_adjoints() {
  derivative_.flat_adjoints.assign(function_.parameters.size(), false);
  if (derivative_.recursive) {
    return;  // Calls of this derivative have been written already.
  }
  for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
    const Root& parameter = *function_.parameters[i];
    derivative_.flat_adjoints[i] =
        parameter.kind == Root::Kind::Reference && function_.key.parameters[i].active &&
        Types::container(parameter.type) == Container::StdVector &&
        Types::is_real(context_.types.element(parameter.type)) && !used_as_a_whole(parameter);
  }
}

bool Emitter::used_as_a_whole(const Root& vector) const {
  const auto names_it = [&](const Path& path) {
    return path.root == &vector && path.steps.empty();
  };
  bool whole = false;
  for_each_statement(function_.body, [&](const Statement* statement) {
    if (!statement->reversed) {
      return;
    }
    switch (statement->kind) {
      case Statement::Kind::Define:
        whole = whole ||
                (statement->value->kind == Value::Kind::Load && names_it(statement->value->path));
        return;
      case Statement::Kind::Store:
      case Statement::Kind::Vector:
        whole = whole || names_it(statement->path);
        return;
      case Statement::Kind::Call:
        for (std::size_t i = 0; i < statement->arguments.size(); ++i) {
          const Argument& passed = statement->arguments[i];
          const bool flat = statement->derivative && passed.kind == Argument::Kind::Reference &&
                            statement->derivative->takes_flat(i);
          const bool by_path =
              passed.kind == Argument::Kind::Reference || passed.kind == Argument::Kind::Pointer;
          whole = whole || (by_path && names_it(passed.path) && !flat);
        }
        return;
      default:
        return;
    }
  });
  return whole;
}

bool Emitter::is_flat(const Root& root) const {
  for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
    if (function_.parameters[i] == &root) {
      return derivative_.takes_flat(i);
    }
  }
  return false;
}

/// The adjoints of a vector's elements, by pointer.
std::string Emitter::adjoint_elements(const Path& vector) {
  return vector.steps.empty() && is_flat(*vector.root) ? adjoint(*vector.root)
                                                       : "std::data(" + adjoint(vector) + ")";
}

}  // namespace ddx::compiler
