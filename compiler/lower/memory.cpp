#include "compiler/lower/lowering.h"

#include "llvm/ADT/ScopeExit.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

/// True for objects whose numbers can be named one by one, vectors of them apart.
bool Lowering::is_made_of_numbers(QualType type) {
  if (!context_.types.has_tangent(type) || type->isScalarType()) {
    return true;
  }
  switch (Types::container(type)) {
    case Container::StdComplex:
      return true;
    case Container::StdVector: {
      const QualType element = context_.types.element(type);
      return !context_.types.holds_dynamic_pointer(element) && is_made_of_numbers(element);
    }
    case Container::CArray:
    case Container::StdArray:
      return is_made_of_numbers(context_.types.element(type));
    case Container::StdDeque:
    case Container::SumType:
    case Container::StdMap:
      return false;
    case Container::StdPair:
      return llvm::all_of(Types::parts(type),
                          [&](QualType part) { return is_made_of_numbers(part); });
    case Container::None:
      break;
  }
  const CXXRecordDecl* record = Types::record(type);
  if (!record || in_library(record) || context_.types.is_leaf(record) || record->isLambda() ||
      !looked_into_.insert(record).second) {
    return false;  // Or its objects hold others of it.
  }
  const auto leave = llvm::make_scope_exit([&] { looked_into_.erase(record); });
  return llvm::all_of(record->fields(),
                      [&](const FieldDecl* field) {
                        return !context_.types.has_tangent(field) ||
                               is_made_of_numbers(field->getType());
                      }) &&
         llvm::all_of(record->bases(), [&](const CXXBaseSpecifier& base) {
           return is_made_of_numbers(base.getType());
         });
}

/// Calls `visit` with the place of each number in `object`, or of each vector of them.
void Lowering::for_each_number(const Path& object, llvm::function_ref<void(const Path&)> visit) {
  const QualType type = object.type;
  const SourceLocation where = object.root->where;
  if (!context_.types.has_tangent(type)) {
    return;
  }
  if (type->isScalarType()) {
    return visit(object);
  }
  switch (Types::container(type)) {
    case Container::CArray:
    case Container::StdArray: {
      for (std::uint64_t i = 0; i < context_.types.array_size(type); ++i) {
        Value* index = literal(std::to_string(i), context_.ast.getSizeType(), where);
        for_each_number(*element_path(object, index, context_.types.element(type)), visit);
      }
      return;
    }
    case Container::StdPair:
      for (unsigned i = 0; i < Types::parts(type).size(); ++i) {
        for_each_number(part_path(object, i), visit);
      }
      return;
    case Container::StdComplex:
      for_each_number(number_part(object, 0), visit);
      return for_each_number(number_part(object, 1), visit);
    case Container::StdDeque:
    case Container::SumType:
    case Container::StdMap:
      return;
    case Container::StdVector:
      return visit(object);
    case Container::None:
      break;
  }
  for (const CXXBaseSpecifier& base : Types::record(type)->bases()) {
    for_each_number(base_path(object, base.getType()->getAsCXXRecordDecl()), visit);
  }
  for (const FieldDecl* field : Types::record(type)->fields()) {
    if (context_.types.has_tangent(field)) {
      for_each_number(field_path(object, field), visit);
    }
  }
}

/// A copy of an object in memory, number by number.
Value* Lowering::copy_from_memory(const Path& object, SourceLocation where) {
  Root* const place = bind_alias(object, false, "place", where).alias;
  Path copy;
  copy.type = object.type.getUnqualifiedType();
  copy.root = new_root(Root::Kind::Local, "copy", copy.type, where);
  ir::Statement* declaration = declare_local(copy.root, where);
  declaration->text = " = " + hole(*place);
  std::vector<Path> parts;
  for_each_number(copy, [&](const Path& part) { parts.push_back(part); });
  auto part = parts.begin();
  for_each_number(object, [&](const Path& number) {
    if (number.type->isScalarType()) {
      store(*part++, load(number, where), where);
    } else {
      copy_elements("copy_from_memory", *part++, number, where);
    }
  });
  return load(copy, where);
}

/// Writes an object to memory: as a whole, then once more number by number.
void Lowering::copy_to_memory(const Path& object, Value* value, bool raw, SourceLocation where) {
  Path given;
  given.type = object.type.getUnqualifiedType();
  given.root = new_root(Root::Kind::Local, "given", given.type, where);
  ir::Statement* declaration = declare_local(given.root, where);
  declaration->value = value;
  Root* const place = bind_alias(object, false, "place", where).alias;
  ir::Statement* whole = add(ir::Statement::Kind::Text, where);
  whole->harmless = true;
  whole->text = raw ? "::new (static_cast<void*>(std::addressof(" + hole(*place) + "))) " +
                          context_.names.type(given.type) + "(" + hole(*given.root) + ")"
                    : hole(*place) + " = " + hole(*given.root);
  std::vector<Path> parts;
  for_each_number(given, [&](const Path& part) { parts.push_back(part); });
  auto part = parts.begin();
  for_each_number(object, [&](const Path& number) {
    if (number.type->isScalarType()) {
      store(number, load(*part++, where), where);
    } else {
      copy_elements("copy_to_memory", *part++, number, where);
    }
  });
}

