#include "compiler/lower/library/views.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/arguments.h"
#include "compiler/lower/calls/inlining.h"
#include "compiler/lower/calls/replacements.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/expressions/initialisers.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/expressions/synthesised_code.h"
#include "compiler/lower/library/iterators.h"
#include "compiler/lower/library/moving_expressions.h"
#include "compiler/lower/path_steps.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/statements/declarations.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

/// A view of the elements from `first` on, as many as `count` says.
Binding Views::make_view(Path first, Value* count, QualType type, SourceLocation where) {
  const QualType size = context_.ast.getSizeType();
  count = expressions_.convert(count, size, where);
  Binding made;
  made.kind = Binding::Kind::View;
  made.extent = builder_.new_root(Root::Kind::Local, "extent", size, where);
  builder_.declare_local(made.extent, where)->value = count;
  first.type = *Types::view_element(type);
  const bool by_itself = first.steps.size() == 1 && first.steps[0].index.empty() &&
                         first.root->kind == Root::Kind::Pointer;
  if (!by_itself) {
    made.alias = places_.bind_alias(first, true, "elements", where).alias;
  }
  made.iterator = type.getNonReferenceType().getUnqualifiedType();
  made.path = std::move(first);
  return made;
}

std::optional<std::string> Views::spell_view(const Binding& view) {
  if (Types::record(view.iterator)->getName() != "span") {
    return std::nullopt;
  }
  return context_.names.type(view.iterator) + "(" +
         hole(view.alias ? *view.alias : *view.path.root) + ", " + hole(*view.extent) + ")";
}

void Views::expand_view(ir::Statement* made, const Binding& view) {
  arguments_.expand_path(made, view.path, true, view.path.type.isConstQualified());
  Argument count;
  count.value = extent_of(view, context_.ast.getSizeType(), made->where);
  count.is_constant = true;
  made->arguments.push_back(std::move(count));
  made->by_name = false;
}

Value* Views::extent_of(const Binding& view, QualType type, SourceLocation where) {
  Value* count = builder_.new_value(Value::Kind::Text, type, where);
  count->text = context_.ast.hasSameUnqualifiedType(type, view.extent->type)
                    ? hole(*view.extent)
                    : "static_cast<" + context_.names.type(type) + ">(" + hole(*view.extent) + ")";
  count->reads = {view.extent};
  count->cheap = true;
  builder_.define(count);
  return count;
}

/// The elements of an array, a vector or a view that `expression` names.
std::optional<Binding> Views::view_of_range(const Expr* expression, QualType type) {
  const SourceLocation where = expression->getExprLoc();
  if (context_.types.viewed(expression->getType())) {
    return view(expression);
  }
  const Expr* range = below_copies(expression);
  const Container kind = Types::container(range->getType());
  if (!range->isGLValue() ||
      (kind != Container::CArray && kind != Container::StdArray && kind != Container::StdVector)) {
    return std::nullopt;
  }
  const auto path = places_.lvalue(range);
  if (!path) {
    return std::nullopt;
  }
  const Binding alias = places_.bind_alias(*path, false, "sequence", where);
  Value* count = builder_.new_value(Value::Kind::Text, context_.ast.getSizeType(), where);
  count->text = "std::size(" + hole(*alias.alias) + ")";
  count->reads = {alias.alias, path->root};
  count->cheap = true;
  builder_.define(count);
  return make_view(*element_path(path, nullptr, context_.types.element(path->type)), count, type,
                   where);
}

/// `{a, b}`: its elements are an array of their own.
std::optional<Binding> Views::view_of_list(const CXXStdInitializerListExpr* list) {
  const SourceLocation where = list->getExprLoc();
  const Expr* elements = below_copies(list->getSubExpr());
  const auto* array = context_.ast.getAsConstantArrayType(elements->getType());
  if (!array || !isa<InitListExpr>(elements)) {
    return std::nullopt;
  }
  const QualType element = array->getElementType().getUnqualifiedType();
  const QualType whole = context_.ast.getConstantArrayType(element, array->getSize(), nullptr,
                                                           ArraySizeModifier::Normal, 0);
  Path path;
  path.type = whole;
  path.root = builder_.new_root(Root::Kind::Local, "list", whole, where);
  builder_.keep(path.root);
  initialisers_.declare_object(path.root, elements);
  Value* count = builder_.literal(std::to_string(array->getSize().getZExtValue()),
                                  context_.ast.getSizeType(), where);
  return make_view(*element_path(path, nullptr, element.withConst()), count, list->getType(),
                   where);
}

