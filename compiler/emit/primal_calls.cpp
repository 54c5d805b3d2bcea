#include "compiler/emit/primal_calls.h"

#include "compiler/emit/all_parts.h"
#include "compiler/emit/at_call.h"
#include "compiler/ir/functor_calls.h"
#include "compiler/request/registry.h"

namespace ddx::compiler {

using namespace ir;

std::string PrimalCalls::argument(const Argument& passed) {
  switch (passed.kind) {
    case Argument::Kind::Value:
      return speller_.value(*passed.value, Sweep::Forward);
    case Argument::Kind::Reference:
      return passed.is_constant ? speller_.path(passed.path, Sweep::Forward)
                                : speller_.writable(passed.path);
    case Argument::Kind::Pointer:
      return speller_.pointer(passed.path, Sweep::Forward);
    case Argument::Kind::Text:
      return speller_.text(passed.text, Sweep::Forward);
  }
  return "";
}

std::string PrimalCalls::arguments(const Statement& call, bool leave_out_defaults,
                                   bool skip_first) {
  std::string list;
  bool first = true;
  for (std::size_t i = skip_first ? 1 : 0; i < call.arguments.size(); ++i) {
    if (leave_out_defaults && call.arguments[i].is_default) {
      break;
    }
    const bool moved = leave_out_defaults && call.arguments[i].is_moved && !call.registered;
    list += (first ? "" : ", ") + (moved ? "std::move(" + argument(call.arguments[i]) + ")"
                                         : argument(call.arguments[i]));
    first = false;
  }
  return list;
}

/// A call of the function itself.
void PrimalCalls::call_as_it_stands(const Statement& call, const std::string& declared) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(call.callee);
  if (!call.primal_text.empty()) {
    line(declared + speller_.text(call.primal_text, Sweep::Forward) + ";");
  } else if (method && method->isInstance()) {
    line(declared + speller_.path(call.arguments[0].path, Sweep::Forward) + "." +
         context_.names.function(method) + "(" + arguments(call, true, true) + ");");
  } else {
    line(declared + context_.names.function(call.callee) + "(" + arguments(call, true, false) +
         ");");
  }
}

/// The arguments of a call of its registered derivative, which need not repeat the defaults of its
/// primal.
std::string PrimalCalls::registered_arguments(const Statement& call) {
  bool has_defaults = true;
  for (std::size_t i = call.registered->vjp->getMinRequiredArguments(); i-- > 0 && has_defaults;) {
    has_defaults = !call.arguments[i].is_default;
  }
  return arguments(call, has_defaults, false);
}

void PrimalCalls::forward_call(Statement& call) {
  const AtCall here(writer_, context_, call);
  const bool active = call.reversed;
  const std::string result = call.value ? "t" + std::to_string(call.value->id) : "";
  const std::string declared =
      call.value ? speller_.type(call.value->type) + " " + result + " = " : "";
  if (call.functor && active) {
    line("auto " + result + "_vjp = " +
         functor_call(*call.functor, functor_names(call.functor->kind).vjp,
                      arguments(call, false, false)) +
         ";");
    line(speller_.slot(call.slot, call.level) + " = arena.make<" +
         call.slot->type.substr(0, call.slot->type.size() - 1) + ">(std::move(" + result +
         "_vjp.pullback));");
    line(declared + "std::move(" + result + "_vjp.value);");
  } else if (call.functor) {
    line(declared +
         functor_call(*call.functor, functor_names(call.functor->kind).value,
                      arguments(call, false, false)) +
         ";");
  } else if (call.registered && active) {
    line("auto " + (result.empty() ? "unused" : result) + "_vjp = " +
         context_.names.function(call.registered->vjp) + "(" + registered_arguments(call) + ");");
    line(speller_.slot(call.slot, call.level) + " = arena.make<" +
         call.slot->type.substr(0, call.slot->type.size() - 1) + ">(std::move(" + result +
         "_vjp.pullback));");
    line(declared + "std::move(" + result + "_vjp.value);");
  } else if (call.derivative) {
    std::string residuals =
        "*arena.alloc<" + call.derivative->residuals() + ">(1)";  // Nothing of it is read again.
    if (active) {
      if (call.boxed) {
        line(speller_.slot(call.slot, call.level) + " = " + residuals.substr(1) + ";");
      }
      residuals = (call.boxed ? "*" : "") + speller_.slot(call.slot, call.level);
    }
    line(declared + call.derivative->forward() + "(" + arguments(call, false, false) +
         (call.arguments.empty() ? "" : ", ") + residuals + ", arena);");
  } else {
    call_as_it_stands(call, declared);
  }
  if (call.value) {
    forward_.save(*call.value);
  }
  shapes_.save_resized(call);
}

}  // namespace ddx::compiler