/// Calls the plain function `name` for a vector with a name and one in memory.
void Lowering::copy_elements(llvm::StringRef name, const Path& named, const Path& in_memory,
                             SourceLocation where) {
  const QualType element = context_.types.element(in_memory.type).getUnqualifiedType();
  const bool reads = name == "copy_from_memory";
  const QualType pointer = context_.ast.getPointerType(reads ? element.withConst() : element);
  auto* vector =
      new (context_.ast) OpaqueValueExpr(where, named.type.getUnqualifiedType(), VK_LValue);
  auto* first = new (context_.ast) OpaqueValueExpr(where, pointer, VK_PRValue);
  const FunctionDecl* plain = plain_function(name, {vector, first});
  const FunctionDecl* body = plain ? visible_body(plain) : nullptr;
  if (!body) {
    return;
  }
  const Path elements = *element_in_memory(in_memory, nullptr, element);
  ir::Statement* made = make(ir::Statement::Kind::Call, where);
  made->callee = body;
  expand_path(made, named, false, !reads);
  expand_path(made, elements, true, reads);
  emit_call(made, context_.ast.VoidTy);
}

/// Gives the object at `target` its first value, in raw storage or over another one.
void Lowering::construct(const Path& target, Value* value, bool raw, SourceLocation where) {
  if (target.root->kind == Root::Kind::Memory && !target.type->isScalarType() &&
      is_made_of_numbers(target.type)) {
    return copy_to_memory(target, value, raw, where);
  }
  ir::Statement* made = add(ir::Statement::Kind::Store, where);
  made->path = target;
  made->value = value;
  made->constructs = raw;
}

/// Gives a member, or an element, that only leads to memory its first value.
bool Lowering::initialise_dynamic_pointer(const Path& target, const Expr* source, bool raw) {
  if (is_owned_array(target)) {
    set_owned_array(target, source);
    return true;
  }
  if (!context_.types.holds_only_pointers(target.type)) {
    return false;
  }
  Binding place;
  place.kind = Binding::Kind::Object;
  place.path = target;
  const auto* construction = dyn_cast<CXXConstructExpr>(source);
  const auto* list = dyn_cast<InitListExpr>(source);
  const bool empty = isa<ImplicitValueInitExpr>(source);
  if (target.type->isArrayType()) {
    const bool none = empty || (construction && construction->getNumArgs() == 0) ||
                      (list && list->getNumInits() == 0);
    const auto name = none ? spell_path(place) : std::nullopt;
    if (name) {
      ir::Statement* statement = add(ir::Statement::Kind::Text, source->getExprLoc());
      statement->text = (raw ? "std::uninitialized_value_construct(std::begin(" + *name +
                                   "), std::end(" + *name + "))"
                             : "for (auto& link : " + *name + ") link = {}");
      if (!target.root->has_tangent) {
        statement->text_writes.push_back(target.root);
      }
    }
    return name.has_value();
  }
  const bool is_static = target.type->isPointerType() && is_static_pointer(source);
  const auto value = empty       ? std::optional(PointerText{"{}", {}})
                     : is_static ? std::nullopt
                                 : dynamic_pointer_text(source);
  const auto name = value ? spell_path(place) : std::nullopt;
  if (!name) {
    return false;
  }
  const std::string type = context_.names.type(target.type);
  ir::Statement* statement = add(ir::Statement::Kind::Text, source->getExprLoc());
  statement->text = raw && !target.type->isPointerType()
                        ? "::new (static_cast<void*>(std::addressof(" + *name + "))) " + type +
                              (empty ? value->text : "(" + value->text + ")")
                        : *name + " = " + value->text;
  note(statement, value->effects);
  if (!target.root->has_tangent) {
    statement->text_writes.push_back(target.root);
  }
  return true;
}

