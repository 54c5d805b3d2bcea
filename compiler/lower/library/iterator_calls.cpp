#include "compiler/lower/builder.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/library/iterators.h"
#include "compiler/lower/library/moving_expressions.h"
#include "compiler/lower/library/views.h"
#include "compiler/lower/path_steps.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/support/function_names.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

/// `iterator` moved by `distance`, in its own direction.
std::optional<Path> Iterators::advanced(std::optional<Path> iterator, QualType type,
                                        Value* distance, bool backwards, SourceLocation where) {
  const auto kind = context_.types.iterator(type);
  if (!iterator || !distance || !kind) {
    return std::nullopt;
  }
  return offset(iterator, backwards != kind->reversed ? negated(distance, where) : distance);
}

/// The element that an iterator of type `type` at `iterator` denotes.
std::optional<Path> Iterators::dereferenced(std::optional<Path> iterator, QualType type,
                                            SourceLocation where) {
  const auto kind = context_.types.iterator(type);
  if (iterator && kind && kind->reversed) {
    iterator = offset(iterator, builder_.literal("-1", context_.ast.getPointerDiffType(), where));
  }
  if (iterator && kind) {
    iterator->type = kind->element;
  }
  return iterator;
}

Value* Iterators::compared(BinaryOperatorKind opcode, const Expr* source, const Expr* left,
                           const Expr* right) {
  const SourceLocation where = source->getExprLoc();
  const auto kind = context_.types.iterator(left->getType());
  const auto first = places_.pointer(left);
  const auto second = first ? places_.pointer(right) : std::nullopt;
  const auto has_place = [](const Path& path) {
    return !path.steps.empty() && path.steps.back().is_element();
  };
  const bool known = second && has_place(*first) && has_place(*second) &&
                     same_sequence(*first, *second) && source->getType()->isScalarType();
  if (!known) {
    return rejections_.unsupported(source);
  }
  Value* one = position_of(*first, where);
  Value* other = position_of(*second, where);
  if (kind->reversed) {
    std::swap(one, other);
  }
  return builder_.form("$0 " + BinaryOperator::getOpcodeStr(opcode).str() + " $1",
                       source->getType(), {one, other}, where);
}

