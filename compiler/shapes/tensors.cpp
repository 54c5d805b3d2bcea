#include "compiler/shapes/classes.h"
#include "compiler/shapes/natives.h"
#include "compiler/shapes/rules.h"

#include "llvm/ADT/StringSwitch.h"

namespace ddx::compiler::shapes {
namespace {

using Result = std::optional<const Value*>;

const Value* object(Interpreter& in, const Call& call) {
  return in.state().load(*call.self);
}

/// The extents: a reference to a shape is one to the tensor, whose parts they are.
Result shape(Interpreter& in, const Call& call) {
  return in.arena().pointer(*call.self);
}

Result rank(Interpreter& in, const Call& call) {
  const Value* tensor = object(in, call);
  return tensor->is_tensor() ? in.arena().number(static_cast<std::int64_t>(tensor->parts.size()))
                             : in.arena().unknown(true);
}

Result count(Interpreter& in, const Call& call) {
  const Value* tensor = object(in, call);
  return tensor->is_tensor() ? product(in.arena(), *tensor) : in.arena().unknown(true);
}

/// The array of a tensor, and the tensor on another device.
Result itself(Interpreter& in, const Call& call) {
  return call.function->getReturnType()->isReferenceType() ? in.arena().pointer(*call.self)
                                                           : object(in, call);
}

Result data(Interpreter& in, const Call& /*call*/) {
  return in.arena().unknown(false);
}

/// What depends on how the tensor came about.
Result state_of(Interpreter& in, const Call& /*call*/) {
  return in.arena().unknown(true);
}

Result element(Interpreter& in, const Call& call) {
  Operation operation(in.arena(), "element");
  const Value* tensor = object(in, call);
  check_index(operation, tensor, in.loaded(call.arguments.front()));
  operation.finish(in, call);
  return in.arena().unknown(false);
}

Result item(Interpreter& in, const Call& call) {
  Operation operation(in.arena(), "item");
  check_single(operation, object(in, call));
  operation.finish(in, call);
  return in.arena().unknown(false);
}

/// Lists in braces, as many as the tensor has axes.
void add_extents(const Value& list, std::size_t rank, Values& extents, Arena& arena) {
  if (extents.size() == rank) {
    return;
  }
  if (!list.is_list()) {
    extents.resize(rank, arena.unknown(true));
    return;
  }
  extents.push_back(arena.number(static_cast<std::int64_t>(list.parts.size())));
  if (list.parts.empty()) {
    extents.resize(rank, arena.number(0));
  } else {
    add_extents(*list.parts.front(), rank, extents, arena);
  }
}

/// How many lists are in one another in the type of a parameter.
std::size_t depth_of(clang::QualType type) {
  const auto* made = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      type.getNonReferenceType()->getAsCXXRecordDecl());
  return made != nullptr && class_name(made) == "std::initializer_list"
             ? 1 + depth_of(made->getTemplateArgs()[0].getAsType())
             : 0;
}

Result constructor(Interpreter& in, const Call& call) {
  Arena& arena = in.arena();
  const auto store = [&](const Value* value) -> Result {
    in.state().store(*call.self, value);
    return arena.unknown(false);
  };
  if (call.arguments.empty()) {
    return store(arena.unknown(false));  // A symbolic zero has any shape.
  }
  const clang::QualType type = call.function->getParamDecl(0)->getType();
  const bool is_reference = type->isReferenceType();
  const Value* first = is_reference ? in.loaded(call.arguments[0]) : call.arguments[0];
  const std::size_t depth = depth_of(type);
  if (depth > 0) {
    Values extents;
    add_extents(*first, depth, extents, arena);
    return store(arena.tensor(extents));
  }
  const Class representation = class_of(type);
  const bool has_shape = call.arguments.size() > 1 && representation == Class::Tensor &&
                         class_of(call.function->getParamDecl(1)->getType()) == Class::List;
  const Value* shape = has_shape                       ? in.loaded(call.arguments[1])
                       : representation == Class::List ? first
                                                       : nullptr;
  if (shape != nullptr) {
    Operation operation(arena, "tensor");
    const bool has_values = !has_shape && call.arguments.size() > 1;
    const Value* made = of_shape(operation, shape);
    if (has_values) {
      const clang::QualType values = call.function->getParamDecl(1)->getType();
      check_count(operation, made,
                  values->isReferenceType() ? in.loaded(call.arguments[1]) : call.arguments[1],
                  class_of(values) == Class::List);
    }
    operation.finish(in, call);
    return store(made);
  }
  if (representation == Class::Tensor) {
    return store(first);
  }
  const auto* parent = llvm::cast<clang::CXXMethodDecl>(call.function)->getParent();
  const bool is_scalar = class_name(parent) == "ddx::Tensor";
  return store(is_scalar ? arena.tensor({}) : arena.unknown(false));
}

}  // namespace

Native tensor_native(const clang::FunctionDecl& function) {
  const auto* method = llvm::cast<clang::CXXMethodDecl>(&function);
  if (llvm::isa<clang::CXXConstructorDecl>(method)) {
    return constructor;
  }
  if (method->getOverloadedOperator() == clang::OO_Subscript) {
    return element;
  }
  if (method->getIdentifier() == nullptr) {
    return nullptr;
  }
  return llvm::StringSwitch<Native>(method->getName())
      .Case("shape", shape)
      .Case("rank", rank)
      .Case("count", count)
      .Cases("array", "to", itself)
      .Case("item", item)
      .Cases("elements", "mutable_elements", "values", "data", "mutable_data", data)
      .Cases("device", "dtype", "set_device", "fresh_data", "view", data)
      .Cases("is_symbolic_zero", "unshared", "owners", "shares_storage_with", state_of)
      .Default(nullptr);
}

}  // namespace ddx::compiler::shapes
