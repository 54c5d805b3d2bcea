#include "compiler/shapes/classes.h"
#include "compiler/shapes/natives.h"
#include "compiler/shapes/rules.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace ddx::compiler::shapes {
namespace {

using Result = std::optional<const Value*>;

/// The positions that a `ddx::Wrt` selects; nothing for another type.
std::optional<llvm::SmallVector<unsigned>> selected(clang::QualType type) {
  const auto* made = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      type.getNonReferenceType()->getAsCXXRecordDecl());
  if (made == nullptr || class_name(made) != "ddx::Wrt") {
    return std::nullopt;
  }
  llvm::SmallVector<unsigned> positions;
  for (const clang::TemplateArgument& argument : made->getTemplateArgs()[0].pack_elements()) {
    positions.push_back(static_cast<unsigned>(argument.getAsIntegral().getZExtValue()));
  }
  return positions;
}

/// What differentiation calls, and with what.
struct Primal {
  const Value* value = nullptr;
  llvm::SmallVector<unsigned> positions;  ///< Of the arguments to differentiate by.
  llvm::SmallVector<Place> arguments;
};

/// Calls the function that is to be differentiated.
std::optional<Primal> primal(Interpreter& in, const Call& call) {
  Primal result;
  unsigned first = 1;
  if (call.arguments.size() > 1) {
    if (const auto positions = selected(call.function->getParamDecl(1)->getType())) {
      result.positions = *positions;
      first = 2;
    }
  }
  for (const Value* argument : llvm::drop_begin(call.arguments, first)) {
    if (first == 1) {
      result.positions.push_back(static_cast<unsigned>(result.arguments.size()));
    }
    result.arguments.push_back(place_of(*argument));
  }
  result.value = in.invoke(place_of(*call.arguments.front()), result.arguments, call);
  return result.value == nullptr ? std::nullopt : std::optional(result);
}

/// The tangent of an argument: of the same shapes, where it has the same type.
const Value* tangent(Interpreter& in, const Value* argument, clang::QualType type) {
  const Class representation = class_of(type);
  const auto* record = type->getAsCXXRecordDecl();
  const bool is_same = argument->is_tensor() ? representation == Class::Tensor
                       : argument->kind == Kind::Record
                           ? record != nullptr && record->getCanonicalDecl() == argument->type
                           : argument->is_list() && representation == Class::List;
  return is_same ? argument : in.arena().unknown(true);
}

/// The gradient as a value of its type.
const Value* gradient_of(Interpreter& in, const Primal& primal, clang::QualType type) {
  if (primal.positions.size() == 1) {
    return tangent(in, in.state().load(primal.arguments[primal.positions.front()]), type);
  }
  const auto* made =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (made == nullptr || class_name(made) != "std::tuple") {
    return in.arena().unknown(true);
  }
  const auto types = made->getTemplateArgs()[0].pack_elements();
  Values parts;
  for (const auto [position, one] : llvm::zip(primal.positions, types)) {
    parts.push_back(tangent(in, in.state().load(primal.arguments[position]), one.getAsType()));
  }
  return in.arena().list(parts);
}

Result gradient(Interpreter& in, const Call& call) {
  const auto called = primal(in, call);
  return called ? Result(gradient_of(in, *called, call.function->getReturnType())) : std::nullopt;
}

/// The value, and the gradient or something that is not known.
Result value_with(Interpreter& in, const Call& call) {
  const auto called = primal(in, call);
  const auto* type = call.function->getReturnType()->getAsCXXRecordDecl();
  if (!called || type == nullptr || class_of(call.function->getReturnType()) != Class::Record) {
    return std::nullopt;
  }
  Values parts(part_count(*type->getDefinition()), in.arena().unknown(true));
  for (const clang::FieldDecl* field : type->getDefinition()->fields()) {
    const unsigned index = type->getDefinition()->getNumBases() + field->getFieldIndex();
    if (field->getName() == "value") {
      parts[index] = called->value;
    } else if (field->getName() == "gradient") {
      parts[index] = gradient_of(in, *called, field->getType());
    }
  }
  return in.arena().record(type->getCanonicalDecl(), parts);
}

Result pullback(Interpreter& in, const Call& call) {
  return primal(in, call) ? Result(in.arena().unknown(true)) : std::nullopt;
}

