#include "compiler/emit/multi_cotangent.h"

#include "compiler/analysis/activity.h"

#include "llvm/ADT/STLExtras.h"

namespace ddx::compiler {

using namespace ir;

namespace {

/// A number of which a register holds several.
bool is_number(clang::QualType type) {
  return type->isSpecificBuiltinType(clang::BuiltinType::Float) ||
         type->isSpecificBuiltinType(clang::BuiltinType::Double);
}

/// True for such numbers, and arrays of them.
bool is_array_of_numbers(clang::QualType type, Types& types) {
  type = type.getCanonicalType().getUnqualifiedType();
  const bool is_array = type->isArrayType() || Types::container(type) == Container::StdArray;
  return is_array ? is_array_of_numbers(types.element(type), types) : is_number(type);
}

/// True for what cotangents may be of: numbers, arrays and vectors of them, and pointers to these.
bool is_made_of_numbers(clang::QualType type, Types& types) {
  type = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (type->isPointerType()) {
    return is_made_of_numbers(type->getPointeeType(), types);
  }
  return Types::container(type) == Container::StdVector
             ? is_number(types.element(type).getCanonicalType())
             : is_array_of_numbers(type, types);
}

/// The statements of `derivative` and of all that it calls, in their places; counted up to
/// `most` + 1.
unsigned size_with_callees(const Derivative& derivative, unsigned most) {
  if (derivative.recursive) {
    return most + 1;
  }
  unsigned size = 0;
  for_each_statement(derivative.function.body, [&](const Statement* statement) {
    if (size > most) {
      return;
    }
    ++size;
    if (statement->kind == Statement::Kind::Call && statement->reversed && statement->derivative) {
      size += size_with_callees(*statement->derivative, most - size);
    }
  });
  return size;
}

}  // namespace

bool can_batch_cotangents(const Derivative& derivative, Types& types,
                          llvm::SmallPtrSetImpl<const Derivative*>& met) {
  if (derivative.has_batched || !met.insert(&derivative).second) {
    return true;
  }
  const Function& function = derivative.function;
  const auto fits = [&](clang::QualType type) { return is_made_of_numbers(type, types); };
  const auto root_fits = [&](const Root* root) { return !root->active() || fits(root->type); };
  bool served = (function.result->isVoidType() || !types.has_tangent(function.result) ||
                 fits(function.result)) &&
                llvm::all_of(function.parameters, root_fits);
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    served = served && (!function.key.parameters[i].active || fits(function.parameters[i]->type));
  }
  for (const Block& block : function.blocks) {
    served = served && llvm::all_of(block.roots, root_fits);
  }
  for_each_statement(function.body, [&](const Statement* statement) {
    const Value* value = statement->value;
    served = served && (!value || !value->active() || fits(value->type));
    if (statement->kind != Statement::Kind::Call || !statement->reversed) {
      return;
    }
    served = served && !statement->registered && !statement->functor && statement->derivative &&
             can_batch_cotangents(*statement->derivative, types, met);
  });
  return served;
}

bool is_compiled_into_callers(const Derivative& derivative) {
  constexpr unsigned most = 500;
  return size_with_callees(derivative, most) <= most;
}

}  // namespace ddx::compiler
