/// Functions known at run time only: std::functions in containers and members, and pointers to
/// functions. What a std::function of this unit captures lies in memory, where its copies share it;
/// a call is a branch for each function that the unit may have put there.

#include "compiler/lower/lowering.h"
#include "compiler/lower/moving_expressions.h"

#include "clang/AST/RecordLayout.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// The object that `expression` names, moved or not.
const Expr* below_moves(const Expr* expression) {
  for (;;) {
    expression = below_copies(expression);
    const auto* call = dyn_cast<CallExpr>(expression);
    if (!call || !call->getDirectCallee() || call->getNumArgs() != 1 ||
        !in_library(call->getDirectCallee()) || !call->getDirectCallee()->getIdentifier() ||
        call->getDirectCallee()->getName() != "move") {
      return expression;
    }
    expression = call->getArg(0);
  }
}

/// True for an object that says by its members what a call of it does; text alone makes the others.
bool is_function_with_members(const Expr* object) {
  const CXXRecordDecl* record = Types::record(object->getType());
  const CXXMethodDecl* method = record && !in_library(record) ? call_operator(record) : nullptr;
  const auto* lambda = dyn_cast<LambdaExpr>(object);
  return method && !record->isEmpty() && !(lambda && is_closed(*lambda));
}

/// True where nothing changes what `variable` names as long as its function runs.
bool is_never_changed(const VarDecl* variable) {
  const QualType type = variable->getType();
  if (!type->isReferenceType()) {
    return true;
  }
  const auto* function = dyn_cast_or_null<FunctionDecl>(variable->getParentFunctionOrMethod());
  const auto* method = dyn_cast_or_null<CXXMethodDecl>(function);
  return isa<ParmVarDecl>(variable) && type.getNonReferenceType().isConstQualified() && function &&
         !(method && method->isInstance() && !method->isConst()) &&
         llvm::all_of(function->parameters(), [](const ParmVarDecl* parameter) {
           const QualType of = parameter->getType();
           return !(of->isPointerType() || of->isReferenceType()) ||
                  of->getPointeeType().isConstQualified();
         });
}

/// True for what no lambda in memory may capture: what a parameter takes apart (objects with
/// references, views of active values and iterators among them), and what leads to active values.
bool is_capture_refused(QualType type, Types& types) {
  return types.is_scalarized(type) || types.viewed(type) || types.iterator(type) ||
         (type->isPointerType() && types.may_hold_real(type));
}

/// True for a lambda that keep_captures refuses, so that no std::function made here holds one.
bool is_never_kept(const CXXRecordDecl* lambda, Types& types) {
  const bool names_all = llvm::all_of(lambda->captures(), [](const LambdaCapture& capture) {
    return capture.capturesVariable();  // And not `this`.
  });
  return !names_all || llvm::any_of(lambda->fields(), [&](const FieldDecl* field) {
    const QualType type = field->getType().getNonReferenceType();
    return Types::is_closure(type) ? is_never_kept(Types::record(type), types)
                                   : is_capture_refused(type, types);
  });
}

}  // namespace

/// The object that a std::function is made of or assigned, or that is put among others; null for
/// functions and for what text can make.
const Expr* Lowering::function_to_keep(const Expr* source) {
  if (const auto* construction = dyn_cast<CXXConstructExpr>(source)) {
    if (!Types::is_function_object(construction->getType()) || construction->getNumArgs() != 1) {
      return nullptr;
    }
    const Expr* object = below_moves(construction->getArg(0));
    return is_function_with_members(object) ? object : nullptr;
  }
  return nullptr;
}

/// A function object that is handed to the library, which makes a std::function of it.
const Expr* Lowering::function_argument_to_keep(const CallExpr* call, const Expr* argument) {
  const FunctionDecl* callee = call->getDirectCallee();
  const auto* method = dyn_cast_or_null<CXXMethodDecl>(callee);
  if (!method || !in_library(callee) || !method->isInstance()) {
    return nullptr;
  }
  const QualType type = context_.ast.getRecordType(method->getParent());
  const bool assigned =
      Types::is_function_object(type) && method->getOverloadedOperator() == OO_Equal;
  const bool emplaced = callee->getIdentifier() && callee->getName().starts_with("emplace") &&
                        context_.types.holds_only_pointers(type);
  const Expr* object = below_moves(argument);
  return (assigned || emplaced) && is_function_with_members(object) ? object : nullptr;
}

/// The text of a function object that holds a copy of `object` in memory; nothing where that cannot
/// be made.
std::optional<std::string> Lowering::kept_function(const Expr* object) {
  if (Types::is_function_object(object->getType())) {  // A variable that denotes a lambda.
    return kept_function(fixed_target(object), object);
  }
  const CXXRecordDecl* record = Types::record(object->getType());
  if (!record->isLambda()) {
    Binding made;
    made.kind = Binding::Kind::Functor;
    made.function = call_operator(record);
    return kept_function(made, object);
  }
  return kept_function(scalarized(object), object);
}