bool Iterators::iterator_call(const FunctionDecl* callee, const Expr* source, const Expr* object,
                              llvm::ArrayRef<const Expr*> arguments, Value** value,
                              std::optional<Path>* reference) {
  const SourceLocation where = source->getExprLoc();
  const auto give = [&](std::optional<Path> path) {
    if (path) {
      *reference = path;
    } else {
      rejections_.unsupported(source);
    }
    return true;
  };
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  const QualType of =
      object ? object->getType()
             : (arguments.empty() ? QualType() : below_copies(arguments[0])->getType());
  const auto kind = of.isNull() ? std::nullopt : context_.types.iterator(of);
  const bool on_iterator =
      object && method && in_library(callee) && kind && !of.getNonReferenceType()->isPointerType();
  if (on_iterator) {
    switch (method->getOverloadedOperator()) {
      case OO_Star:
      case OO_Arrow:
        return give(dereferenced(places_.pointer(object), of, where));
      case OO_Subscript:
        return give(dereferenced(
            advanced(places_.pointer(object), of, expressions_.rvalue(arguments[0]), false, where),
            of, where));
      case OO_Plus:
      case OO_Minus:
        return give(advanced(places_.pointer(object), of, expressions_.rvalue(arguments[0]),
                             method->getOverloadedOperator() == OO_Minus, where));
      case OO_PlusPlus:
      case OO_MinusMinus:
      case OO_PlusEqual:
      case OO_MinusEqual:
      case OO_Equal: {
        const auto before = move_iterator(source);
        if (!before) {
          return true;
        }
        const bool postfix =
            method->getNumParams() == 1 && (method->getOverloadedOperator() == OO_PlusPlus ||
                                            method->getOverloadedOperator() == OO_MinusMinus);
        const VarDecl* variable = named_variable(object);
        *reference = postfix || !variable
                         ? *before
                         : iterator_path(scope_.bindings.find(variable)->second, where);
        return true;
      }
      case OO_None:
        return method->getIdentifier() && method->getName() == "base"
                   ? give(places_.pointer(object))
                   : false;
      default:
        return false;
    }
  }
  if (!in_library(callee) || object || arguments.empty()) {
    return false;
  }
  if (arguments.size() == 2 && kind && callee->isOverloadedOperator() &&
      context_.types.iterator(arguments[1]->getType())) {
    *value = compared(BinaryOperator::getOverloadedOpcode(callee->getOverloadedOperator()), source,
                      arguments[0], arguments[1]);
    return true;
  }
  if (callee->getOverloadedOperator() == OO_Plus && arguments.size() == 2 && !kind &&
      context_.types.iterator(arguments[1]->getType())) {
    Value* by = expressions_.rvalue(arguments[0]->IgnoreImplicit());
    return give(advanced(places_.pointer(arguments[1]), arguments[1]->getType(), by, false, where));
  }
  if (kind) {
    const auto amount = [&]() -> Value* {
      return arguments.size() > 1 ? expressions_.rvalue(arguments[1])
                                  : builder_.literal("1", context_.ast.getPointerDiffType(), where);
    };
    if (is_std(callee, {"next", "prev"})) {
      auto path = places_.pointer(arguments[0]);
      return give(advanced(path, of, amount(), callee->getName() == "prev", where));
    }
    if (is_std(callee, {"advance"})) {
      const Binding* moved = moving_iterator(arguments[0]);
      if (!moved) {
        rejections_.unsupported(source, Diagnostic::UnsupportedPointerAssignment);
        return true;
      }
      const auto after = advanced(iterator_path(*moved, where), of, amount(), false, where);
      Path place;
      place.root = moved->position;
      place.type = moved->position->type;
      builder_.store(place, position_of(*after, where), where);
      return true;
    }
    if (is_std(callee, {"make_reverse_iterator", "__niter_base", "to_address"})) {
      return kind->reversed ? false : give(places_.pointer(arguments[0]));
    }
    return false;
  }
  static const llvm::StringRef ends[] = {"begin",   "cbegin", "end",   "cend", "rbegin",
                                         "crbegin", "rend",   "crend", "data"};
  const bool makes = callee->getIdentifier() && callee->isInStdNamespace() &&
                     arguments.size() == 1 && llvm::is_contained(ends, callee->getName()) &&
                     context_.types.iterator(source->getType());
  if (is_std(callee, {"size"}) && arguments.size() == 1 && context_.types.viewed(of)) {
    const auto shown = views_.view(arguments[0]);
    *value = shown ? views_.extent_of(*shown, source->getType(), where)
                   : rejections_.unsupported(source);
    return true;
  }
  if (makes && context_.types.viewed(of)) {
    const auto shown = views_.view(arguments[0]);
    const auto made = context_.types.iterator(source->getType());
    auto path = shown ? std::optional(shown->path) : std::nullopt;
    if (path && callee->getName() != "data" &&
        callee->getName().ends_with("end") != made->reversed) {
      path = offset(path, views_.extent_of(*shown, context_.ast.getPointerDiffType(), where));
    }
    return give(path);
  }
  if (!makes || Types::container(of) == Container::None ||
      Types::container(of) == Container::StdPair) {
    return false;
  }
  return give(
      sequence_end(places_.lvalue(arguments[0]), callee->getName(), source->getType(), where));
}

std::optional<Path> Iterators::sequence_end(std::optional<Path> path, llvm::StringRef name,
                                            QualType type, SourceLocation where) {
  if (!path) {
    return std::nullopt;
  }
  const auto kind = context_.types.iterator(type);
  const bool at_end = name != "data" && name.ends_with("end") != kind->reversed;
  Value* index = nullptr;
  if (at_end) {
    const Binding alias = places_.bind_alias(*path, false, "sequence", where);
    index = builder_.new_value(Value::Kind::Text, context_.ast.getPointerDiffType(), where);
    index->text = "static_cast<std::ptrdiff_t>(std::size(" + hole(*alias.alias) + "))";
    index->reads = {alias.alias, path->root};
    index->cheap = true;
    builder_.define(index);
  }
  const bool constant = path->type.isConstQualified();
  QualType element = kind->element;
  return element_path(path, index, constant ? element.withConst() : element);
}

std::optional<Value*> Iterators::lower_by_rule(const CallSite& site) {
  Value* value = nullptr;
  return !site.of_scalarized && !site.object.known &&
                 iterator_call(site.callee, site.source, site.object.expression, site.arguments,
                               &value, site.reference)
             ? std::optional(value)
             : std::nullopt;
}

}  // namespace ddx::compiler
