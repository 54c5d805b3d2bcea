#include "compiler/shapes/arithmetic.h"
#include "compiler/shapes/classes.h"
#include "compiler/shapes/natives.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <algorithm>

namespace ddx::compiler::shapes {
namespace {

using Result = std::optional<const Value*>;

bool takes_reference(const Call& call, unsigned index) {
  return call.function->getParamDecl(index)->getType()->isReferenceType();
}

bool returns_reference(const Call& call) {
  return call.function->getReturnType()->isReferenceType();
}

/// std::move, std::forward, std::as_const: the same object.
Result same(Interpreter& /*in*/, const Call& call) {
  return call.arguments.size() == 1 ? Result(call.arguments.front()) : std::nullopt;
}

Result get(Interpreter& in, const Call& call) {
  const auto* arguments = call.function->getTemplateSpecializationArgs();
  if (arguments == nullptr || arguments->size() == 0 ||
      (*arguments)[0].getKind() != clang::TemplateArgument::Integral) {
    return std::nullopt;
  }
  const auto index = static_cast<unsigned>((*arguments)[0].getAsIntegral().getZExtValue());
  const Place place = place_of(*call.arguments.front()).at({index, nullptr});
  const Value* part = in.state().load(place);
  return part->kind == Kind::Pointer ? part : in.arena().pointer(place);
}

Result extremum(Interpreter& in, const Call& call, bool is_max) {
  if (call.arguments.size() != 2 || !takes_reference(call, 0)) {
    return std::nullopt;
  }
  const Value* a = in.loaded(call.arguments[0]);
  const Value* b = in.loaded(call.arguments[1]);
  if (a->is_number() && b->is_number()) {
    const bool second = is_max ? a->number < b->number : b->number < a->number;
    return call.arguments[second ? 1 : 0];
  }
  in.state().escape(call.arguments[0]);
  in.state().escape(call.arguments[1]);
  return in.arena().pointer(in.state().add(in.arena().unknown(true)));
}

Result maximum(Interpreter& in, const Call& call) {
  return extremum(in, call, true);
}

Result minimum(Interpreter& in, const Call& call) {
  return extremum(in, call, false);
}

Result exchanged(Interpreter& in, const Call& call) {
  const Place a = place_of(*call.arguments[0]);
  const Place b = place_of(*call.arguments[1]);
  const Value* in_a = in.state().load(a);
  const Value* in_b = in.state().load(b);
  const bool refers = in_a->is_list() || in_b->is_list();  // References to elements follow.
  in.state().store(a, refers ? in.arena().unknown(true) : in_b);
  in.state().store(b, refers ? in.arena().unknown(true) : in_a);
  return in.arena().unknown(false);
}

Result replaced(Interpreter& in, const Call& call) {
  const Place place = place_of(*call.arguments[0]);
  const Value* old = in.state().load(place);
  in.state().store(place, in.loaded(call.arguments[1]));
  return old;
}

Result made_tuple(Interpreter& in, const Call& call) {
  Values parts;
  for (const Value* argument : call.arguments) {
    parts.push_back(in.loaded(argument));
  }
  return in.arena().list(parts);
}

Result tied(Interpreter& in, const Call& call) {
  return in.arena().list(call.arguments);
}

Result invoked(Interpreter& in, const Call& call) {
  llvm::SmallVector<Place> places;
  for (const Value* argument : llvm::drop_begin(call.arguments)) {
    places.push_back(place_of(*argument));
  }
  const Value* result = in.invoke(place_of(*call.arguments.front()), places, call);
  if (result == nullptr) {
    return std::nullopt;
  }
  return returns_reference(call) ? in.arena().pointer(in.state().add(result)) : result;
}

Result applied(Interpreter& in, const Call& call) {
  const Place tuple = place_of(*call.arguments[1]);
  const Value* list = in.state().load(tuple);
  if (!list->is_list()) {
    return std::nullopt;
  }
  llvm::SmallVector<Place> places;
  for (unsigned i = 0; i < list->parts.size(); ++i) {
    const Place part = tuple.at({i, nullptr});
    places.push_back(list->parts[i]->kind == Kind::Pointer ? place_of(*list->parts[i]) : part);
  }
  const Value* result = in.invoke(place_of(*call.arguments.front()), places, call);
  if (result == nullptr) {
    return std::nullopt;
  }
  return returns_reference(call) ? in.arena().pointer(in.state().add(result)) : result;
}

Result size_of(Interpreter& in, const Call& call) {
  const Value* list = in.loaded(call.arguments.front());
  return list->is_list() ? Result(in.arena().number(static_cast<std::int64_t>(list->parts.size())))
                         : std::nullopt;
}

/// std::copy between lists that are known.
Result copied(Interpreter& in, const Call& call) {
  const auto length = distance(*call.arguments[0], *call.arguments[1]);
  if (!length || *length < 0 || call.arguments[2]->kind != Kind::Pointer) {
    return std::nullopt;
  }
  for (std::int64_t i = 0; i < *length; ++i) {
    const Value* by = in.arena().number(i);
    in.state().store(place_of(*moved(in.arena(), call.arguments[2], by)),
                     in.state().load(place_of(*moved(in.arena(), call.arguments[0], by))));
  }
  return moved(in.arena(), call.arguments[2], in.arena().number(*length));
}

/// Whether two values are equal; nothing where that is not known.
std::optional<bool> equal(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) {
    return a.number == b.number;
  }
  if (a.kind == Kind::Symbol && &a == &b) {
    return true;
  }
  const bool are_lists = (a.is_list() || a.is_tensor()) && (b.is_list() || b.is_tensor());
  if (!are_lists) {
    return std::nullopt;
  }
  if (a.parts.size() != b.parts.size()) {
    return false;
  }
  bool is_known = true;
  for (const auto [in_a, in_b] : llvm::zip(a.parts, b.parts)) {
    const auto same_part = equal(*in_a, *in_b);
    if (same_part && !*same_part) {
      return false;
    }
    is_known &= same_part.has_value();
  }
  return is_known ? std::optional(true) : std::nullopt;
}

Result equality(Interpreter& in, const Call& call) {
  const Value* a = in.loaded(call.arguments[0]);
  const Value* b = in.loaded(call.arguments[1]);
  std::optional<bool> same = equal(*a, *b);
  if (const auto between = distance(*a, *b)) {
    same = *between == 0;
  }
  const bool negated = call.function->getOverloadedOperator() == clang::OO_ExclaimEqual;
  return same ? in.arena().number(*same != negated ? 1 : 0)
              : in.arena().unknown(is_informed(*a) || is_informed(*b));
}

Result difference(Interpreter& in, const Call& call) {
  const auto between = distance(*in.loaded(call.arguments[1]), *in.loaded(call.arguments[0]));
  return between ? in.arena().number(*between) : in.arena().unknown(true);
}

}  // namespace