std::optional<Binding> Views::view(const Expr* expression) {
  expression = expression->IgnoreParens();
  const SourceLocation where = expression->getExprLoc();
  const QualType type = expression->getType();
  if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(expression)) {
    return view(temporary->getSubExpr());
  }
  if (const auto* cleanups = dyn_cast<ExprWithCleanups>(expression)) {
    return view(cleanups->getSubExpr());
  }
  if (const auto* with_default = dyn_cast<CXXDefaultArgExpr>(expression)) {
    return view(with_default->getExpr());
  }
  if (const auto* list = dyn_cast<CXXStdInitializerListExpr>(expression)) {
    return view_of_list(list);
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(expression)) {
    const auto found = scope_.bindings.find(dyn_cast<VarDecl>(reference->getDecl()));
    return found != scope_.bindings.end() && found->second.kind == Binding::Kind::View
               ? std::optional(found->second)
               : std::nullopt;
  }
  if (const auto part = synthesised_code_.capture_of(expression)) {
    return part->kind == Binding::Kind::View ? part : std::nullopt;
  }
  if (const auto* cast = dyn_cast<CastExpr>(expression)) {
    return view(cast->getSubExpr());
  }
  if (const auto* construction = dyn_cast<CXXConstructExpr>(expression)) {
    unsigned given = 0;
    while (given < construction->getNumArgs() &&
           !isa<CXXDefaultArgExpr>(construction->getArg(given))) {
      ++given;
    }
    if (given == 1) {
      auto made = view_of_range(construction->getArg(0), type);
      if (made) {
        made->iterator = type.getUnqualifiedType();
      }
      return made;
    }
    if (given != 2) {
      return std::nullopt;
    }
    const Expr* last = below_copies(construction->getArg(1));
    const auto first = places_.pointer(construction->getArg(0));
    if (!first || first->steps.empty() || !first->steps.back().is_element()) {
      return std::nullopt;
    }
    if (last->getType()->isIntegerType()) {
      return make_view(*first, expressions_.rvalue(construction->getArg(1)), type, where);
    }
    const auto end = places_.pointer(construction->getArg(1));
    if (!end || end->steps.empty() || !iterators_.same_sequence(*first, *end)) {
      return std::nullopt;
    }
    Value* count = builder_.form(
        "$0 - $1", context_.ast.getPointerDiffType(),
        {iterators_.position_of(*end, where), iterators_.position_of(*first, where)}, where);
    return make_view(*first, count, type, where);
  }
  const auto* call_expression = dyn_cast<CallExpr>(expression);
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(expression)) {
    return part_of_view(member);
  }
  const FunctionDecl* callee = call_expression ? call_expression->getDirectCallee() : nullptr;
  if (callee && in_library(callee) && callee->getIdentifier() &&
      call_expression->getNumArgs() == 1 &&
      (callee->getName() == "move" || callee->getName() == "as_const")) {
    return view(call_expression->getArg(0));
  }
  const FunctionDecl* body =
      callee && !in_library(callee) ? replacements_.visible_body(callee) : nullptr;
  if (!body || isa<CXXOperatorCallExpr>(expression)) {
    return std::nullopt;
  }
  llvm::SmallVector<const Expr*> arguments(call_expression->arg_begin(),
                                           call_expression->arg_end());
  const Binding made = inlining_.inline_call(body, expression, {}, arguments);
  return made.kind == Binding::Kind::View ? std::optional(made) : std::nullopt;
}

