#include "compiler/lower/library/iterators.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/library/moving_expressions.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/statements/declarations.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

Path Iterators::sequence_of(const Path& elements) {
  Path whole = elements;
  whole.steps.pop_back();
  QualType type = whole.root->type;
  bool pointee = whole.root->kind == Root::Kind::Pointer;  // Its first step: an object of its type.
  bool constant = whole.root->is_constant;
  for (const Step& step : whole.steps) {
    if (step.field) {
      type = Types::member_type(step.field);
    } else if (step.part >= 0) {
      type = context_.types.parts(type)[static_cast<std::size_t>(step.part)];
    } else if (step.base) {
      type = context_.ast.getRecordType(step.base);
    } else if (!pointee) {
      type = context_.types.element(type);
    }
    pointee = false;
    constant = constant || type.isConstQualified();
  }
  whole.type = constant ? type.withConst() : type;
  return whole;
}

Value* Iterators::position_of(const Path& target, SourceLocation where) {
  const QualType type = context_.ast.getPointerDiffType();
  Value* sum = nullptr;
  for (Value* part : target.steps.back().index) {
    Value* term = part;
    if (!context_.ast.hasSameUnqualifiedType(part->type, type)) {
      if (part->kind == Value::Kind::Text && part->cheap) {
        term = builder_.new_value(Value::Kind::Text, type, where);
        term->text = "static_cast<std::ptrdiff_t>(" + part->text + ")";
        term->reads = part->reads;
        term->cheap = true;
        builder_.define(term);
      } else {
        term = builder_.form("static_cast<std::ptrdiff_t>($0)", type, {part}, where);
      }
    }
    sum = sum ? builder_.form("$0 + $1", type, {sum, term}, where) : term;
  }
  return sum ? sum : builder_.literal("0", type, where);
}

bool Iterators::same_sequence(const Path& a, const Path& b) {
  if (a.root != b.root || a.steps.size() != b.steps.size()) {
    return false;
  }
  const auto is_fixed = [&](Root& root) {
    if (root.kind == Root::Kind::Induction || root.is_constant) {
      return true;
    }
    return llvm::any_of(scope_.bindings, [&](const auto& known) {
      const VarDecl* variable = known.first;
      return known.second.path.root == &root && known.second.path.steps.empty() &&
             variable->getType()->isIntegerType() && body_around(variable) &&
             !may_change(variable, body_around(variable));
    });
  };
  const auto same = [&](const Value* one, const Value* other) {
    if (one == other) {
      return true;
    }
    if (one->kind != Value::Kind::Text || other->kind != Value::Kind::Text || !one->cheap ||
        one->text != other->text) {
      return false;
    }
    bool fixed = true;
    fill_holes(function_, one->text, [&](Root& root) {
      fixed = fixed && is_fixed(root);
      return std::string();
    });
    return fixed;
  };
  for (std::size_t i = 0; i < a.steps.size(); ++i) {
    const Step& one = a.steps[i];
    const Step& other = b.steps[i];
    if (one.field != other.field || one.base != other.base || one.part != other.part) {
      return false;
    }
    if (!one.is_element() || i + 1 == a.steps.size()) {
      continue;
    }
    if (one.index.size() != other.index.size()) {
      return false;
    }
    for (std::size_t k = 0; k < one.index.size(); ++k) {
      if (!same(one.index[k], other.index[k])) {
        return false;
      }
    }
  }
  return true;
}

Binding Iterators::iterator_at(Path target, Root* position, QualType type, const std::string& name,
                               SourceLocation where) {
  target.steps.back().index.clear();
  Binding bound;
  bound.kind = Binding::Kind::Pointer;
  bound.position = position;
  bound.iterator = type->isPointerType() ? QualType() : type.getUnqualifiedType();
  const bool by_itself = target.steps.size() == 1 && target.root->kind == Root::Kind::Pointer;
  if (!by_itself) {
    bound.alias = places_.bind_alias(sequence_of(target), false, name + "_range", where).alias;
  }
  bound.path = std::move(target);
  return bound;
}