/// The same of what `target` denotes; `object` is its expression.
std::optional<std::string> Lowering::kept_function(const Binding& target, const Expr* object) {
  const SourceLocation where = object->getExprLoc();
  const bool is_lambda = target.kind == Binding::Kind::Closure;
  if (!is_lambda && target.kind != Binding::Kind::Functor) {
    return std::nullopt;
  }
  const CXXRecordDecl* record =
      is_lambda ? target.closure->record : cast<CXXMethodDecl>(target.function)->getParent();
  const CXXMethodDecl* method = call_operator(record);
  if (!method || !method->isConst()) {  // Copies have states of their own.
    lose(object, Diagnostic::UnsupportedStoredState);
    return std::nullopt;
  }
  const QualType type = context_.ast.getRecordType(record);
  const std::string spelled = context_.names.type(type);
  if (!is_lambda && !is_made_of_numbers(type)) {
    return std::nullopt;
  }
  Root* made = new_root(Root::Kind::Local, "function", context_.ast.getPointerType(type), where);
  made->is_dynamic_pointer = true;
  ir::Statement* declaration = declare_local(made, where);
  declaration->text = " = ddx::detail::allocate<" + spelled + ">()";
  const std::string guard = unique("unfinished");
  const auto add_plain = [&](std::string text) {
    ir::Statement* statement = add(ir::Statement::Kind::Text, where);
    statement->text = std::move(text);
    statement->harmless = true;
  };
  add_plain("ddx::detail::Unfinished<" + spelled + "> " + guard + "(" + hole(*made) + ")");
  const Path place = pointee_path(value_in(*made, where), type, where);
  std::string others;
  if (!is_lambda) {
    initialise(place, object, true);
  } else if (!keep_captures(*target.closure, place, object, others)) {
    return std::nullopt;
  }
  add_plain(guard + ".finish()");
  return "ddx::detail::KeptFunction<" + spelled + ">(" + hole(*made) +
         (others.empty() ? "" : ", {" + others + "}") + ")";
}

/// Gives the captures of a lambda in raw memory their values. `others`: text of owners of what its
/// references refer to.
bool Lowering::keep_captures(const ScalarizedObject& scalarized, const Path& place,
                             const Expr* source, std::string& others) {
  const CXXRecordDecl* const record = scalarized.record;
  const SourceLocation where = place.root->where;
  Root* const object = bind_alias(place, false, "captures", where).alias;
  const auto add_plain = [&](std::string text) {
    ir::Statement* statement = add(ir::Statement::Kind::Text, where);
    statement->text = std::move(text);
    statement->harmless = true;
    return statement;
  };
  auto capture = scalarized.captures.begin();
  auto written = record->captures_begin();
  for (const FieldDecl* field : record->fields()) {
    const Binding& value = *capture++;
    const LambdaCapture& as_written = *written++;
    const QualType type = field->getType();
    const auto refuse = [&] {
      ir::Statement* rejected = add(ir::Statement::Kind::Unsupported, as_written.getLocation());
      rejected->diagnostic = Diagnostic::UnsupportedStoredCapture;
      rejected->facts = {
          as_written.capturesVariable() ? as_written.getCapturedVar()->getNameAsString() : "this"};
      rejected->always = true;
      return false;
    };
    const bool is_lambda = Types::is_closure(type.getNonReferenceType());
    if (as_written.capturesThis() || !as_written.capturesVariable() ||
        (!is_lambda && is_capture_refused(type.getNonReferenceType(), context_.types))) {
      return refuse();
    }
    if (value.kind == Binding::Kind::Closure && is_lambda && !type->isReferenceType()) {
      if (!keep_captures(*value.closure, field_path(place, field), source, others)) {
        return false;
      }
      continue;
    }
    const bool is_target =
        value.kind == Binding::Kind::Function ||
        (value.kind == Binding::Kind::Closure && Types::is_function_object(type));
    if (is_target && !type->isReferenceType()) {  // Of a std::function with that target.
      const auto text = value.kind == Binding::Kind::Function
                            ? std::optional("&" + context_.names.function(value.function))
                            : kept_function(value, source);
      if (!text) {
        return false;
      }
      Root* const target = bind_alias(field_path(place, field), false, "place", where).alias;
      const std::string held = context_.names.type(type.getUnqualifiedType());
      add_plain("::new (ddx::detail::raw(" + hole(*target) + ")) " + held + "(" + *text + ")");
      continue;
    }
    if (value.kind != Binding::Kind::Object || !value.path.root) {
      return refuse();
    }
    if (!type->isReferenceType()) {
      if (!keep_value(value, field_path(place, field))) {
        return refuse();
      }
      continue;
    }
    Root* target = nullptr;
    if (value.path.root->kind == Root::Kind::Memory) {
      target = bind_alias(value.path, false, "captured", where).alias;
    } else {
      const auto* variable = dyn_cast<VarDecl>(as_written.getCapturedVar());
      const QualType held = type.getNonReferenceType().getUnqualifiedType();
      if (!variable || is_rebound(variable) || !is_never_changed(variable) ||
          held->isPointerType() || context_.types.holds_dynamic_pointer(held)) {
        return refuse();
      }
      // It stays as it is: the reference may as well refer to a copy.
      Root* copy = new_root(Root::Kind::Local, "copy", context_.ast.getPointerType(held), where);
      copy->is_dynamic_pointer = true;
      ir::Statement* declaration = declare_local(copy, where);
      declaration->text = " = ddx::detail::allocate<" + context_.names.type(held) + ">()";
      const Path of_copy = pointee_path(value_in(*copy, where), held, where);
      if (!keep_value(value, of_copy)) {
        return refuse();
      }
      others +=
          (others.empty() ? "" : ", ") + ("ddx::detail::Shared<const void>(" + hole(*copy) + ")");
      target = bind_alias(of_copy, false, "captured", where).alias;
    }
    const std::uint64_t bits =
        context_.ast.getASTRecordLayout(record).getFieldOffset(field->getFieldIndex());
    add_plain("ddx::detail::bind_reference(&" + hole(*object) + ", " +
              std::to_string(
                  context_.ast.toCharUnitsFromBits(static_cast<std::int64_t>(bits)).getQuantity()) +
              ", " + hole(*target) + ")");
  }
  return true;
}