/// `s.subspan(i, n)`, `s.first(n)`, `s.last(n)`, and with the numbers as template arguments.
std::optional<Binding> Views::part_of_view(const CXXMemberCallExpr* call_expression) {
  const CXXMethodDecl* method = call_expression->getMethodDecl();
  const SourceLocation where = call_expression->getExprLoc();
  const bool known = method && method->getIdentifier() && in_library(method) &&
                     (method->getName() == "subspan" || method->getName() == "first" ||
                      method->getName() == "last");
  if (!known) {
    return std::nullopt;
  }
  const auto whole = view(call_expression->getImplicitObjectArgument());
  if (!whole) {
    return std::nullopt;
  }
  const QualType size = context_.ast.getSizeType();
  llvm::SmallVector<Value*, 2> given;
  for (const Expr* argument : call_expression->arguments()) {
    if (!isa<CXXDefaultArgExpr>(argument)) {
      given.push_back(expressions_.convert(expressions_.rvalue(argument), size, where));
    }
  }
  if (const auto* numbers = method->getTemplateSpecializationArgs()) {
    for (const TemplateArgument& number : numbers->asArray()) {
      const bool is_number = number.getKind() == TemplateArgument::Integral;
      if (is_number && !number.getAsIntegral().isAllOnes()) {  // std::dynamic_extent: the rest.
        given.push_back(
            builder_.literal(std::to_string(number.getAsIntegral().getZExtValue()), size, where));
      }
    }
  }
  if (given.empty()) {
    return std::nullopt;
  }
  Path first = whole->path;
  Value* count = given[0];
  if (method->getName() != "first") {
    Value* rest = builder_.form("$0 - $1", size, {extent_of(*whole, size, where), given[0]}, where);
    const bool from_end = method->getName() == "last";
    first = *offset(first, from_end ? rest : given[0]);
    count = from_end ? given[0] : given.size() > 1 ? given[1] : rest;
  }
  return make_view(first, count, call_expression->getType(), where);
}

void Views::declare_view(const VarDecl* variable) {
  const auto made = variable->getInit() ? view(variable->getInit()) : std::nullopt;
  const bool moves = !variable->getType()->isReferenceType() && body_around(variable) &&
                     may_change(variable, body_around(variable));
  if (!made || moves) {
    return declarations_.reject_declaration(variable, Diagnostic::UnsupportedView,
                                            {variable->getNameAsString()});
  }
  scope_.bindings[variable] = *made;
}

bool Views::view_call(const CXXMethodDecl* method, const Expr* source, const Expr* object,
                      llvm::ArrayRef<const Expr*> arguments, Value** value,
                      std::optional<Path>* reference) {
  if (!object || !in_library(method) || !context_.types.viewed(object->getType())) {
    return false;
  }
  const SourceLocation where = source->getExprLoc();
  const auto rejected = [&] {
    *value = rejections_.unsupported(source, Diagnostic::UnsupportedContainerCall,
                                     {method->getQualifiedNameAsString()});
    return true;
  };
  const auto viewed = view(object);
  if (!viewed) {
    return rejected();
  }
  const QualType size = context_.ast.getSizeType();
  const QualType element = *context_.types.viewed(object->getType());
  const llvm::StringRef name = method->getIdentifier() ? method->getName() : "";
  if (name == "size") {
    *value = extent_of(*viewed, size, where);
    return true;
  }
  if (name == "empty") {
    *value =
        builder_.form("$0 == 0", context_.ast.BoolTy, {extent_of(*viewed, size, where)}, where);
    return true;
  }
  std::optional<Path> path = viewed->path;
  if (method->getOverloadedOperator() == OO_Subscript) {
    path = offset(path, expressions_.rvalue(arguments[0]));
  } else if (name == "back") {
    path = offset(offset(path, extent_of(*viewed, context_.ast.getPointerDiffType(), where)),
                  builder_.literal("-1", context_.ast.getPointerDiffType(), where));
  } else if (const auto kind = context_.types.iterator(source->getType());
             kind && source->isPRValue()) {
    if (name != "data" && name.ends_with("end") != kind->reversed) {
      path = offset(path, extent_of(*viewed, context_.ast.getPointerDiffType(), where));
    }
  } else if (name != "front") {
    return rejected();
  }
  path->type = element;
  *reference = path;
  return true;
}

std::optional<Value*> Views::lower_by_rule(const CallSite& site) {
  Value* value = nullptr;
  return site.method && !site.object.known &&
                 view_call(site.method, site.source, site.object.expression, site.arguments, &value,
                           site.reference)
             ? std::optional(value)
             : std::nullopt;
}

}  // namespace ddx::compiler