/// Hands over what only leads to memory: the callee reaches the same objects.
bool Lowering::passes_dynamic_pointer(ir::Statement* call, QualType parameter,
                                      const Expr* argument) {
  const QualType plain = parameter.getNonReferenceType();
  if (!context_.types.holds_only_pointers(plain)) {
    return false;
  }
  Argument passed;
  passed.is_constant = !parameter->isReferenceType() || plain.isConstQualified();
  passed.where = argument->getExprLoc();
  passed.type = plain;
  if (plain->isPointerType() && context_.types.is_dynamic_pointer(plain)) {
    if (!is_dynamic_pointer_value(argument) || parameter->isReferenceType()) {
      return false;
    }
    passed.kind = Argument::Kind::Value;
    passed.value = dynamic_pointer_value(argument);
    passed.in_memory = true;
    call->arguments.push_back(std::move(passed));
    return call->arguments.back().value != nullptr;
  }
  if (!parameter->isReferenceType() && context_.types.move_works(plain)) {
    const Path made = materialise(argument);  // The callee is handed its parameter by reference.
    passed.kind = Argument::Kind::Text;
    passed.text = hole(*made.root);
    passed.reads = {made.root};
    passed.is_constant = false;
    call->reads.push_back(made.root);
    call->text_writes.push_back(made.root);
    call->by_name = false;
    call->arguments.push_back(std::move(passed));
    return made.steps.empty() && made.root->kind == Root::Kind::Local;
  }
  const auto text = dynamic_pointer_text(argument);
  if (!text) {
    return false;
  }
  const Effects& found = text->effects;
  passed.kind = Argument::Kind::Text;
  passed.text = text->text;
  passed.reads.assign(found.reads.begin(), found.reads.end());
  call->reads.append(found.reads.begin(), found.reads.end());
  call->text_writes.append(found.writes.begin(), found.writes.end());
  if (!passed.is_constant) {
    for (Root* root : found.reads) {
      if (root->kind != Root::Kind::Memory && !root->has_tangent) {
        call->text_writes.push_back(root);
      }
    }
  }
  call->arguments.push_back(std::move(passed));
  return true;
}

/// An element of a vector in memory lies where the vector's own pointer says, now.
std::optional<Path> Lowering::element_in_memory(const Path& base, Value* index, QualType type) {
  const SourceLocation where = function_.key.function->getLocation();
  if (base.root->kind != Root::Kind::Memory ||
      Types::container(base.type) != Container::StdVector) {
    return std::nullopt;
  }
  Root* const vector = bind_alias(base, false, "vector", where).alias;
  Value* first = new_value(Value::Kind::Text, context_.ast.getPointerType(type), where);
  // A member of a constant object is constant, whatever its own type says.
  first->text =
      "const_cast<" + context_.names.type(first->type) + ">(" + hole(*vector) + ".data())";
  define(first);
  Value* place = index ? form("$0 + $1", first->type, {first, index}, where) : first;
  return pointee_path(place, type, where);
}

/// Notes that a call may reach memory: through its arguments, or as it makes what it returns.
void Lowering::note_memory(ir::Statement* call, QualType result) {
  const bool leads = llvm::any_of(call->arguments, [&](const Argument& argument) {
    switch (argument.kind) {
      case Argument::Kind::Value:
        return argument.in_memory;
      case Argument::Kind::Text:
        return !argument.type.isNull() && context_.types.holds_dynamic_pointer(argument.type);
      case Argument::Kind::Reference:
      case Argument::Kind::Pointer:
        return context_.types.holds_dynamic_pointer(argument.path.type);
    }
    return false;
  });
  if (!call->registered && (leads || context_.types.holds_dynamic_pointer(result))) {
    call->memory = memory();
  }
}

/// A virtual call of an object in memory: a branch for each class of the unit that it may have.
Value* Lowering::call_virtual_in_memory(
    const Path& object, const CXXMethodDecl* method, const Expr* source,
    llvm::function_ref<Value*(const CXXRecordDecl*, const Path&, std::optional<Path>*)> resolved,
    std::optional<Path>* reference) {
  const SourceLocation where = source->getExprLoc();
  const auto classes = context_.types.concrete_classes(method->getParent());
  if (source->isGLValue() || classes.empty()) {
    return unsupported(source, Diagnostic::UnsupportedVirtualCall,
                       {method->getQualifiedNameAsString()});
  }
  Value* const held = address_of(object, where);
  const Dispatch dispatch = begin_dispatch(source);
  for (const CXXRecordDecl* record : classes) {
    const QualType of = context_.ast.getRecordType(record);
    Value* test = form("ddx::detail::is_exactly<" + context_.names.type(of) + ">(*$0)",
                       context_.ast.BoolTy, {held}, where);
    add_target(dispatch, test, [&](std::optional<Path>* made) {
      const QualType qualified = object.type.isConstQualified() ? of.withConst() : of;
      const QualType pointer = context_.ast.getPointerType(qualified);
      Value* const exact =
          form("static_cast<" + context_.names.type(pointer) + ">($0)", pointer, {held}, where);
      Path target = pointee_path(exact, qualified, where);
      target.root->is_most_derived = true;
      return resolved(record, target, made);
    });
  }
  // Held once more, by a name that text can use.
  Path whole = object;
  Root* const last = bind_alias(whole, false, "object", where).alias;
  return end_dispatch(dispatch,
                      "ddx::detail::throw_unknown_class(" + hole(*last) + ", \"" +
                          method->getQualifiedNameAsString() + "\")",
                      {}, reference);
}

}  // namespace ddx::compiler