Native equality_native() {
  return equality;
}

Native standard_native(llvm::StringRef name) {
  return llvm::StringSwitch<Native>(name)
      .Cases("std::move", "std::forward", "std::as_const", "std::move_if_noexcept", same)
      .Case("std::get", get)
      .Case("std::max", maximum)
      .Case("std::min", minimum)
      .Case("std::swap", exchanged)
      .Case("std::exchange", replaced)
      .Cases("std::make_tuple", "std::make_pair", made_tuple)
      .Cases("std::tie", "std::forward_as_tuple", tied)
      .Case("std::invoke", invoked)
      .Case("std::apply", applied)
      .Cases("std::size", "std::ssize", size_of)
      .Case("std::copy", copied)
      .Default(nullptr);
}

Native standard_operator(const clang::FunctionDecl& function) {
  if (function.getNumParams() != 2) {
    return nullptr;
  }
  for (const clang::ParmVarDecl* parameter : function.parameters()) {
    const Class representation = class_of(parameter->getType());
    if (representation != Class::List && representation != Class::Iterator) {
      return nullptr;
    }
  }
  switch (function.getOverloadedOperator()) {
    case clang::OO_EqualEqual:
    case clang::OO_ExclaimEqual:
      return equality;
    case clang::OO_Minus:
      return difference;
    default:
      return nullptr;
  }
}

}  // namespace ddx::compiler::shapes
