#include "compiler/analysis/activity.h"
#include "compiler/emit/all_parts.h"
#include "compiler/emit/at_call.h"
#include "compiler/emit/tangent.h"
#include "compiler/ir/functor_calls.h"
#include "compiler/request/registry.h"
#include "compiler/request/signature.h"

namespace ddx::compiler {

using namespace ir;

/// The tangent of an active argument, as the callee's tangent function takes it.
std::string TangentSweep::tangent_argument(const Argument& passed) {
  switch (passed.kind) {
    case Argument::Kind::Value:
      return tangent_of(*passed.value);
    case Argument::Kind::Pointer:
      return speller_.adjoint_pointer(passed.path, Sweep::Forward);
    case Argument::Kind::Reference:
    case Argument::Kind::Text:
      break;
  }
  return speller_.adjoint(passed.path, Sweep::Forward);
}

/// Finds the calls whose result is an object that the statement behind them declares: it is made
/// there, and its tangent beside it, so that neither is moved.
void TangentSweep::find_declared_results() {
  for (const Block& block : function_.blocks) {
    for (std::size_t i = 0; i + 1 < block.statements.size(); ++i) {
      const Statement& call = *block.statements[i];
      const Statement& next = *block.statements[i + 1];
      const bool declares = next.kind == Statement::Kind::Declare && !next.in_storage &&
                            next.value && next.value == call.value && next.root->active();
      if (call.kind == Statement::Kind::Call && declares && call.derivative && !call.functor &&
          !call.registered && call.value->active() && call.value->uses == 1 &&
          !call.value->type->isScalarType() &&
          speller_.type(call.value->type) == speller_.type(next.root->type)) {
        declared_results_[&call] = &next;
        made_by_calls_.insert(&next);
      }
    }
  }
}

void TangentSweep::call(Statement& call) {
  const AtCall here(writer_, context_, call);
  if (const Statement* const made = declared_results_.lookup(&call)) {
    const Root& root = *made->root;
    line(speller_.tangent(root.type) +
         (&root == returned_ ? "& " + speller_.adjoint(root) + " = " + result_tangent
                             : " " + speller_.adjoint(root) + "{}") +
         ";");
    return call_tangent(call, speller_.type(root.type) + " " + root.name + " = ",
                        speller_.adjoint(root));
  }
  const std::string declared =
      call.value ? speller_.type(call.value->type) + " t" + std::to_string(call.value->id) + " = "
                 : "";
  if (call.value && call.value->active()) {
    line(speller_.tangent(call.value->type) + " " + speller_.adjoint(*call.value) + "{};");
  }
  if (call.functor && call.value->active()) {
    return line(declared + functor_tangent(call) + ";");
  }
  if (call.functor) {
    return line(declared +
                functor_call(*call.functor, functor_names(call.functor->kind).value,
                             primal_calls_.arguments(call, false, false)) +
                ";");
  }
  if (call.registered && compiler::is_active(call, context_.types)) {
    return call_registered(call, declared);
  }
  if (call.derivative) {
    return call_tangent(call, declared, call.value ? speller_.adjoint(*call.value) : "");
  }
  primal_calls_.call_as_it_stands(call, declared);
}

/// The tangent of the result goes to `result`.
void TangentSweep::call_tangent(const Statement& call, const std::string& declared,
                                const std::string& result) {
  const Derivative& callee = *call.derivative;
  std::string list = primal_calls_.arguments(call, false, false);
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    if (callee.function.key.parameters[i].active) {
      list += (list.empty() ? "" : ", ") + tangent_argument(call.arguments[i]);
    }
  }
  if (call.value && callee.gives_tangent(context_.types)) {
    list += (list.empty() ? "" : ", ") + result;
  }
  line(declared + callee.tangent() + "(" + list + ");");
}

/// The value with its tangent along the tangents of the arguments.
std::string TangentSweep::functor_tangent(const Statement& call) {
  std::string moving, along;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Argument& passed = call.arguments[i];
    if (compiler::is_active(passed, context_.types)) {
      moving += (moving.empty() ? "" : ", ") + std::to_string(i);
      along += (along.empty() ? "" : ", ") + tangent_argument(passed);
    }
  }
  const std::string taken_by = positions(*call.functor);
  const std::string by = taken_by.empty() ? "" : "<" + taken_by + ">";
  return std::string("ddx::detail::") + functor_names(call.functor->kind).tangent + by +
         "(std::index_sequence<" + moving + ">{}, " + call.functor->name + "{}, " +
         speller_.adjoint(*call.value) + ", ddx::detail::make_direction(" + along + "), " +
         primal_calls_.arguments(call, false, false) + ")";
}

