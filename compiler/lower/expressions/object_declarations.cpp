#include "compiler/lower/builder.h"
#include "compiler/lower/calls/calls.h"
#include "compiler/lower/calls/inactive_places.h"
#include "compiler/lower/effect_finder.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/expressions/initialisers.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/library/complex.h"
#include "compiler/lower/library/moving_expressions.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/statements/constructors.h"
#include "compiler/lower/texts.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/readable_names.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

const FieldDecl* Initialisers::unlisted(const CXXRecordDecl* record, SourceLocation where) {
  if (context_.types.hides_base(record)) {
    ir::Statement* rejected = builder_.add(ir::Statement::Kind::Unsupported, where);
    rejected->diagnostic = Diagnostic::UnsupportedListedBase;
    rejected->facts = {record->getNameAsString()};
    rejected->always = true;
  }
  if (const FieldDecl* bare = context_.types.field_without_tangent(record)) {
    const bool said = llvm::any_of(function_.statements, [&](const ir::Statement& other) {
      return other.diagnostic == Diagnostic::UnsupportedListedField &&
             other.facts[0] == bare->getNameAsString() &&
             other.facts[1] == record->getNameAsString();
    });
    if (said) {
      return nullptr;
    }
    ir::Statement* rejected = builder_.add(ir::Statement::Kind::Unsupported, where);
    rejected->diagnostic = Diagnostic::UnsupportedListedField;
    rejected->facts = {bare->getNameAsString(), record->getNameAsString(),
                       readable_type(bare->getType(), context_.ast)};
    rejected->always = true;
    return nullptr;
  }
  const FieldDecl* field = context_.types.unlisted_field(record);
  if (field) {
    ir::Statement* rejected = builder_.add(ir::Statement::Kind::Unsupported, where);
    rejected->diagnostic = Diagnostic::UnsupportedField;
    rejected->facts = {field->getNameAsString(), record->getNameAsString()};
    rejected->always = true;
  }
  return field;
}

/// An object without tangent that a constructor makes of numbers, which are lowered; null for
/// others.
Value* Initialisers::construct_from_numbers(const Expr* source) {
  const auto* construction = dyn_cast<CXXConstructExpr>(source);
  const auto is_number = [](const Expr* argument) {
    return argument->getType()->isArithmeticType() || argument->getType()->isEnumeralType();
  };
  // An object that keeps real numbers without a tangent would lose what they depend on.
  if (!construction || construction->getNumArgs() == 0 ||
      context_.types.may_hold_real(construction->getType()) ||
      !llvm::all_of(construction->arguments(), is_number)) {
    return nullptr;
  }
  llvm::SmallVector<Value*, 3> operands;
  std::string text;
  for (const Expr* argument : construction->arguments()) {
    if (isa<CXXDefaultArgExpr>(argument)) {
      break;
    }
    text += (operands.empty() ? "$" : ", $") + std::to_string(operands.size());
    operands.push_back(argument->isGLValue() ? expressions_.read(argument, argument->getExprLoc())
                                             : expressions_.rvalue(argument));
    if (!operands.back()) {
      return nullptr;
    }
  }
  const QualType type = construction->getType().getUnqualifiedType();
  return builder_.form(context_.names.type(type) + "(" + text + ")", type, operands,
                       source->getExprLoc());
}

void Initialisers::complete_object(Root* root) {
  ir::Statement* alive = builder_.add(ir::Statement::Kind::Text, root->where);
  alive->text = hole(*root) + "_storage.complete()";
  alive->harmless = true;
  alive->root = root;
}

