#include "compiler/emit/tangent.h"

#include "compiler/analysis/activity.h"
#include "compiler/emit/all_parts.h"
#include "compiler/emit/folding.h"
#include "compiler/emit/whole_exchange.h"

namespace ddx::compiler {

using namespace ir;

bool TangentSweep::is_active(const Path& path) const {
  return path.root->active() && is_differentiable(path, context_.types);
}

/// The tangent of an active value, as an expression.
std::string TangentSweep::tangent_of(const Value& value) {
  return value.kind == Value::Kind::Load && value.folded
             ? speller_.adjoint(value.path, Sweep::Forward)
             : speller_.adjoint(value);
}

/// The same where nothing else reads it: an object's is moved from, unless it is that of a
/// variable.
std::string TangentSweep::moved_tangent_of(const Value& value) {
  const std::string tangent = tangent_of(value);
  return value.type->isScalarType() || value.folded ? tangent : "std::move(" + tangent + ")";
}

/// What an active operation computes is named: its tangent reads operands and result by name.
void TangentSweep::keep_operands() {
  for (Value& operation : function_.values) {
    if (operation.kind != Value::Kind::Operation || !operation.active()) {
      continue;
    }
    operation.folded = false;
    for (Value* operand : operation.operands) {
      operand->folded = operand->folded && operand->kind != Value::Kind::Operation;
    }
  }
}

std::string TangentSweep::derivative_of(const Value& operation) {
  std::string sum;
  for (unsigned i = 0; i < operation.operands.size(); ++i) {
    const Value& operand = *operation.operands[i];
    if (!operand.active() || operation.rule->is_zero(i)) {
      continue;
    }
    const std::string given = tangent_of(operand);
    const std::string term = slopes_.product(operation, i, given, Sweep::Forward);
    const bool converts = speller_.type(operand.type) != speller_.type(operation.type);
    // A difference stays one: where it is differentiated itself, that is a pattern.
    const bool subtracts = !sum.empty() && !converts && term.front() == '-';
    sum += (sum.empty() ? ""
            : subtracts ? " - "
                        : " + ") +
           (converts ? "static_cast<" + speller_.type(operation.type) + ">(" + term + ")"
                     : term.substr(subtracts ? 1 : 0));
  }
  return sum;
}

void TangentSweep::define(Value& defined, const Statement& statement) {
  if (!defined.active() || defined.folded) {
    return forward_.forward_define(defined, statement);
  }
  if (defined.uses == 0) {
    return;  // A load or an operation: nothing is lost.
  }
  const bool scalar = defined.type->isScalarType();
  const std::string spelled = speller_.type(defined.type);
  if (defined.kind == Value::Kind::Load) {
    line((scalar ? spelled : speller_.tangent(defined.type)) + " " + speller_.adjoint(defined) +
         " = " + speller_.adjoint(defined.path, Sweep::Forward) + ";");
    return forward_.forward_define(defined, statement);
  }
  forward_.forward_define(defined, statement);
  line(spelled + " " + speller_.adjoint(defined) + " = " + derivative_of(defined) + ";");
}

/// Declares the tangent of `root`: zeros with its shape.
void TangentSweep::declare_zeros(const Root& root) {
  declare_zeros(root.type, speller_.adjoint(root), root.name);
}

/// Declares `name`: a tangent of zeros with the shape of `source`, a text of type `primal`.
void TangentSweep::declare_zeros(clang::QualType primal, const std::string& name,
                                 const std::string& source) {
  const std::string declared = "[[maybe_unused]] " + speller_.tangent(primal) + " " + name;
  if (primal->isScalarType()) {
    line(declared + " = 0;");
  } else if (context_.types.is_flat_vector(primal)) {
    line(declared + "(" + source + ".size());");
  } else {
    line(declared + "{};");
    if (context_.types.is_shaped(primal)) {
      line("ddx::detail::shape_like(" + name + ", " + source + ");");
    }
  }
}

/// The vector of numbers that the function declares as its own and returns at its end, if it does:
/// its tangent is made where the caller wants it.
const Root* TangentSweep::find_returned() const {
  const auto& statements = function_.body->statements;
  if (!gives_tangent_ || !function_.single_exit || statements.empty() ||
      statements.back()->kind != Statement::Kind::Return) {
    return nullptr;
  }
  const Value* const result = statements.back()->value;
  if (!result || result->kind != Value::Kind::Load || !result->path.steps.empty()) {
    return nullptr;
  }
  const Root& root = *result->path.root;
  const bool own = root.kind == Root::Kind::Local && root.active() &&
                   root.block == function_.body &&
                   speller_.type(root.type) == speller_.type(function_.result);
  return own && context_.types.is_flat_vector(root.type) &&
                 context_.types.element(root.type)->isScalarType()
             ? &root
             : nullptr;
}

void TangentSweep::declare(Statement& statement) {
  const Root& declared = *statement.root;
  if (!declared.active()) {
    return forward_.forward_declare(statement);
  }
  if (made_by_calls_.contains(&statement)) {
    return;
  }
  if (&declared == returned_) {
    if (!statement.in_storage && !(statement.value && statement.value->active())) {
      forward_.forward_declare(statement);
      line(speller_.tangent(declared.type) + "& " + speller_.adjoint(declared) + " = " +
           result_tangent + ";");
      return line(speller_.adjoint(declared) + ".assign(" + declared.name + ".size(), 0);");
    }
    returned_ = nullptr;
  }
  const std::string name =
      "[[maybe_unused]] " + speller_.tangent(declared.type) + " " + speller_.adjoint(declared);
  if (statement.in_storage) {
    forward_.forward_declare(statement);
    line(name + "{};");
  } else if (statement.value && statement.value->active()) {
    line(name + " = " + moved_tangent_of(*statement.value) + ";");
    forward_.forward_declare(statement);
  } else {
    forward_.forward_declare(statement);
    declare_zeros(declared);
  }
}

/// After an object got a constant value.
void TangentSweep::set_zeros(const Path& changed) {
  const std::string target = speller_.adjoint(changed, Sweep::Forward);
  if (changed.type->isScalarType()) {
    line(target + " = 0;");
  } else if (context_.types.is_flat_vector(changed.type) &&
             context_.types.element(changed.type)->isScalarType()) {
    line(target + ".assign(" + speller_.path(changed, Sweep::Forward) + ".size(), 0);");
  } else if (context_.types.is_shaped(changed.type)) {
    line("ddx::detail::shape_like(" + target + ", " + speller_.path(changed, Sweep::Forward) +
         ");");
  } else {
    line("ddx::detail::set_zero(" + target + ");");
  }
}

void TangentSweep::store(Statement& statement) {
  if (!is_active(statement.path)) {
    return forward_.forward_store(statement);
  }
  const bool assigns = statement.mode == Statement::StoreMode::Assign;
  if (statement.value->active()) {
    const char* sign = assigns                                            ? " = "
                       : statement.mode == Statement::StoreMode::Subtract ? " -= "
                                                                          : " += ";
    line(speller_.adjoint(statement.path, Sweep::Forward) + sign +
         moved_tangent_of(*statement.value) + ";");
    return forward_.forward_store(statement);
  }
  forward_.forward_store(statement);
  if (assigns) {
    set_zeros(statement.path);
  }
}

/// All elements of one value; the loop, and not an algorithm, so that the text can be
/// differentiated.
void TangentSweep::fill(const Statement& statement) {
  const auto each = [&](const std::string& container, const std::string& element) {
    line("for (auto& part : " + container + ") part = " + element + ";");
  };
  open("{");
  line("const auto fill_given = " + speller_.value(*statement.value, Sweep::Forward) + ";");
  if (is_active(statement.path)) {
    const bool active = statement.value->active();
    if (active) {
      line("const auto d_fill_given = " + tangent_of(*statement.value) + ";");
    }
    each(speller_.adjoint(statement.path, Sweep::Forward), active ? "d_fill_given" : "0");
  }
  each(speller_.path(statement.path, Sweep::Forward), "fill_given");
  close();
}

void TangentSweep::change_vector(Statement& statement) {
  if (statement.action == Statement::VectorAction::Fill) {
    return fill(statement);
  }
  if (!is_active(statement.path)) {
    return forward_.forward_vector(statement);
  }
  const std::string target = speller_.adjoint(statement.path, Sweep::Forward);
  const bool flat = context_.types.is_flat_vector(statement.path.type);
  switch (statement.action) {
    case Statement::VectorAction::Append:
    case Statement::VectorAction::Prepend: {
      const std::string adds =
          statement.action == Statement::VectorAction::Append ? ".push_back(" : ".push_front(";
      if (statement.value->active()) {
        line(target + adds + moved_tangent_of(*statement.value) + ");");
        return forward_.forward_vector(statement);
      }
      if (statement.action == Statement::VectorAction::Append) {
        break;
      }
      forward_.forward_vector(statement);
      return line(target + adds +
                  (flat ? "{}"
                        : "ddx::detail::zeros_shaped_like<" +
                              speller_.tangent(context_.types.element(statement.path.type)) + ">(" +
                              speller_.path(statement.path, Sweep::Forward) + ".front())") +
                  ");");
    }
    case Statement::VectorAction::RemoveLast:
      line(target + ".pop_back();");
      return forward_.forward_vector(statement);
    case Statement::VectorAction::RemoveFirst:
      line(target + ".pop_front();");
      return forward_.forward_vector(statement);
    case Statement::VectorAction::Clear:
      line(target + ".clear();");
      return forward_.forward_vector(statement);
    case Statement::VectorAction::Resize:
    case Statement::VectorAction::Fill:
      break;
  }
  // New elements that depend on nothing: as many as the vector has then.
  forward_.forward_vector(statement);
  const std::string source = speller_.path(statement.path, Sweep::Forward);
  line(flat ? target + ".resize(" + source + ".size());"
            : "ddx::detail::grow_like(" + target + ", " + source + ");");
}

void TangentSweep::leave(Statement& statement) {
  // That of a vector made in place is there.
  if (gives_tangent_ && statement.value && !returned_) {
    const Value& result = *statement.value;
    const bool whole = result.kind == Value::Kind::Load && result.folded &&
                       result.path.steps.empty() && result.path.root->kind == Root::Kind::Local;
    const std::string tangent = result.active() ? tangent_of(result) : "";
    if (result.active()) {
      line(std::string(result_tangent) + " = " +
           (whole && !result.type->isScalarType() ? "std::move(" + tangent + ")"
                                                  : moved_tangent_of(result)) +
           ";");
    } else if (result.type->isScalarType()) {
      line(std::string(result_tangent) + " = 0;");
    } else {
      line("ddx::detail::shape_like(" + std::string(result_tangent) + ", " +
           speller_.value(result, Sweep::Forward) + ");");
    }
  }
  forward_.forward_jump(statement);
}

void TangentSweep::forward_statement(Statement& statement) {
  switch (statement.kind) {
    case Statement::Kind::Define:
      return define(*statement.value, statement);
    case Statement::Kind::Declare:
      return declare(statement);
    case Statement::Kind::Store:
      return store(statement);
    case Statement::Kind::Vector:
      return change_vector(statement);
    case Statement::Kind::Call:
      return call(statement);
    case Statement::Kind::Return:
      return leave(statement);
    case Statement::Kind::Text:
      forward_.forward_statement(statement);
      if (statement.reserved.root && is_active(statement.reserved)) {
        line("ddx::detail::reserve_like(" + speller_.adjoint(statement.reserved, Sweep::Forward) +
             ", " + speller_.path(statement.reserved, Sweep::Forward) + ");");
      }
      return;
    default:
      return forward_.forward_statement(statement);
  }
}

/// What is never written has a tangent that is never written.
std::string TangentSweep::constness(const Root& parameter) const {
  const bool by_reference =
      parameter.kind == Root::Kind::Reference || parameter.kind == Root::Kind::Pointer;
  return by_reference && !writes_.writes_directly(parameter) ? "const " : "";
}

std::string TangentSweep::signature() {
  std::string list;
  const auto add = [&](const std::string& parameter) {
    list += (list.empty() ? "[[maybe_unused]] " : ", [[maybe_unused]] ") + parameter;
  };
  const auto exclusive = [](const Root& parameter) {
    return parameter.kind == Root::Kind::Pointer && parameter.exclusive ? " __restrict " : " ";
  };
  for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
    const Root& parameter = *function_.parameters[i];
    add(function_.parameter_types[i] + exclusive(parameter) + parameter.name);
  }
  for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
    const Root& parameter = *function_.parameters[i];
    if (function_.key.parameters[i].active) {
      add(constness(parameter) + speller_.tangent(parameter.type) +
          (parameter.kind == Root::Kind::Pointer  ? "*"
           : parameter.kind == Root::Kind::Scalar ? ""
                                                  : "&") +
          exclusive(parameter) + speller_.adjoint(parameter));
    }
  }
  if (gives_tangent_) {
    add(speller_.tangent(function_.result) + "& " + result_tangent);
  }
  const std::string result =
      function_.result->isVoidType() ? "void" : speller_.type(function_.result);
  return result + " " + derivative_.tangent() + "(" + list + ")";
}

void TangentSweep::run() {
  forward_.set_statement_writer(*this);
  gives_tangent_ = derivative_.gives_tangent(context_.types);
  count_uses(function_);
  for (Block& block : function_.blocks) {
    decide_folding(block);
  }
  keep_operands();
  find_declared_results();
  returned_ = find_returned();
  const std::string linkage =
      derivative_.recursive ? "[[maybe_unused]] static " : "[[maybe_unused]] static inline ";
  derivative_.declarations = linkage + signature() + ";\n";
  open(linkage + signature() + " {");
  for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
    const Root& parameter = *function_.parameters[i];
    if (parameter.active() && !function_.key.parameters[i].active) {
      declare_zeros(parameter);
    }
  }
  if (exchanges_wholes(function_)) {
    exchange_wholes(writer_, function_, false);
    exchange_wholes(writer_, function_, true);
  } else {
    forward_.forward_block(*function_.body);
  }
  close();
  derivative_.definitions = writer_.take();
}

void emit_tangent(const Context& context, Derivative& derivative, const Writes& writes) {
  EmitParts parts(context, derivative, writes);
  TangentSweep(parts).run();
}

}  // namespace ddx::compiler
