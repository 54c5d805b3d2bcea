#include "compiler/shapes/arithmetic.h"
#include "compiler/shapes/classes.h"
#include "compiler/shapes/natives.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <utility>

namespace ddx::compiler::shapes {
namespace {

using Result = std::optional<const Value*>;

/// Vectors up to this length are known by their elements.
constexpr std::int64_t most_elements = 64;

const Value* object(Interpreter& in, const Call& call) {
  return as_list(in.arena(), in.state().load(*call.self));
}

Result size(Interpreter& in, const Call& call) {
  const Value* list = object(in, call);
  return list->is_list() ? in.arena().number(static_cast<std::int64_t>(list->parts.size()))
                         : in.arena().unknown(list->lost);
}

Result is_empty(Interpreter& in, const Call& call) {
  const Value* list = object(in, call);
  return list->is_list() ? in.arena().number(list->parts.empty() ? 1 : 0)
                         : in.arena().unknown(list->lost);
}

/// Shape::is_empty: whether an extent is 0.
Result has_zero(Interpreter& in, const Call& call) {
  const Value* list = object(in, call);
  if (list->is_list() &&
      llvm::any_of(list->parts, [](const Value* extent) { return extent->is_known(0); })) {
    return in.arena().number(1);
  }
  const bool is_known = list->is_list() && llvm::all_of(list->parts, [](const Value* extent) {
                          return extent->is_number();
                        });
  return is_known ? in.arena().number(0) : in.arena().unknown(true);
}

Result count(Interpreter& in, const Call& call) {
  return product(in.arena(), *object(in, call));
}

/// An element: a pointer to it, or its value where the function returns one.
const Value* element_at(Interpreter& in, const Call& call, const Value* index) {
  const Value* list = object(in, call);
  const bool is_reference = call.function->getReturnType()->isReferenceType();
  const bool is_inside = list->is_list() && index->is_number() && index->number >= 0 &&
                         index->number < static_cast<std::int64_t>(list->parts.size());
  if (!is_inside) {
    if (is_reference && is_mutable_access(call.function->getReturnType())) {
      in.state().escape(in.arena().pointer(*call.self));
    }
    return in.arena().unknown(list->kind != Kind::Unknown || list->lost);
  }
  const auto at = static_cast<unsigned>(index->number);
  return is_reference ? in.arena().pointer(call.self->at({at, nullptr})) : list->parts[at];
}

Result element(Interpreter& in, const Call& call) {
  return element_at(in, call, in.loaded(call.arguments.front()));
}

Result front(Interpreter& in, const Call& call) {
  return element_at(in, call, in.arena().number(0));
}

Result back(Interpreter& in, const Call& call) {
  const Value* list = object(in, call);
  return element_at(in, call, in.arena().number(static_cast<std::int64_t>(list->parts.size()) - 1));
}

Result begin(Interpreter& in, const Call& call) {
  return in.arena().pointer(call.self->at({0, nullptr}));
}

Result end(Interpreter& in, const Call& call) {
  const Value* list = object(in, call);
  if (!list->is_list()) {
    in.state().escape(in.arena().pointer(*call.self));
    return in.arena().unknown(true);
  }
  return in.arena().pointer(call.self->at({static_cast<unsigned>(list->parts.size()), nullptr}));
}

/// Shape::extents, Indices::values: the numbers as a list of their own.
Result numbers(Interpreter& in, const Call& call) {
  return object(in, call);
}

void set(Interpreter& in, const Call& call, llvm::ArrayRef<const Value*> parts) {
  in.state().store(*call.self, in.arena().list(parts));
}

/// Whether a vector gets a value of its own type of elements, not one that makes an element.
bool is_element(const Call& call) {
  const auto* type = llvm::cast<clang::ClassTemplateSpecializationDecl>(
      llvm::cast<clang::CXXMethodDecl>(call.function)->getParent());
  const clang::QualType given = call.function->getParamDecl(0)->getType().getNonReferenceType();
  return given.getCanonicalType().getUnqualifiedType() ==
         type->getTemplateArgs()[0].getAsType().getCanonicalType().getUnqualifiedType();
}

Result append(Interpreter& in, const Call& call) {
  const Value* list = object(in, call);
  if (!list->is_list() || list->parts.size() >= most_elements || call.arguments.size() != 1 ||
      !is_element(call)) {
    return std::nullopt;
  }
  Values parts(list->parts);
  parts.push_back(in.loaded(call.arguments.front()));
  set(in, call, parts);
  return in.arena().pointer(call.self->at({static_cast<unsigned>(parts.size()) - 1, nullptr}));
}

Result remove_last(Interpreter& in, const Call& call) {
  const Value* list = object(in, call);
  if (!list->is_list() || list->parts.empty()) {
    return std::nullopt;
  }
  set(in, call, list->parts.drop_back());
  return in.arena().unknown(false);
}

Result clear(Interpreter& in, const Call& call) {
  set(in, call, {});
  return in.arena().unknown(false);
}

Result nothing(Interpreter& in, const Call& /*call*/) {
  return in.arena().unknown(false);
}

Result fill(Interpreter& in, const Call& call) {
  const Value* list = object(in, call);
  if (!list->is_list()) {
    return std::nullopt;
  }
  set(in, call, Values(list->parts.size(), in.loaded(call.arguments.front())));
  return in.arena().unknown(false);
}

/// Iterators: pointers to elements.
Result dereferenced(Interpreter& in, const Call& call) {
  return object(in, call);
}

/// An iterator that is moved; where it is lost, what it points to may change through it.
const Value* moved_iterator(Interpreter& in, const Value* iterator, const Value* by) {
  const Value* result = moved(in.arena(), iterator, by);
  if (result->kind != Kind::Pointer) {
    in.state().escape(iterator);
  }
  return result;
}

Result stepped(Interpreter& in, const Call& call, std::int64_t by) {
  const Value* old = object(in, call);
  in.state().store(*call.self, moved_iterator(in, old, in.arena().number(by)));
  return call.arguments.empty() ? in.arena().pointer(*call.self) : old;
}

Result incremented(Interpreter& in, const Call& call) {
  return stepped(in, call, 1);
}

Result decremented(Interpreter& in, const Call& call) {
  return stepped(in, call, -1);
}

Result advanced(Interpreter& in, const Call& call) {
  return moved_iterator(in, object(in, call), in.loaded(call.arguments.front()));
}

Result iterator_base(Interpreter& in, const Call& call) {
  return object(in, call);
}

/// The element type of a list, if it is a template's first argument.
bool holds_references(const clang::CXXRecordDecl* type) {
  const auto* made = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type);
  return made != nullptr && llvm::any_of(made->getTemplateArgs().asArray(), [](const auto& one) {
           const auto each = one.getKind() == clang::TemplateArgument::Pack ? one.pack_elements()
                                                                            : llvm::ArrayRef(one);
           return llvm::any_of(each, [](const clang::TemplateArgument& argument) {
             return argument.getKind() == clang::TemplateArgument::Type &&
                    argument.getAsType()->isReferenceType();
           });
         });
}

/// The number of elements of a tuple or pair type.
std::size_t tuple_size(const clang::CXXRecordDecl* type) {
  const auto* made = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(type);
  if (made == nullptr) {
    return 0;
  }
  const auto& arguments = made->getTemplateArgs();
  return arguments.size() == 1 && arguments[0].getKind() == clang::TemplateArgument::Pack
             ? arguments[0].pack_size()
             : arguments.size();
}

/// A new tuple or pair.
Result tuple_constructor(Interpreter& in, const Call& call, const clang::CXXRecordDecl* type) {
  const std::size_t size = tuple_size(type);
  Values parts;
  if (call.arguments.size() == 1) {
    const Value* other = in.loaded(call.arguments.front());
    if (other->is_list() && other->parts.size() == size && !holds_references(type)) {
      in.state().store(*call.self, other);
      return in.arena().unknown(false);
    }
  }
  if (call.arguments.size() != size || size == 0) {
    return std::nullopt;
  }
  const bool keeps_places = holds_references(type);
  for (const Value* argument : call.arguments) {
    parts.push_back(keeps_places ? argument : in.loaded(argument));
  }
  set(in, call, parts);
  return in.arena().unknown(false);
}

/// A vector of a length, with equal elements.
Result vector_of_length(Interpreter& in, const Call& call, const Value* length) {
  if (!length->is_number() || length->number < 0 || length->number > most_elements) {
    return std::nullopt;
  }
  const auto* type = llvm::cast<clang::ClassTemplateSpecializationDecl>(
      llvm::cast<clang::CXXMethodDecl>(call.function)->getParent());
  const bool has_value = call.arguments.size() > 1 &&
                         !call.function->getParamDecl(1)->getNameAsString().starts_with("__a");
  const Value* value =
      has_value ? in.loaded(call.arguments[1]) : in.zero(type->getTemplateArgs()[0].getAsType());
  set(in, call, Values(static_cast<std::size_t>(length->number), value));
  return in.arena().unknown(false);
}

/// From a range of iterators or pointers.
Result of_range(Interpreter& in, const Call& call, const Value* first, const Value* last) {
  const auto length = distance(*first, *last);
  if (!length || *length < 0 || *length > most_elements) {
    return std::nullopt;
  }
  Values parts;
  for (std::int64_t i = 0; i < *length; ++i) {
    parts.push_back(in.state().load(place_of(*moved(in.arena(), first, in.arena().number(i)))));
  }
  set(in, call, parts);
  return in.arena().unknown(false);
}

Result list_constructor(Interpreter& in, const Call& call) {
  const auto* type = llvm::cast<clang::CXXMethodDecl>(call.function)->getParent();
  const std::string name = class_name(type);
  if (name == "__gnu_cxx::__normal_iterator") {
    const Value* source =
        call.arguments.empty() ? in.arena().unknown(true) : in.loaded(call.arguments.front());
    // The place of the pointer, not what it points to.
    in.state().store(*call.self, source);
    return in.arena().unknown(false);
  }
  if (name == "std::pair" || name == "std::tuple") {
    return tuple_constructor(in, call, type);
  }
  if (call.arguments.empty()) {
    set(in, call, {});
    return in.arena().unknown(false);
  }
  const clang::QualType parameter = call.function->getParamDecl(0)->getType();
  const bool by_value = !parameter->isReferenceType();
  const Value* first =
      as_list(in.arena(), by_value ? call.arguments[0] : in.loaded(call.arguments[0]));
  if (first->is_list()) {
    in.state().store(*call.self, first);
    return in.arena().unknown(false);
  }
  if (name == "std::vector" && call.arguments.size() >= 2 && by_value) {
    if (const auto range = of_range(in, call, call.arguments[0], call.arguments[1])) {
      return range;
    }
  }
  if (name == "std::vector" && parameter->isIntegerType()) {
    return vector_of_length(in, call, first);
  }
  if (name == "std::span" && call.arguments.size() == 2) {
    const Value* length = call.arguments[1];
    return of_range(in, call, first,
                    length->is_number() ? moved(in.arena(), first, length) : length);
  }
  return std::nullopt;
}

Native member(llvm::StringRef type, llvm::StringRef name) {
  if (type == "ddx::Shape" || type == "ddx::Indices") {
    return llvm::StringSwitch<Native>(name)
        .Cases("rank", "size", size)
        .Cases("extents", "values", numbers)
        .Case("count", count)
        .Case("is_empty", has_zero)
        .Case("empty", is_empty)
        .Default(nullptr);
  }
  return llvm::StringSwitch<Native>(name)
      .Case("size", size)
      .Case("empty", is_empty)
      .Case("at", element)
      .Case("front", front)
      .Case("back", back)
      .Cases("begin", "cbegin", "data", begin)
      .Cases("end", "cend", end)
      .Cases("push_back", "emplace_back", append)
      .Case("pop_back", remove_last)
      .Case("clear", clear)
      .Cases("reserve", "shrink_to_fit", nothing)
      .Case("fill", fill)
      .Case("base", iterator_base)
      .Default(nullptr);
}

}  // namespace