Binding Iterators::make_iterator(Path target, QualType type, const std::string& name,
                                 SourceLocation where) {
  Value* start = position_of(target, where);
  Root* position =
      builder_.new_root(Root::Kind::Local, name + "_at", context_.ast.getPointerDiffType(), where);
  ir::Statement* declaration = builder_.declare_local(position, where);
  declaration->value = start;
  return iterator_at(std::move(target), position, type, name, where);
}

std::optional<Binding> Iterators::bind_iterator(const VarDecl* variable, const Expr* source,
                                                SourceLocation where) {
  const QualType type = variable->getType();
  if (type->isReferenceType() && source->isGLValue() && !isa<MaterializeTemporaryExpr>(source)) {
    const VarDecl* named = named_variable(source);
    const auto found = named ? scope_.bindings.find(named) : scope_.bindings.end();
    return found != scope_.bindings.end() && found->second.kind == Binding::Kind::Pointer
               ? std::optional(found->second)
               : std::nullopt;
  }
  std::optional<Path> start = places_.pointer(source);
  if (!start) {
    return std::nullopt;
  }
  Path target = std::move(*start);
  target.type = context_.types.iterator(type)->element;
  const bool moves = !type->isReferenceType() && !type.isConstQualified() &&
                     body_around(variable) && may_change(variable, body_around(variable));
  const bool has_neighbours =
      !target.steps.empty() && target.steps.back().is_element() && !target.steps.back().segmented;
  if (has_neighbours && (moves || !type.getNonReferenceType()->isPointerType())) {
    return make_iterator(std::move(target), type.getNonReferenceType(), variable->getNameAsString(),
                         where);
  }
  return places_.bind_alias(std::move(target), true, variable->getNameAsString(), where);
}

Path Iterators::iterator_path(const Binding& binding, SourceLocation where) {
  Path path = binding.path;
  if (binding.position) {
    path.steps.back().index.assign(1, builder_.value_in(*binding.position, where));
  }
  return path;
}

Binding Iterators::copy_iterator(const Binding& from, QualType type, const std::string& name,
                                 SourceLocation where) {
  return from.position ? make_iterator(iterator_path(from, where), type, name, where) : from;
}

std::string Iterators::spell_iterator(const Binding& binding) {
  std::string text =
      binding.alias ? "std::data(" + hole(*binding.alias) + ")" : hole(*binding.path.root);
  if (binding.position) {
    text += " + " + hole(*binding.position);
  }
  if (binding.iterator.isNull()) {
    return "(" + text + ")";
  }
  text = "+" + text;  // Iterators are not made of pointers that are __restrict.
  const auto wrapped = Types::wrapped_iterator(binding.iterator);
  if (wrapped && !(*wrapped)->isPointerType()) {
    text = context_.names.type(wrapped->getUnqualifiedType()) + "(" + text + ")";
  }
  return context_.names.type(binding.iterator) + "(" + text + ")";
}

const Binding* Iterators::moving_iterator(const Expr* expression) {
  expression = below_copies(expression);
  if (isa<DeclRefExpr, MemberExpr>(expression)) {
    const Binding* found = scope_.named_iterator(expression);
    return found && found->position->kind == Root::Kind::Local ? found : nullptr;
  }
  const auto* unary = dyn_cast<UnaryOperator>(expression);
  const auto* call = dyn_cast<CXXOperatorCallExpr>(expression);
  const bool prefix =
      (unary && unary->isPrefix() && unary->isIncrementDecrementOp()) ||
      (call && (call->getOperator() == OO_PlusPlus || call->getOperator() == OO_MinusMinus) &&
       call->getNumArgs() == 1);
  const bool assigns = isa<CompoundAssignOperator>(expression) ||
                       (call && call->isAssignmentOp()) ||
                       (isa<BinaryOperator>(expression) &&
                        cast<BinaryOperator>(expression)->getOpcode() == BO_Assign);
  if (!prefix && !assigns) {
    return nullptr;
  }
  const Expr* target = unary  ? unary->getSubExpr()
                       : call ? call->getArg(0)
                              : cast<BinaryOperator>(expression)->getLHS();
  if (!scope_.named_iterator(target) || !move_iterator(expression)) {
    return nullptr;
  }
  return scope_.named_iterator(target);
}

