/// The first values of objects that no expression gives: zeros and copies of arrays.

#include "compiler/lower/builder.h"
#include "compiler/lower/expressions/initialisers.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/path_steps.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

/// Gives the object at `target` its first value, in raw storage or over another one.
void Initialisers::construct(const Path& target, Value* value, bool raw, SourceLocation where) {
  ir::Statement* made = builder_.add(ir::Statement::Kind::Store, where);
  made->path = target;
  made->value = value;
  made->constructs = raw;
}

/// Gives `target` the value of empty braces: constructed in raw storage, else assigned.
void Initialisers::store_zero(Path target, bool raw, SourceLocation where) {
  target.type = target.type.getUnqualifiedType();
  if (const auto* array = context_.ast.getAsConstantArrayType(target.type)) {
    for (std::uint64_t i = 0; i < array->getSize().getZExtValue(); ++i) {
      Value* index = builder_.literal(std::to_string(i), context_.ast.getSizeType(), where);
      store_zero(*element_path(target, index, array->getElementType()), raw, where);
    }
    return;
  }
  const bool number = Types::is_real(target.type) || target.type->isIntegerType();
  Value* zero =
      builder_.literal(number                         ? "0"
                       : target.type->isPointerType() ? "nullptr"
                                                      : context_.names.type(target.type) + "{}",
                       target.type, where);
  raw && !target.type->isScalarType() ? construct(target, zero, true, where)
                                      : builder_.store(target, zero, where);
}

/// Copies a built-in array element by element, into raw storage or over other elements.
void Initialisers::copy_array(Path target, const Path& source, bool raw, SourceLocation where) {
  const auto* array = context_.ast.getAsConstantArrayType(target.type);
  if (!array) {
    Value* copy = builder_.load(source, where);
    return raw && !target.type->isScalarType() ? construct(target, copy, true, where)
                                               : builder_.store(target, copy, where);
  }
  for (std::uint64_t i = 0; i < array->getSize().getZExtValue(); ++i) {
    Value* index = builder_.literal(std::to_string(i), context_.ast.getSizeType(), where);
    copy_array(*element_path(target, index, array->getElementType().getUnqualifiedType()),
               *element_path(source, index, array->getElementType()), raw, where);
  }
}

void Initialisers::zero_numbers(const Path& target, SourceLocation where) {
  const CXXRecordDecl* record = Types::record(target.type);
  for (const CXXBaseSpecifier& base : record->bases()) {
    zero_numbers(places_.base_path(target, base.getType()->getAsCXXRecordDecl()), where);
  }
  for (const FieldDecl* field : record->fields()) {
    const CXXRecordDecl* part = Types::record(field->getType());
    if (part && !in_library(part) && !part->isUnion()) {
      zero_numbers(field_path(target, field), where);
    } else if (field->getType().isTrivialType(context_.ast) && !field->isUnnamedBitField()) {
      store_zero(field_path(target, field), true, where);
    }
  }
}

/// Zero for each base and member, as an initialiser that is not written gives it.
void Initialisers::initialise_zero(const Path& target, bool raw, SourceLocation where) {
  const CXXRecordDecl* record = Types::record(target.type);
  if (!record || !context_.types.has_tangent(target.type) ||
      Types::container(target.type) != Container::None) {
    return store_zero(target, raw, where);
  }
  for (const CXXBaseSpecifier& base : record->bases()) {
    initialise_zero(places_.base_path(target, base.getType()->getAsCXXRecordDecl()), raw, where);
  }
  for (const FieldDecl* field : record->fields()) {
    store_zero(field_path(target, field), raw, where);
  }
}

}  // namespace ddx::compiler
