#include "compiler/emit/signatures.h"

#include "compiler/analysis/activity.h"
#include "compiler/emit/all_parts.h"
#include "compiler/emit/multi_cotangent.h"

namespace ddx::compiler {

using namespace ir;

std::string Signatures::level_struct(const Level& level) {
  const std::string name =
      level.loop ? derivative_.residuals() + "_" + level.name : derivative_.residuals();
  std::string body = "struct " + name + " {\n";
  for (const Slot* slot : level.slots) {
    body += "  " + slot->type + " " + slot->name + ";\n";
  }
  if (level.loop && level.loop->chained) {
    body += "  " + name + "* previous;\n";
  }
  return body + "};\n";
}

/// Inner iterations first: outer residuals point at inner ones.
std::string Signatures::residual_structs() {
  for (auto level = function_.levels.rbegin(); level != function_.levels.rend(); ++level) {
    if (level->loop && has_residuals(*level)) {
      Slot& nodes = function_.slots.emplace_back();
      nodes.type = derivative_.residuals() + "_" + level->name + "*";
      nodes.name = level->name + "_nodes";
      level->loop->nodes_slot = &nodes;
      level->loop->level->slots.push_back(&nodes);
    }
  }
  std::string text;
  for (auto level = function_.levels.rbegin(); level != function_.levels.rend(); ++level) {
    if (!level->loop || has_residuals(*level)) {
      text += level_struct(*level);
    }
  }
  return text;
}

std::string Signatures::forward_signature() {
  std::string parameters;
  for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
    const Root& parameter = *function_.parameters[i];
    const bool exclusive = parameter.kind == Root::Kind::Pointer && parameter.exclusive;
    parameters += "[[maybe_unused]] " + function_.parameter_types[i] +
                  (exclusive ? " __restrict " : " ") + parameter.name + ", ";
  }
  const std::string result =
      function_.result->isVoidType() ? "void" : speller_.type(function_.result);
  return result + " " + derivative_.forward() + "(" + parameters + "[[maybe_unused]] " +
         derivative_.residuals() + "& __restrict r, [[maybe_unused]] ddx::detail::Arena& arena)";
}

std::string Signatures::reverse_signature() {
  std::string parameters = "[[maybe_unused]] const " + derivative_.residuals() + "& __restrict r";
  for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
    if (derivative_.reverse_takes[i]) {
      const Root& parameter = *function_.parameters[i];
      std::string spelled = function_.parameter_types[i];
      parameters +=
          ", [[maybe_unused]] " + spelled +
          (parameter.kind == Root::Kind::Pointer && parameter.exclusive ? " __restrict " : " ") +
          parameter.name;
    }
  }
  if (adjoint_arrays_.taken_over()) {
    parameters += ", [[maybe_unused]] " +
                  speller_.tangent(context_.types.element(adjoint_arrays_.taken_over()->type)) +
                  "* __restrict " + speller_.adjoint(*adjoint_arrays_.taken_over());
  } else if (!function_.result->isVoidType() && function_.key.result_useful &&
             context_.types.has_tangent(function_.result)) {
    parameters += ", [[maybe_unused]] " + speller_.tangent(function_.result) +
                  (Types::is_real(function_.result) ? "" : "&&") + " seed";
  }
  for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
    const Root& parameter = *function_.parameters[i];
    if (!function_.key.parameters[i].active) {
      continue;
    }
    const bool flat = derivative_.takes_flat(i);
    const std::string stem =
        "[[maybe_unused]] " +
        speller_.tangent(flat ? context_.types.element(parameter.type) : parameter.type);
    if (flat || parameter.kind == Root::Kind::Pointer) {
      parameters += ", " + stem + (parameter.exclusive_adjoint ? "* __restrict " : "* ") +
                    speller_.adjoint(parameter);
    } else if (parameter.kind == Root::Kind::Scalar) {
      parameters += ", " + stem + "& " + speller_.adjoint(parameter) + "_out";
    } else {
      parameters += ", " + stem + (parameter.exclusive_adjoint ? "& __restrict " : "& ") +
                    speller_.adjoint(parameter);
    }
  }
  return "void " + (speller_.is_batched() ? derivative_.reverse_batched() : derivative_.reverse()) +
         "(" + parameters + ", [[maybe_unused]] ddx::detail::Arena& arena)";
}

}  // namespace ddx::compiler