Value* Iterators::negated(Value* value, SourceLocation where) {
  return builder_.form("-static_cast<std::ptrdiff_t>($0)", context_.ast.getPointerDiffType(),
                       {value}, where);
}

std::optional<Path> Iterators::move_iterator(const Expr* expression) {
  expression = below_copies(expression);
  const SourceLocation where = expression->getExprLoc();
  const auto rejected = [&]() -> std::optional<Path> {
    rejections_.lose(expression, Diagnostic::UnsupportedPointerAssignment);
    return std::nullopt;
  };
  const auto* unary = dyn_cast<UnaryOperator>(expression);
  const auto* operation = dyn_cast<BinaryOperator>(expression);
  const auto* call = dyn_cast<CXXOperatorCallExpr>(expression);
  const Expr* target = unary       ? unary->getSubExpr()
                       : operation ? operation->getLHS()
                                   : call->getArg(0);
  const auto kind = context_.types.iterator(target->getType());
  const bool assigns =
      operation ? operation->getOpcode() == BO_Assign : call && call->getOperator() == OO_Equal;
  Path place;
  if (assigns && (!scope_.named_iterator(target) || !moving_iterator(target))) {
    return rejected();
  }
  if (assigns) {
    const auto source = places_.pointer(operation ? operation->getRHS() : call->getArg(1));
    const Binding* moved = source ? moving_iterator(target) : nullptr;
    if (!moved || source->steps.empty() || !source->steps.back().is_element() ||
        !same_sequence(*source, moved->path)) {
      return rejected();
    }
    const Path before = iterator_path(*moved, where);
    place.root = moved->position;
    place.type = moved->position->type;
    builder_.store(place, position_of(*source, where), where);
    return before;
  }
  const auto step = stepping(expression, context_.ast);
  Value* by = nullptr;
  if (!step) {
    by = expressions_.rvalue(operation ? operation->getRHS() : call->getArg(1));
  }
  const Binding* moved = kind ? moving_iterator(target) : nullptr;
  if (!moved || (!step && !by)) {
    return rejected();
  }
  const Path before = iterator_path(*moved, where);
  Root* const position = moved->position;
  if (step) {
    const long amount = kind->reversed ? -step->amount : step->amount;
    ir::Statement* changed = builder_.add(ir::Statement::Kind::Text, where);
    changed->text = amount == 1    ? "++" + hole(*position)
                    : amount == -1 ? "--" + hole(*position)
                                   : hole(*position) + " += " + std::to_string(amount);
    changed->reads = {position};
    changed->text_writes = {position};
    changed->stepped = position;
    changed->step = amount;
    return before;
  }
  const bool subtracts =
      operation ? operation->getOpcode() == BO_SubAssign : call->getOperator() == OO_MinusEqual;
  Value* const distance = subtracts != kind->reversed ? negated(by, where) : by;
  Path after = before;
  after.steps.back().index.push_back(distance);
  place.root = position;
  place.type = position->type;
  builder_.store(place, position_of(after, where), where);
  return before;
}

bool Iterators::is_iterator(QualType type) {
  return !type.getNonReferenceType()->isPointerType() && context_.types.iterator(type).has_value();
}

bool Iterators::declare_iterator(const VarDecl* variable) {
  const Expr* initialiser = variable->getInit();
  const std::size_t before = function_.statements.size();
  const auto bound =
      initialiser ? bind_iterator(variable, initialiser, variable->getLocation()) : std::nullopt;
  if (bound) {
    scope_.bindings[variable] = *bound;
    return true;
  }
  if (function_.statements.size() == before) {
    return false;
  }
  declarations_.reject_declaration(variable, Diagnostic::UnsupportedIterator,
                                   {variable->getNameAsString()});
  return true;
}

}  // namespace ddx::compiler
