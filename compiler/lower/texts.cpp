#include "compiler/lower/texts.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/effect_finder.h"
#include "compiler/lower/library/iterators.h"
#include "compiler/lower/library/views.h"
#include "compiler/lower/scope.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

std::optional<std::string> Texts::text_of(const Expr* expression) {
  return printer_.print(expression);
}

Value* Texts::text_value(const Expr* expression, const Effects& effects, const std::string& text) {
  Value* value =
      builder_.new_value(Value::Kind::Text, expression->getType(), expression->getExprLoc());
  // Text leaves implicit conversions out; what uses the value need not make them again.
  const QualType natural = expression->IgnoreImpCasts()->getType();
  const bool converts = expression->getType()->isArithmeticType() && natural->isArithmeticType() &&
                        !context_.ast.hasSameUnqualifiedType(natural, expression->getType());
  const bool is_number = text.find_first_not_of("0123456789") == std::string::npos;
  const bool stays = !converts || (is_number && value->type->isIntegerType());
  value->text = stays ? text
                : is_number && value->type->isSpecificBuiltinType(BuiltinType::Double)
                    ? text + ".0"
                    : "static_cast<" + context_.names.type(value->type) + ">(" + text + ")";
  value->reads.assign(effects.reads.begin(), effects.reads.end());
  value->cheap = !effects.costly && effects.writes.empty();
  Statement* statement = builder_.add(Statement::Kind::Define, value->where);
  statement->value = value;
  effects_.note(statement, effects);
  return value;
}

Texts::Texts(AllParts& all)
    : Part(all),
      printer_(
          context_.ast, context_.names,
          [this](const ValueDecl* name) -> std::optional<std::string> {
            const auto* variable = dyn_cast<VarDecl>(name);
            if (!variable) {
              const auto part = scope_.bound_to(name);
              const bool has_text =
                  part && part->kind == Binding::Kind::Object &&
                  (part->alias || (part->path.root && !part->path.root->has_tangent));
              return has_text ? spell_path(*part) : std::nullopt;
            }
            const auto found = scope_.bindings.find(variable);
            if (found == scope_.bindings.end()) {
              return variable->hasGlobalStorage() || variable->isConstexpr()
                         ? std::optional<std::string>(context_.names.variable(variable))
                         : std::nullopt;
            }
            const Binding& binding = found->second;
            if (binding.kind == Binding::Kind::Function) {
              return context_.names.function(binding.function);
            }
            if (binding.kind == Binding::Kind::Closure && binding.closure->captures.empty()) {
              return context_.names.closure(binding.closure->record);
            }
            if (binding.kind == Binding::Kind::Object || binding.kind == Binding::Kind::Pointer ||
                binding.kind == Binding::Kind::View) {
              return spell_path(binding);
            }
            return std::nullopt;
          },
          [this]() -> std::optional<std::string> {
            if (!scope_.self) {
              return std::nullopt;
            }
            Binding binding;
            binding.kind = Binding::Kind::Object;
            binding.path = *scope_.self;
            binding.alias = scope_.self_alias;
            return spell_path(binding);
          },
          [this](const Expr* expression) -> const std::string* {
            const auto found = scope_.replaced.find(expression);
            return found == scope_.replaced.end() ? nullptr : &found->second;
          },
          [this](const MemberExpr* member) -> std::optional<std::optional<std::string>> {
            const Binding* part = scope_.known_member(member);
            if (!part) {
              return std::nullopt;
            }
            if (part->kind == Binding::Kind::Function) {
              return std::optional(context_.names.function(part->function));
            }
            const bool has_text = part->kind == Binding::Kind::Object ||
                                  part->kind == Binding::Kind::Pointer ||
                                  part->kind == Binding::Kind::View;
            return has_text ? spell_path(*part) : std::nullopt;
          },
          [this](const OpaqueValueExpr* stands_for) -> std::optional<std::string> {
            const auto found = scope_.places.find(stands_for);
            return found == scope_.places.end() ? std::nullopt : spell_path(found->second);
          }) {}

std::optional<std::string> Texts::spell_path(const Binding& binding) {
  const Path& path = binding.path;
  if (binding.kind == Binding::Kind::View) {
    return views_.spell_view(binding);
  }
  if (binding.position || !binding.iterator.isNull()) {
    return iterators_.spell_iterator(binding);
  }
  if (binding.alias) {
    return hole(*binding.alias);
  }
  if (!path.root) {
    return std::nullopt;
  }
  std::string text = hole(*path.root);
  if (binding.kind == Binding::Kind::Pointer) {
    const bool is_whole = path.root->kind == Root::Kind::Pointer && path.steps.size() == 1 &&
                          path.steps[0].index.empty();
    return is_whole ? std::optional<std::string>(text) : std::nullopt;
  }
  for (const Step& step : path.steps) {
    if (step.is_element()) {
      return std::nullopt;
    }
    if (step.of_number) {
      text = "ddx::detail::parts(" + text + ")[" + std::to_string(step.part) + "]";
    } else if (step.of_sum_type) {
      text = "ddx::detail::held<" + std::to_string(step.part) + ">(" + text + ")";
    } else if (step.part >= 0) {
      text = "std::get<" + std::to_string(step.part) + ">(" + text + ")";
    }
    if (step.field) {
      text += "." + context_.names.field(step.field);
    }
  }
  return text;
}

}  // namespace ddx::compiler