/// The text of a claim: ddx::shaped<"n 784">.
std::optional<std::string> claim_of(const clang::FunctionDecl& function) {
  const auto* arguments = function.getTemplateSpecializationArgs();
  if (arguments == nullptr || arguments->size() == 0 ||
      (*arguments)[0].getKind() != clang::TemplateArgument::Declaration) {
    return std::nullopt;
  }
  const auto* object = llvm::dyn_cast<clang::TemplateParamObjectDecl>((*arguments)[0].getAsDecl());
  if (object == nullptr || !object->getValue().isStruct()) {
    return std::nullopt;
  }
  const clang::APValue& characters = object->getValue().getStructField(0);
  std::string text;
  for (unsigned i = 0; characters.isArray() && i < characters.getArrayInitializedElts(); ++i) {
    const auto character = characters.getArrayInitializedElt(i).getInt().getExtValue();
    if (character != 0) {
      text += static_cast<char>(character);
    }
  }
  return text;
}

/// What is claimed of x, together with what is known of it. A claim that contradicts is reported.
Result shaped(Interpreter& in, const Call& call) {
  const auto claim = claim_of(*call.function);
  if (!claim) {
    return std::nullopt;
  }
  llvm::SmallVector<llvm::StringRef> words;
  llvm::StringRef(*claim).split(words, ' ', -1, /*KeepEmpty=*/false);
  const Value* known = in.loaded(call.arguments.front());
  const clang::SourceLocation where = call.at->getExprLoc();
  Arena& arena = in.arena();
  const auto fails = [&] {
    in.fail(call,
            "shaped: shape " + shape_text(*known) + " is not [" + llvm::join(words, ", ") + "]",
            {known});
    return Result(arena.unknown(true));
  };
  if (known->is_tensor() && known->parts.size() != words.size()) {
    return fails();
  }
  llvm::StringMap<const Value*> names;
  Values extents;
  for (const auto [axis, word] : llvm::enumerate(words)) {
    const Value* there = known->is_tensor() ? known->parts[axis] : nullptr;
    const bool has_number = there != nullptr && there->is_number();
    std::int64_t number = 0;
    if (!word.getAsInteger(10, number)) {
      if (has_number && there->number != number) {
        return fails();
      }
      extents.push_back(has_number ? there : arena.number(number, where));
      continue;
    }
    const Value* extent = has_number || (there != nullptr && there->kind == Kind::Symbol)
                              ? there
                              : arena.symbol(word == "_" ? "" : word, where);
    if (word != "_") {
      const auto [same, is_new] = names.try_emplace(word, extent);
      if (!is_new && same->second->is_number() && has_number &&
          same->second->number != there->number) {
        return fails();
      }
      extent = same->second->is_number() || !has_number ? same->second : extent;
    }
    extents.push_back(extent);
  }
  return arena.tensor(extents);
}

/// ddx::broadcasts_to(from, to), of shapes.
Result stretches(Interpreter& in, const Call& call) {
  Operation op(in.arena(), "broadcasts_to");
  const Value* from = of_shape(op, in.loaded(call.arguments[0]));
  const Value* to = in.loaded(call.arguments[1]);
  (void)broadcast_to(op, from, to);
  if (op.failed()) {
    return in.arena().number(0);
  }
  const bool is_same = from->is_tensor() && from->parts == as_list(in.arena(), to)->parts;
  return is_same ? in.arena().number(1) : in.arena().unknown(true);
}

/// ddx::broadcast(a, b, operation), of shapes.
Result common_shape(Interpreter& in, const Call& call) {
  Operation op(in.arena(), "broadcast");
  const Value* shape = broadcast(op, of_shape(op, in.loaded(call.arguments[0])),
                                 of_shape(op, in.loaded(call.arguments[1])));
  op.finish(in, call);
  return as_list(in.arena(), shape);
}

/// ddx::resolve_axis(axis, shape, operation).
Result axis_of(Interpreter& in, const Call& call) {
  Operation op(in.arena(), "axis");
  const auto axis =
      resolved_axis(op, of_shape(op, in.loaded(call.arguments[1])), call.arguments[0]);
  op.finish(in, call);
  return axis ? in.arena().number(*axis) : in.arena().unknown(true);
}

}  // namespace

Native library_native(llvm::StringRef name) {
  return llvm::StringSwitch<Native>(name)
      .Case("gradient", gradient)
      .Cases("value_with_gradient", "value_with_pullback", "value_with_derivative", value_with)
      .Cases("pullback", "derivative", pullback)
      .Case("shaped", shaped)
      .Case("einsum", einsum)
      .Case("broadcasts_to", stretches)
      .Case("broadcast", common_shape)
      .Case("resolve_axis", axis_of)
      .Default(nullptr);
}

}  // namespace ddx::compiler::shapes