void Initialisers::declare_object(Root* root, const Expr* initialiser) {
  ir::Statement* declaration = nullptr;
  const auto declare_with = [&](Value* value, std::string text) {
    declaration = builder_.add(ir::Statement::Kind::Declare, root->where);
    declaration->root = root;
    declaration->value = value;
    declaration->text = std::move(text);
    declaration->range = initialiser ? initialiser->getSourceRange() : clang::SourceRange();
  };
  const auto reject = [&](const Expr* made, Diagnostic diagnostic) {
    const QualType type = root->type;
    Value* value = rejections_.unsupported(made, diagnostic, {readable_type(type, context_.ast)});
    ir::Statement& rejected = function_.statements.back();
    rejected.root = root;
    rejected.where = root->where;
    for (const FieldDecl* field : context_.types.is_scalarized(type)
                                      ? context_.types.scalarized_members(type)
                                      : std::vector<const FieldDecl*>()) {
      if (field->getType()->isReferenceType()) {
        rejected.diagnostic = Diagnostic::UnsupportedObjectWithPointer;
        rejected.facts = {readable_type(root->type, context_.ast), field->getNameAsString(),
                          "reference"};
      }
    }
    declare_with(value, "");
  };
  const auto choose = [&](const ConditionalOperator* conditional) {
    declare_with(nullptr, "");
    const bool raw = context_.copies.needs_storage(root->type);
    declaration->in_storage = raw;
    Path path;
    path.root = root;
    path.type = root->type;
    expressions_.for_each_arm(conditional, root->where, [&](const Expr* arm) {
      const Path made =
          arm->isGLValue() ? places_.lvalue(arm).value_or(Path{}) : places_.materialise(arm);
      if (made.root) {
        Value* value = builder_.load(made, root->where);
        raw ? construct(path, value, true, root->where) : builder_.store(path, value, root->where);
      } else {
        rejections_.unsupported(arm);
      }
    });
    if (raw) {
      complete_object(root);
    }
  };
  if (root->type->isVariableArrayType()) {
    ir::Statement* rejected = builder_.add(ir::Statement::Kind::Unsupported, root->where);
    rejected->diagnostic = Diagnostic::UnsupportedVariableLength;
    rejected->facts = {root->name};
    rejected->always = true;
    rejected->root = root;
    return;
  }
  if (!root->has_tangent && !root->type->isScalarType() &&
      !context_.types.is_scalarized(root->type) &&
      context_.types.holds_dynamic_pointer(root->type)) {
    ir::Statement* rejected = builder_.add(ir::Statement::Kind::Unsupported, root->where);
    rejected->diagnostic = Diagnostic::UnsupportedObject;
    rejected->facts = {readable_type(root->type, context_.ast)};
    rejected->always = true;
    rejected->root = root;
    return;
  }
  const CXXRecordDecl* record = Types::record(root->type);
  const bool hand_written =
      record && !in_library(record) && !context_.types.is_leaf(record) && has_destructor(record);
  if (root->type.isVolatileQualified() || (hand_written && root->has_tangent)) {
    ir::Statement* doubtful = builder_.add(ir::Statement::Kind::Unsupported, root->where);
    const bool is_volatile = root->type.isVolatileQualified();
    doubtful->diagnostic =
        is_volatile ? Diagnostic::UnsupportedVolatile : Diagnostic::UnsupportedDestructor;
    doubtful->facts = {is_volatile ? root->name : record->getNameAsString()};
    doubtful->primal_text = "static_cast<void>(0)";
    doubtful->reads.push_back(root);
  }
  if (!initialiser) {
    return declare_with(nullptr, "");
  }
  const Expr* source = below_initialiser(initialiser);
  if (root->type->isScalarType()) {
    return declare_with(expressions_.convert(expressions_.rvalue(source), root->type, root->where),
                        "");
  }
  Effects found = effects_.of(source);
  const bool depends = effects_.mentions_real(source);
  if (!depends && !found.lowers) {
    const auto* construction = dyn_cast<CXXConstructExpr>(source);
    std::optional<std::string> text;
    if (isa<InitListExpr>(source) && root->type->isArrayType()) {
      text = texts_.text_of(source);
    } else if (construction && !construction->isListInitialization() &&
               llvm::all_of(construction->arguments(),
                            [](const Expr* given) { return isa<CXXDefaultArgExpr>(given); })) {
      text = construction->requiresZeroInitialization() ? "{}" : "";
    } else if (const auto whole = texts_.text_of(source)) {
      text = " = " + *whole;
      if (construction && !is_elided(construction) &&
          construction->getConstructor()->isConvertingConstructor(false) &&
          construction->getNumArgs() == 1) {
        text = "(" + *whole + ")";
      }
    }
    if (text) {
      declare_with(nullptr, *text);
      effects_.note(declaration, found);
      return;
    }
  }
  if (root->has_tangent && Types::container(root->type) == Container::StdComplex) {
    const auto parts = complex_.complex_parts(source);
    if (!parts) {
      return reject(source, Diagnostic::UnsupportedConstruction);
    }
    declare_with(nullptr, "{}");
    Path path;
    path.root = root;
    path.type = root->type;
    return complex_.store_parts(path, *parts, root->where);
  }
  if (!root->has_tangent) {
    if (const auto text = found.lowers ? std::nullopt : texts_.text_of(source)) {
      declare_with(nullptr, " = " + *text);
      effects_.note(declaration, found);
      if (const auto cause = rejections_.find_cause(source)) {
        declaration->diagnostic = cause->diagnostic;
        declaration->facts = cause->facts;
      }
      return;
    }
    if (isa<CallExpr>(source)) {
      return declare_with(expressions_.call_value(source, root->where), "");
    }
    if (const auto* copy = dyn_cast<CXXConstructExpr>(source);
        copy && copy->getConstructor()->isCopyOrMoveConstructor() && !is_elided(copy)) {
      if (const auto path = places_.lvalue(copy->getArg(0))) {
        return declare_with(builder_.load(*path, root->where), "");
      }
    }
    if (Value* made = construct_from_numbers(source)) {
      return declare_with(made, "");
    }
    return reject(source, Diagnostic::UnsupportedObject);
  }
  if (isa<CallExpr>(source) && !source->isGLValue()) {
    return declare_with(expressions_.call_value(source, root->where), "");
  }
  const auto* construction = dyn_cast<CXXConstructExpr>(source);
  if (construction && construction->getConstructor()->isCopyOrMoveConstructor()) {
    if (is_elided(construction)) {
      return declare_object(root, construction->getArg(0));
    }
    const CXXConstructorDecl* constructor = construction->getConstructor();
    const bool plain = constructor->isDefaulted() || constructor->isTrivial() ||
                       in_library(constructor->getParent()) ||
                       context_.types.is_leaf(constructor->getParent());
    if (plain) {
      const Expr* from = construction->getArg(0)->IgnoreParenImpCasts();
      if (const auto* conditional = dyn_cast<ConditionalOperator>(from)) {
        return choose(conditional);
      }
      if (const auto path = places_.lvalue(construction->getArg(0))) {
        return declare_with(builder_.load(*path, root->where), "");
      }
      return declare_with(rejections_.unsupported(source), "");
    }
  }
  if (const auto* conditional = dyn_cast<ConditionalOperator>(source)) {
    return choose(conditional);
  }
  // Constructed part by part.
  const bool known = Types::container(root->type) != Container::None;
  const bool leaf = record && context_.types.is_leaf(record);
  if (leaf || (record && in_library(record) && !known)) {
    if (Value* made =
            construction ? inactive_places_.made_of_inactive_parts(construction) : nullptr) {
      return declare_with(made, "");
    }
    return reject(source, Diagnostic::UnsupportedConstruction);
  }

  if (record && !known && (record->isPolymorphic() || record->getNumVBases() > 0)) {
    return reject(source, Diagnostic::UnsupportedPolymorphic);
  }
  const bool in_parts = (record && !known) || context_.copies.needs_storage(root->type);
  declare_with(nullptr, !in_parts ? "{}" : "");
  Path path;
  path.root = root;
  path.type = root->type;
  declaration->in_storage = in_parts;
  initialise(path, source, declaration->in_storage);
  if (declaration->in_storage) {
    complete_object(root);
  }
}

}  // namespace ddx::compiler
