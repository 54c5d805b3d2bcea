#include "compiler/shapes/classes.h"
#include "compiler/shapes/natives.h"

#include "llvm/ADT/StringSwitch.h"

namespace ddx::compiler::shapes {
namespace {

using Result = std::optional<const Value*>;

const Value* object(Interpreter& in, const Call& call) {
  return in.state().load(*call.self);
}

Result has_value(Interpreter& in, const Call& call) {
  const Value* list = object(in, call);
  return list->is_list() ? in.arena().number(list->parts.empty() ? 0 : 1)
                         : in.arena().unknown(list->lost);
}

/// The object in it: a reference or a pointer.
Result content(Interpreter& in, const Call& call) {
  const Value* list = object(in, call);
  if (!list->is_list() || list->parts.empty()) {
    in.state().escape(in.arena().pointer(*call.self));
    return in.arena().unknown(true);
  }
  return in.arena().pointer(call.self->at({0, nullptr}));
}

Result value_or(Interpreter& in, const Call& call) {
  const Value* list = object(in, call);
  if (!list->is_list()) {
    return in.arena().unknown(true);
  }
  return list->parts.empty() ? in.loaded(call.arguments.front()) : list->parts.front();
}

Result emptied(Interpreter& in, const Call& call) {
  in.state().store(*call.self, in.arena().list({}));
  return in.arena().unknown(false);
}

bool is_nullopt(const Call& call) {
  const auto* type =
      call.function->getParamDecl(0)->getType().getNonReferenceType()->getAsCXXRecordDecl();
  return class_name(type) == "std::nullopt_t";
}

bool is_optional(const Call& call) {
  const auto* type =
      call.function->getParamDecl(0)->getType().getNonReferenceType()->getAsCXXRecordDecl();
  return class_name(type) == "std::optional";
}

/// A constructor or an assignment.
Result filled(Interpreter& in, const Call& call) {
  if (call.arguments.empty() || is_nullopt(call)) {
    in.state().store(*call.self, in.arena().list({}));
  } else {
    const Value* value = in.loaded(call.arguments.front());
    const bool one = call.arguments.size() == 1;
    in.state().store(*call.self, is_optional(call) ? value
                                 : one             ? in.arena().list({value})
                                                   : in.arena().unknown(true));
  }
  return llvm::isa<clang::CXXConstructorDecl>(call.function) ? in.arena().unknown(false)
                                                             : in.arena().pointer(*call.self);
}

}  // namespace

Native optional_native(const clang::FunctionDecl& function) {
  const auto* method = llvm::cast<clang::CXXMethodDecl>(&function);
  if (llvm::isa<clang::CXXConstructorDecl>(method) ||
      method->getOverloadedOperator() == clang::OO_Equal) {
    return filled;
  }
  if (llvm::isa<clang::CXXConversionDecl>(method)) {
    return has_value;
  }
  if (method->getOverloadedOperator() == clang::OO_Star ||
      method->getOverloadedOperator() == clang::OO_Arrow) {
    return content;
  }
  if (method->getIdentifier() == nullptr) {
    return nullptr;
  }
  return llvm::StringSwitch<Native>(method->getName())
      .Case("has_value", has_value)
      .Case("value", content)
      .Case("value_or", value_or)
      .Case("reset", emptied)
      .Default(nullptr);
}

}  // namespace ddx::compiler::shapes
