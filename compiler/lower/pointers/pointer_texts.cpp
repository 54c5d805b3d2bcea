/// Dynamic pointers, and objects that hold nothing else, carried over as text.

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/opaque_calls.h"
#include "compiler/lower/effect_finder.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/pointers/dynamic_pointers.h"
#include "compiler/lower/texts.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

std::optional<PointerText> DynamicPointers::dynamic_pointer_text(const Expr* expression) {
  const bool moves_pointers = !makes_objects(expression) && !changes_number(expression) &&
                              !shows_named_object(expression) &&
                              !opaque_calls_.has_opaque_effects(expression);
  const auto text = moves_pointers ? texts_.text_of(expression) : std::nullopt;
  if (!text) {
    return std::nullopt;
  }
  // Numbers in it decide which pointer is meant; objects in it have their pointers read or written.
  PointerText result{*text, effects_.of(expression)};
  llvm::erase_if(result.effects.reads, [](const Root* root) { return root->has_tangent; });
  llvm::erase_if(result.effects.writes, [](const Root* root) { return root->has_tangent; });
  if (!lies_in_named_object(expression)) {
    result.effects.reads.push_back(builder_.memory());
  }
  return result;
}

void DynamicPointers::add_text(const PointerText& found, SourceLocation where) {
  ir::Statement* statement = builder_.add(ir::Statement::Kind::Text, where);
  statement->text = found.text;
  effects_.note(statement, found.effects);
}

bool DynamicPointers::initialise_dynamic_pointer(const Path& target, const Expr* source, bool raw) {
  if (!target.steps.empty() && target.steps.back().field &&
      context_.types.owns_array(target.steps.back().field)) {
    lost_pointer(source);
    return true;
  }
  if (!context_.types.holds_only_pointers(target.type)) {
    return false;
  }
  Binding place;
  place.kind = Binding::Kind::Object;
  place.path = target;
  const auto* construction = dyn_cast<CXXConstructExpr>(source);
  const auto* list = dyn_cast<InitListExpr>(source);
  const bool empty = isa<ImplicitValueInitExpr>(source);
  if (target.type->isArrayType()) {
    const bool none = empty || (construction && construction->getNumArgs() == 0) ||
                      (list && list->getNumInits() == 0);
    const auto name = none ? texts_.spell_path(place) : std::nullopt;
    if (name) {
      ir::Statement* statement = builder_.add(ir::Statement::Kind::Text, source->getExprLoc());
      statement->text = (raw ? "std::uninitialized_value_construct(std::begin(" + *name +
                                   "), std::end(" + *name + "))"
                             : "for (auto& link : " + *name + ") link = {}");
      if (!target.root->has_tangent) {
        statement->text_writes.push_back(target.root);
      }
    }
    return name.has_value();
  }
  const bool is_static = target.type->isPointerType() && is_static_pointer(source);
  const auto value = empty       ? std::optional(PointerText{"{}", {}})
                     : is_static ? std::nullopt
                                 : dynamic_pointer_text(source);
  const auto name = value ? texts_.spell_path(place) : std::nullopt;
  if (!name) {
    return false;
  }
  const std::string type = context_.names.type(target.type);
  ir::Statement* statement = builder_.add(ir::Statement::Kind::Text, source->getExprLoc());
  statement->text = raw && !target.type->isPointerType()
                        ? "::new (static_cast<void*>(std::addressof(" + *name + "))) " + type +
                              (empty ? value->text : "(" + value->text + ")")
                        : *name + " = " + value->text;
  effects_.note(statement, value->effects);
  if (!target.root->has_tangent) {
    statement->text_writes.push_back(target.root);
  }
  return true;
}

bool DynamicPointers::passes_dynamic_pointer(ir::Statement* call, QualType parameter,
                                             const Expr* argument) {
  const QualType plain = parameter.getNonReferenceType();
  if (!context_.types.holds_only_pointers(plain)) {
    return false;
  }
  Argument passed;
  passed.is_constant = !parameter->isReferenceType() || plain.isConstQualified();
  passed.where = argument->getExprLoc();
  passed.type = plain;
  if (plain->isPointerType() && context_.types.is_dynamic_pointer(plain) &&
      (!is_dynamic_pointer_value(argument) || parameter->isReferenceType())) {
    return false;
  }
  if (!parameter->isReferenceType() && context_.copies.move_works(plain)) {
    const Path made =
        places_.materialise(argument);  // The callee is handed its parameter by reference.
    passed.kind = Argument::Kind::Text;
    passed.text = hole(*made.root);
    passed.reads = {made.root};
    passed.is_constant = false;
    call->reads.push_back(made.root);
    call->text_writes.push_back(made.root);
    call->by_name = false;
    call->arguments.push_back(std::move(passed));
    return made.steps.empty() && made.root->kind == Root::Kind::Local;
  }
  const auto text = plain->isPointerType() ? std::nullopt : dynamic_pointer_text(argument);
  if (!text) {
    lost_pointer(argument);
    passed.kind = Argument::Kind::Text;
    call->arguments.push_back(std::move(passed));
    return true;
  }
  const Effects& found = text->effects;
  passed.kind = Argument::Kind::Text;
  passed.text = text->text;
  passed.reads.assign(found.reads.begin(), found.reads.end());
  call->reads.append(found.reads.begin(), found.reads.end());
  call->text_writes.append(found.writes.begin(), found.writes.end());
  if (!passed.is_constant) {
    for (Root* root : found.reads) {
      if (root->kind != Root::Kind::Memory && !root->has_tangent) {
        call->text_writes.push_back(root);
      }
    }
  }
  call->arguments.push_back(std::move(passed));
  return true;
}

void DynamicPointers::note_memory(ir::Statement* call, QualType result) {
  const bool leads = llvm::any_of(call->arguments, [&](const Argument& argument) {
    switch (argument.kind) {
      case Argument::Kind::Value:
        return false;
      case Argument::Kind::Text:
        return !argument.type.isNull() && context_.types.holds_dynamic_pointer(argument.type);
      case Argument::Kind::Reference:
      case Argument::Kind::Pointer:
        return context_.types.holds_dynamic_pointer(argument.path.type);
    }
    return false;
  });
  if (!call->registered && (leads || context_.types.holds_dynamic_pointer(result))) {
    call->memory = builder_.memory();
  }
}

}  // namespace ddx::compiler