/// Copies an object into raw memory.
bool Lowering::keep_value(const Binding& value, Path place) {
  const SourceLocation where = place.root->where;
  const QualType type = place.type.getUnqualifiedType();
  if (place.type.isConstQualified()) {  // Only once it is made.
    Root* const constant = bind_alias(place, false, "place", where).alias;
    Root* pointer = new_root(Root::Kind::Local, "place", context_.ast.getPointerType(type), where);
    pointer->is_dynamic_pointer = true;
    ir::Statement* declaration = declare_local(pointer, where);
    declaration->text = " = const_cast<" + context_.names.type(pointer->type) +
                        ">(std::addressof(" + hole(*constant) + "))";
    place = pointee_path(value_in(*pointer, where), type, where);
  }
  if (context_.types.has_tangent(type) && !type->isPointerType()) {
    if (!is_made_of_numbers(type)) {
      return false;
    }
    construct(place, load(value.path, where), true, where);
    return true;
  }
  if (context_.types.has_tangent(type) || Types::is_closure(type) ||
      (type->isPointerType() && context_.types.may_hold_real(type))) {
    return false;
  }
  Root* const given = bind_alias(value.path, false, "given", where).alias;
  Root* const target = bind_alias(place, false, "place", where).alias;
  ir::Statement* made = add(ir::Statement::Kind::Text, where);
  made->text = "::new (static_cast<void*>(std::addressof(" + hole(*target) + "))) " +
               context_.names.type(type) + "(" + hole(*given) + ")";
  made->reads = {value.path.root};
  return true;
}

/// What the captures of a lambda in memory denote. `spelled`: the lambda, as text.
Binding Lowering::captures_in_memory(const Path& place, const std::string& spelled) {
  const SourceLocation where = place.root->where;
  Binding made;
  made.kind = Binding::Kind::Closure;
  made.closure = std::make_shared<ScalarizedObject>();
  made.closure->record = Types::record(place.type);
  for (const FieldDecl* field : made.closure->record->fields()) {
    const QualType type = field->getType();
    const std::string text = "(" + spelled + ")." + context_.names.field(field);
    Binding member;
    member.kind = Binding::Kind::Object;
    if (type->isReferenceType()) {
      const QualType target = type.getNonReferenceType();
      Root* root =
          new_root(Root::Kind::Local, "captured", context_.ast.getPointerType(target), where);
      root->is_dynamic_pointer = true;
      ir::Statement* declaration = declare_local(root, where);
      declaration->text = " = std::addressof(" + text + ")";
      declaration->reads = {memory()};
      member.path = pointee_path(value_in(*root, where), target, where);
      if (Types::is_closure(target)) {
        member = captures_in_memory(member.path, "*" + hole(*root));
      }
    } else if (Types::is_closure(type)) {
      member = captures_in_memory(field_path(place, field), text);
    } else if (type->isScalarType() && !context_.types.has_tangent(type)) {
      Root* root = new_root(Root::Kind::Local, "captured", type.withConst(), where);
      root->has_tangent = false;
      ir::Statement* declaration = declare_local(root, where);
      declaration->text = " = " + text;
      declaration->reads = {memory()};
      member.path.root = root;
      member.path.type = root->type;
    } else {
      member.path = field_path(place, field);
    }
    made.closure->captures.push_back(std::move(member));
  }
  return made;
}

