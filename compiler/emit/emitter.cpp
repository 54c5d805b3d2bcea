#include "compiler/emit/emitter.h"

#include "compiler/emit/adjoints_at_use.h"
#include "compiler/emit/all_parts.h"
#include "compiler/emit/folding.h"
#include "compiler/emit/multi_cotangent.h"
#include "compiler/emit/signatures.h"
#include "compiler/emit/whole_exchange.h"

namespace ddx::compiler {

using namespace ir;

namespace {

/// Fills the texts of a derivative of reverse mode.
class Sweeps : public EmitPart {
 public:
  explicit Sweeps(EmitParts& all) : EmitPart(all), signatures_(all) {}

  void write();
  void write_batched();

 private:
  [[nodiscard]] bool uses_arena() const;
  void reverse_sweep(const std::string& linkage);

  Signatures signatures_;
};

void Sweeps::write() {
  const bool exchanges = exchanges_wholes(function_);
  if (exchanges) {
    function_.level->slots.clear();
  }
  count_uses(function_);
  adjoint_arrays_.decide_adjoint_arrays();
  flat_adjoints_.decide_flat_adjoints();
  for (Block& block : function_.blocks) {
    decide_folding(block);
    decide_adjoints_at_use(block, context_.types);
  }
  const std::string linkage =
      derivative_.recursive ? "[[maybe_unused]] static " : "[[maybe_unused]] static inline ";
  derivative_.declarations =
      signatures_.residual_structs() + linkage + signatures_.forward_signature() + ";\n" +
      (derivative_.active ? linkage + signatures_.reverse_signature() + ";\n" : "");
  open(linkage + signatures_.forward_signature() + " {");
  for (const Root* parameter : function_.parameters) {
    if (parameter->slot) {
      line(speller_.slot(parameter->slot, function_.level) + " = " + parameter->name + ";");
    }
  }
  if (function_.exit_slot) {
    line(speller_.slot(function_.exit_slot, function_.level) + " = 0;");
  }
  exchanges ? exchange_wholes(writer_, function_, false) : forward_.forward_block(*function_.body);
  close();
  if (derivative_.active) {
    reverse_sweep(linkage);
  }
  derivative_.definitions = writer_.take();
  derivative_.uses_arena = uses_arena();
}

/// Does the text take memory from the arena, other than by handing it on to a call that does not?
bool Sweeps::uses_arena() const {
  const llvm::StringRef text = derivative_.definitions;
  bool uses = text.contains("arena.") || text.contains("(arena,");
  for_each_statement(function_.body, [&](const Statement* call) {
    const Derivative* callee = call->kind == Statement::Kind::Call ? call->derivative : nullptr;
    uses = uses || (callee && (callee->in_progress || callee->uses_arena));
  });
  return uses;
}

void Sweeps::write_batched() {
  speller_.set_batched();
  adjoint_arrays_.decide_adjoint_arrays();
  flat_adjoints_.decide_flat_adjoints();
  const char* const kind = derivative_.recursive                   ? "static "
                           : is_compiled_into_callers(derivative_) ? "DDX_INLINE static "
                                                                   : "static inline ";
  const std::string linkage =
      std::string("template <std::size_t ddx_lanes>\n[[maybe_unused]] ") + kind;
  derivative_.batched_declarations = linkage + signatures_.reverse_signature() + ";\n";
  reverse_sweep(linkage);
  derivative_.batched_definitions = writer_.take();
  derivative_.has_batched = true;
}

void Sweeps::reverse_sweep(const std::string& linkage) {
  open(linkage + signatures_.reverse_signature() + " {");
  line("DDX_ADJOINT_SUM");
  for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
    const Root& parameter = *function_.parameters[i];
    const bool given = function_.key.parameters[i].active;
    if (given ? parameter.kind == Root::Kind::Scalar : parameter.active()) {
      line("[[maybe_unused]] " + speller_.tangent(parameter.type) + " " +
           speller_.adjoint(parameter) +
           (Types::is_real(parameter.type) ? std::string(" = ") + nothing_yet : "{}") + ";");
    }
  }
  if (function_.exit_slot) {
    line("[[maybe_unused]] unsigned exit = " + speller_.slot(function_.exit_slot, function_.level) +
         ";");
  }
  exchanges_wholes(function_) ? exchange_wholes(writer_, function_, true)
                              : reverse_.reverse_block(*function_.body);
  for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
    const Root& parameter = *function_.parameters[i];
    if (parameter.kind == Root::Kind::Scalar && function_.key.parameters[i].active) {
      line(speller_.adjoint(parameter) + "_out += " + speller_.adjoint(parameter) + ";");
    }
  }
  close();
}

}  // namespace

void emit_sweeps(const Context& context, Derivative& derivative, const Writes& writes) {
  EmitParts parts(context, derivative, writes);
  Sweeps(parts).write();
}

void emit_batched_sweep(const Context& context, Derivative& derivative, const Writes& writes) {
  EmitParts parts(context, derivative, writes);
  Sweeps(parts).write_batched();
}

}  // namespace ddx::compiler