const Value* product(Arena& arena, const Value& list) {
  std::int64_t all = 1;
  if (!list.is_list() && !list.is_tensor()) {
    return arena.unknown(list.lost);
  }
  for (const Value* extent : list.parts) {
    if (!extent->is_number() || __builtin_mul_overflow(all, extent->number, &all)) {
      return arena.unknown(true);
    }
  }
  return arena.number(all,
                      list.parts.empty() ? clang::SourceLocation() : list.parts.front()->origin);
}

Native list_native(const clang::FunctionDecl& function) {
  const auto* method = llvm::cast<clang::CXXMethodDecl>(&function);
  if (llvm::isa<clang::CXXConstructorDecl>(method)) {
    return list_constructor;
  }
  const std::string type = class_name(method->getParent());
  if (type == "__gnu_cxx::__normal_iterator") {
    switch (method->getOverloadedOperator()) {
      case clang::OO_Star:
      case clang::OO_Arrow:
        return dereferenced;
      case clang::OO_PlusPlus:
        return incremented;
      case clang::OO_MinusMinus:
        return decremented;
      case clang::OO_Plus:
        return advanced;
      default:
        return nullptr;
    }
  }
  if (method->getOverloadedOperator() == clang::OO_Subscript) {
    return element;
  }
  return method->getIdentifier() == nullptr ? nullptr : member(type, method->getName());
}

}  // namespace ddx::compiler::shapes