/// A call of what `target` holds when the program runs.
Value* Lowering::call_stored_function(const Expr* target, const Expr* source,
                                      llvm::ArrayRef<const Expr*> arguments,
                                      std::optional<Path>* reference) {
  const SourceLocation where = source->getExprLoc();
  while (target->getType()->isFunctionType()) {
    const auto* operation = dyn_cast<UnaryOperator>(target);
    if (!operation || operation->getOpcode() != UO_Deref) {
      return unsupported(source, Diagnostic::UnsupportedFunctionPointer);
    }
    target = operation->getSubExpr()->IgnoreParens();
  }
  const QualType held =
      target->getType().getNonReferenceType().getCanonicalType().getUnqualifiedType();
  const bool is_object = Types::is_function_object(held);
  const StoredFunctions& stored = context_.types.stored_functions(held);
  if (source->isGLValue() || (is_object && !target->isGLValue()) ||
      (stored.operators.empty() && stored.functions.empty())) {
    return unsupported(source, Diagnostic::UnsupportedFunctionPointer);
  }
  const auto declare_as = [&](const char* name, QualType pointer) {
    Root* root = new_root(Root::Kind::Local, name, pointer, where);
    root->is_dynamic_pointer = true;
    ir::Statement* declaration = declare_local(root, where);
    return declaration;
  };
  Root* holder = nullptr;
  if (is_object) {
    const auto text = dynamic_pointer_text(target);
    if (!text) {
      return unsupported(source, Diagnostic::UnsupportedFunctionPointer);
    }
    ir::Statement* declaration = declare_as("held", context_.ast.getPointerType(held.withConst()));
    declaration->text = " = std::addressof(" + text->text + ")";
    note(declaration, text->effects);
    holder = declaration->root;
  } else {
    Value* value = target->isGLValue() ? read(target, where) : rvalue(target);
    if (!value) {
      return nullptr;
    }
    ir::Statement* declaration = declare_as("held", held);
    declaration->value = value;
    holder = declaration->root;
  }
  const std::string named = is_object ? "*" + hole(*holder) : hole(*holder);
  const Dispatch dispatch = begin_dispatch(source);
  const auto add_branch = [&](const std::string& condition, const Root& reads,
                              llvm::function_ref<Binding()> meant) {
    Value* test = new_value(Value::Kind::Text, context_.ast.BoolTy, where);
    test->text = condition;
    test->reads = {const_cast<Root*>(&reads)};
    define(test);
    add_target(dispatch, test, [&](std::optional<Path>* made) {
      return call_target(meant(), source, arguments, made);
    });
  };
  for (const CXXMethodDecl* method : stored.operators) {
    const CXXRecordDecl* record = method->getParent();
    if (!method->isConst() || (record->isLambda() && is_never_kept(record, context_.types))) {
      continue;
    }
    const QualType object = context_.ast.getRecordType(record).withConst();
    ir::Statement* declaration = declare_as("function", context_.ast.getPointerType(object));
    declaration->text = " = ddx::detail::held_function<" +
                        context_.names.type(object.getUnqualifiedType()) + ">(" + named + ")";
    declaration->reads = {holder, memory()};
    Root* const pointer = declaration->root;
    add_branch("(" + hole(*pointer) + " != nullptr)", *pointer, [&] {
      const Path place = pointee_path(value_in(*pointer, where), object, where);
      if (record->isLambda()) {
        Binding lambda = captures_in_memory(place, "*" + hole(*pointer));
        lambda.function = method;
        return lambda;
      }
      Binding made;
      made.kind = Binding::Kind::Functor;
      made.function = method;
      made.path = place;
      return made;
    });
  }
  for (const FunctionDecl* function : stored.functions) {
    const bool builtin = function->getBuiltinID() != 0 && !function->isInStdNamespace();
    const std::string name =
        builtin ? function->getNameAsString() : context_.names.function(function);
    const std::string condition = is_object
                                      ? "ddx::detail::holds_function(" + named + ", &" + name + ")"
                                      : "(" + named + " == &" + name + ")";
    add_branch(condition, *holder, [&] {
      Binding made;
      made.kind = Binding::Kind::Function;
      made.function = function;
      return made;
    });
  }
  return end_dispatch(dispatch, "ddx::detail::throw_unknown_function(" + named + ")", {holder},
                      reference);
}

}  // namespace ddx::compiler
