#include "compiler/emit/reverse_calls.h"

#include "compiler/analysis/activity.h"
#include "compiler/emit/all_parts.h"
#include "compiler/emit/at_call.h"

namespace ddx::compiler {

using namespace ir;

void ReverseCalls::reverse_call(Statement& call) {
  const Derivative& callee = *call.derivative;
  const std::string residuals = speller_.slot(call.slot, call.level);
  std::string list = (call.boxed ? "*" : "") + residuals;
  const auto add = [&](const std::string& argument) { list += ", " + argument; };
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Argument& passed = call.arguments[i];
    if (!callee.reverse_takes[i]) {
      continue;
    }
    add(passed.kind == Argument::Kind::Text      ? speller_.text(passed.text, Sweep::Reverse)
        : passed.kind == Argument::Kind::Pointer ? speller_.pointer(passed.path, Sweep::Reverse)
                                                 : speller_.path(passed.path, Sweep::Reverse));
  }
  if (call.value && callee.function.key.result_useful && call.value->has_tangent) {
    const std::string seed = speller_.adjoint(*call.value);
    const Root* const owner = adjoint_arrays_.handed_back_to(*call.value);
    add(owner ? speller_.adjoint(*owner)
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
    add(passed.kind == Argument::Kind::Value     ? speller_.adjoint(*passed.value)
        : passed.kind == Argument::Kind::Pointer ? speller_.adjoint_pointer(passed.path)
        : callee.takes_flat(i)                   ? flat_adjoints_.adjoint_elements(passed.path)
                                                 : speller_.adjoint(passed.path));
  }
  line((speller_.is_batched() ? callee.reverse_batched() + "<ddx_lanes>" : callee.reverse()) + "(" +
       list + ", arena);");
}

void ReverseCalls::reverse_registered(Statement& call) {
  const AtCall here(writer_, context_, call);
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
    tangents += (count ? ", " : "") + speller_.tangent(of);
    wanted += (count ? ", " : "") + std::string(active ? "true" : "false");
    ++count;
  }
  // Nothing reads the cotangent of the result again: it ends with the call.
  const std::string adjoint = speller_.adjoint(*call.value);
  const std::string seed =
      call.value->type->isScalarType() ? adjoint : "std::move(" + adjoint + ")";
  open("{");
  line("auto parts = ddx::detail::call_pullback<std::tuple<" + tangents + ">>(*" +
       speller_.slot(call.slot, call.level) + ", " + seed + ", ddx::Wanted<" +
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
        line(speller_.adjoint(*passed.value) + " += " + part + ";");
      }
    } else if (passed.path.root->active() && is_differentiable(passed.path, context_.types)) {
      line("ddx::detail::accumulate(" + speller_.adjoint(passed.path) + ", std::move(" + part +
           "));");
    }
  }
  close();
}

}  // namespace ddx::compiler
