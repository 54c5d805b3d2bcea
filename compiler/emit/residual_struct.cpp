#include "compiler/analysis/activity.h"
#include "compiler/emit/emitter.h"
#include "compiler/emit/multi_cotangent.h"

namespace ddx::compiler {

using namespace ir;

bool has_residuals(const Level& level) {
  return !level.slots.empty();
}

std::string Emitter::level_struct(const Level& level) {
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
std::string Emitter::residual_structs() {
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

std::string Emitter::forward_signature() {
  std::string parameters;
  for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
    const Root& parameter = *function_.parameters[i];
    const bool exclusive = parameter.kind == Root::Kind::Pointer && parameter.exclusive;
    parameters += "[[maybe_unused]] " + function_.parameter_types[i] +
                  (exclusive ? " __restrict " : " ") + parameter.name + ", ";
  }
  const std::string result = function_.result->isVoidType() ? "void" : type(function_.result);
  return result + " " + derivative_.forward() + "(" + parameters + "[[maybe_unused]] " +
         derivative_.residuals() + "& __restrict r, [[maybe_unused]] ddx::detail::Arena& arena)";
}

std::string Emitter::reverse_signature() {
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
  if (taken_over_) {
    parameters += ", [[maybe_unused]] " + tangent(context_.types.element(taken_over_->type)) +
                  "* __restrict " + adjoint(*taken_over_);
  } else if (!function_.result->isVoidType() && function_.key.result_useful &&
             context_.types.has_tangent(function_.result)) {
    parameters += ", [[maybe_unused]] " + tangent(function_.result) +
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
        tangent(flat ? context_.types.element(parameter.type) : parameter.type);
    if (flat || parameter.kind == Root::Kind::Pointer) {
      parameters +=
          ", " + stem + (parameter.exclusive_adjoint ? "* __restrict " : "* ") + adjoint(parameter);
    } else if (parameter.kind == Root::Kind::Scalar) {
      parameters += ", " + stem + "& " + adjoint(parameter) + "_out";
    } else {
      parameters +=
          ", " + stem + (parameter.exclusive_adjoint ? "& __restrict " : "& ") + adjoint(parameter);
    }
  }
  return "void " + (is_batched_ ? derivative_.reverse_batched() : derivative_.reverse()) + "(" +
         parameters + ", [[maybe_unused]] ddx::detail::Arena& arena)";
}

void Emitter::run() {
  const bool exchanges = exchanges_wholes();
  if (exchanges) {
    function_.level->slots.clear();
  }
  count_uses();
  decide_adjoint_arrays();
  decide_flat_adjoints();
  for (Block& block : function_.blocks) {
    decide_folding(block);
    decide_adjoints_at_use(block);
  }
  const std::string linkage =
      derivative_.recursive ? "[[maybe_unused]] static " : "[[maybe_unused]] static inline ";
  derivative_.declarations = residual_structs() + linkage + forward_signature() + ";\n" +
                             (derivative_.active ? linkage + reverse_signature() + ";\n" : "");
  open(linkage + forward_signature() + " {");
  for (const Root* parameter : function_.parameters) {
    if (parameter->slot) {
      line(slot(parameter->slot, function_.level) + " = " + parameter->name + ";");
    }
  }
  if (function_.exit_slot) {
    line(slot(function_.exit_slot, function_.level) + " = 0;");
  }
  exchanges ? exchange_wholes(false) : forward_block(*function_.body);
  close();
  if (derivative_.active) {
    reverse_sweep(linkage);
  }
  derivative_.definitions = std::move(out_);
  derivative_.uses_arena = uses_arena();
}

/// Does the text take memory from the arena, other than by handing it on to a call that does not?
bool Emitter::uses_arena() const {
  const llvm::StringRef text = derivative_.definitions;
  bool uses = text.contains("arena.") || text.contains("(arena,");
  for_each_statement(function_.body, [&](const Statement* call) {
    const Derivative* callee = call->kind == Statement::Kind::Call ? call->derivative : nullptr;
    uses = uses || (callee && (callee->in_progress || callee->uses_arena));
  });
  return uses;
}

void Emitter::run_batched() {
  is_batched_ = true;
  decide_adjoint_arrays();
  decide_flat_adjoints();
  const char* const kind = derivative_.recursive                   ? "static "
                           : is_compiled_into_callers(derivative_) ? "DDX_INLINE static "
                                                                   : "static inline ";
  const std::string linkage =
      std::string("template <std::size_t ddx_lanes>\n[[maybe_unused]] ") + kind;
  derivative_.batched_declarations = linkage + reverse_signature() + ";\n";
  reverse_sweep(linkage);
  derivative_.batched_definitions = std::move(out_);
  derivative_.has_batched = true;
}

void Emitter::reverse_sweep(const std::string& linkage) {
  open(linkage + reverse_signature() + " {");
  line("DDX_ADJOINT_SUM");
  for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
    const Root& parameter = *function_.parameters[i];
    const bool given = function_.key.parameters[i].active;
    if (given ? parameter.kind == Root::Kind::Scalar : parameter.active()) {
      line("[[maybe_unused]] " + tangent(parameter.type) + " " + adjoint(parameter) +
           (Types::is_real(parameter.type) ? std::string(" = ") + nothing_yet : "{}") + ";");
    }
  }
  if (function_.exit_slot) {
    line("[[maybe_unused]] unsigned exit = " + slot(function_.exit_slot, function_.level) + ";");
  }
  exchanges_wholes() ? exchange_wholes(true) : reverse_block(*function_.body);
  for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
    const Root& parameter = *function_.parameters[i];
    if (parameter.kind == Root::Kind::Scalar && function_.key.parameters[i].active) {
      line(adjoint(parameter) + "_out += " + adjoint(parameter) + ";");
    }
  }
  close();
}

}  // namespace ddx::compiler
