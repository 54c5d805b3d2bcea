#include "compiler/shapes/natives.h"

#include "compiler/shapes/classes.h"

namespace ddx::compiler::shapes {
namespace {

/// An assignment of a whole object.
std::optional<const Value*> assigned(Interpreter& in, const Call& call) {
  const Value* value = in.loaded(call.arguments.front());
  const bool is_list = class_of(call.function->getParamDecl(0)->getType()) == Class::List;
  in.state().store(*call.self, is_list ? as_list(in.arena(), value) : value);
  return in.arena().pointer(*call.self);
}

std::optional<const Value*> moved_to_itself(Interpreter& in, const Call& call) {
  const Value* value = in.loaded(call.arguments.front());
  in.state().store(place_of(*call.arguments.front()), in.arena().unknown(true));
  in.state().store(*call.self, value);
  return in.arena().pointer(*call.self);
}

}  // namespace

const Value* argument(Interpreter& in, const Call& call, unsigned index) {
  const bool is_reference = call.function->getParamDecl(index)->getType()->isReferenceType();
  return is_reference ? in.loaded(call.arguments[index]) : call.arguments[index];
}

bool class_may_hold_shapes(clang::QualType type) {
  return class_of(type) == Class::Opaque;
}

Native native_of(const clang::FunctionDecl& function) {
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function)) {
    const clang::QualType type = method->getASTContext().getRecordType(method->getParent());
    const Class representation = class_of(type);
    const bool is_assignment =
        method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator();
    if (is_assignment && representation != Class::Opaque &&
        (representation != Class::Record || method->isDefaulted())) {
      return method->isMoveAssignmentOperator() ? moved_to_itself : assigned;
    }
    if (!method->isInstance()) {
      return nullptr;
    }
    if (representation == Class::Tensor) {
      return tensor_native(function);
    }
    if (class_name(method->getParent()) == "std::optional") {
      return optional_native(function);
    }
    const bool is_list = representation == Class::List || representation == Class::Iterator;
    return is_list ? list_native(function) : nullptr;
  }
  const std::string name = qualified_name(function);
  if (name.empty()) {
    return standard_operator(function);
  }
  if (is_of_std(function)) {
    return standard_native(name);
  }
  llvm::StringRef rest = name;
  if (!rest.consume_front("ddx::")) {
    return nullptr;
  }
  if (const Native native = extents_native(rest)) {
    return native;
  }
  if (rest.consume_front("nn::detail::")) {
    return layer_check(function, rest);
  }
  return rest.consume_front("detail::") ? operation_native(rest) : library_native(rest);
}

}  // namespace ddx::compiler::shapes