/// A derivative for forward mode takes a tangent for each differentiable parameter.
void TangentSweep::call_jvp(const Statement& call, const std::string& declared) {
  const Value& result = *call.value;
  const std::string name = "t" + std::to_string(result.id);
  std::string list = primal_calls_.arguments(call, false, false);
  std::string moving;
  unsigned count = 0;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Argument& passed = call.arguments[i];
    const bool by_value = passed.kind == Argument::Kind::Value;
    const clang::QualType of = by_value ? passed.value->type : passed.path.type;
    if (!passed.has_tangent || !context_.types.counts(of)) {
      continue;
    }
    const bool active = by_value ? passed.value->active() : is_active(passed.path);
    moving += std::string(count++ ? ", " : "") + (active ? "true" : "false");
    if (active) {
      list += ", " + tangent_argument(passed);
      continue;
    }
    const std::string zeros = name + "_zeros_" + std::to_string(i);
    declare_zeros(of, zeros,
                  by_value ? speller_.value(*passed.value, Sweep::Forward)
                           : speller_.path(passed.path, Sweep::Forward));
    list += ", " + zeros;
  }
  if (takes_wanted(*call.registered->jvp)) {
    list += ", ddx::Wanted<" + std::to_string(count) + ">(" + moving + ")";
  }
  line("auto " + name + "_both = " + context_.names.function(call.registered->jvp) + "(" + list +
       ");");
  if (result.active()) {
    line(speller_.adjoint(result) + " = std::move(" + name + "_both.tangent);");
  }
  line(declared + "std::move(" + name + "_both.value);");
}

/// Where only the pullback is known: of a symmetric Jacobian it maps tangents too. Else each number
/// of the result's tangent is the product of a row of the Jacobian and the tangents; where their
/// number is not known by its type, the pullback, which is linear, is pulled back.
void TangentSweep::call_registered(const Statement& call, const std::string& declared) {
  if (call.registered->jvp) {
    return call_jvp(call, declared);
  }
  const Value& result = *call.value;
  std::string types, wanted, tangents;
  unsigned count = 0;
  for (const Argument& passed : call.arguments) {
    const clang::QualType of =
        passed.kind == Argument::Kind::Value ? passed.value->type : passed.path.type;
    if (!passed.has_tangent || !context_.types.counts(of)) {
      continue;
    }
    const bool active =
        passed.kind == Argument::Kind::Value ? passed.value->active() : is_active(passed.path);
    types += (count ? ", " : "") + speller_.tangent(of);
    wanted += (count ? ", " : "") + std::string(active ? "true" : "false");
    tangents += (count ? ", " : "") + (active ? tangent_argument(passed) : "ddx::NoTangent{}");
    ++count;
  }
  const std::string name = "t" + std::to_string(result.id);
  const std::string vjp = context_.names.function(call.registered->vjp);
  const std::string arguments = primal_calls_.registered_arguments(call);
  if (result.active() && has_symmetric_jacobian(*call.registered->vjp)) {
    line("auto " + name + "_vjp = " + vjp + "(" + arguments + ");");
    line(speller_.adjoint(result) + " = " + name + "_vjp.pullback(" + tangents + ");");
    return line(declared + "std::move(" + name + "_vjp.value);");
  }
  if (result.active() && !context_.types.has_coordinates(result.type)) {
    line("auto " + name +
         "_both = ddx::detail::registered_tangent(ddx::detail::Registered<std::tuple<" + types +
         ">, decltype([](const auto&... at) { return " + vjp +
         "(at...); })>{}, ddx::detail::make_direction(" + tangents + "), " + arguments + ");");
    line(speller_.adjoint(result) + " = std::move(" + name + "_both.tangent);");
    return line(declared + "std::move(" + name + "_both.value);");
  }
  line("auto " + name + "_vjp = " + vjp + "(" + arguments + ");");
  if (result.active()) {
    line("ddx::detail::tangent_by_pullback<std::tuple<" + types + ">>(" + name + "_vjp.pullback, " +
         speller_.adjoint(result) + ", ddx::Wanted<" + std::to_string(count) + ">(" + wanted +
         "), " + tangents + ");");
  }
  line(declared + "std::move(" + name + "_vjp.value);");
}

}  // namespace ddx::compiler
