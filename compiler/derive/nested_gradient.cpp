// Gradients inside differentiated code: the function of the inner gradient as a class without
// members, so that library code can be handed it.

#include "compiler/derive/driver.h"

namespace ddx::compiler {

using namespace ir;

/// Gives `call`, which denotes a gradient, a class whose objects call a copy of the function;
/// what its closure captured are arguments like the others.
bool Driver::choose_functor(Statement& call) {
  Key key;
  key.mode = Mode::Forward;
  key.function = call.callee;
  key.targets = call.targets;
  key.parameters.resize(call.arguments.size());
  chain_.emplace_back(call.callee, call.where);
  const Derivative* copy = derive(key);
  chain_.pop_back();
  if (!copy) {
    return false;
  }
  std::string& name = functors_[copy];
  if (name.empty()) {
    name = context_.names.fresh(copy->name + "_functor");
    std::string parameters, passed;
    for (std::size_t i = 0; i < copy->function.parameters.size(); ++i) {
      const Root& parameter = *copy->function.parameters[i];
      // What the function may take by reference is a copy: nothing in it is changed.
      const bool copied = parameter.kind == Root::Kind::Reference && !parameter.is_constant;
      parameters +=
          (i ? ", " : "") +
          (copied ? context_.names.type(parameter.type) : copy->function.parameter_types[i]) + " " +
          parameter.name;
      passed += (i ? ", " : "") + parameter.name;
    }
    declarations_ += "struct " + name + " {\n  " + context_.names.type(copy->function.result) +
                     " operator()(" + parameters + ") const { return " + copy->tangent() + "(" +
                     passed + "); }\n};\n";
  }
  call.functor->name = name;
  return true;
}

}  // namespace ddx::compiler
