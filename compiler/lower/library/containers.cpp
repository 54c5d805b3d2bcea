#include "compiler/lower/library/containers.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/arguments.h"
#include "compiler/lower/calls/calls.h"
#include "compiler/lower/calls/replacements.h"
#include "compiler/lower/effect_finder.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/expressions/initialisers.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/library/iterators.h"
#include "compiler/lower/library/sum_types.h"
#include "compiler/lower/path_steps.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/texts.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

bool Containers::container_call(const CXXMethodDecl* method, const Expr* source, const Expr* object,
                                llvm::ArrayRef<const Expr*> arguments, Value** value,
                                std::optional<Path>* reference) {
  const SourceLocation where = source->getExprLoc();
  const QualType type = context_.ast.getRecordType(method->getParent());
  const Container kind = Types::container(type);
  if (kind == Container::StdPair || kind == Container::StdComplex) {
    return false;
  }
  if (kind == Container::SumType) {
    return sum_types_.sum_type_member(method, source, object, arguments, value, reference);
  }
  if (kind == Container::StdMap) {
    return map_member(method, source, object, value);
  }
  const std::string name = method->getOverloadedOperator() == OO_Subscript ? "operator[]"
                           : method->getIdentifier() ? method->getNameAsString()
                                                     : "";
  const auto element_of = [&](Path path) {
    QualType element = context_.types.element(type).getUnqualifiedType();
    return path.type.isConstQualified() ? element.withConst() : element;
  };
  const auto rejected = [&] {
    *value = rejections_.unsupported(source, Diagnostic::UnsupportedContainerCall,
                                     {method->getQualifiedNameAsString()});
    return true;
  };
  const auto the_object = [&] { return places_.object_path(object); };
  if ((kind == Container::StdVector || kind == Container::StdDeque) &&
      method->getOverloadedOperator() == OO_Equal) {
    const Expr* given = arguments[0]->IgnoreImplicit();
    const auto* list = dyn_cast<CXXStdInitializerListExpr>(given);
    const auto* empty = dyn_cast<CXXConstructExpr>(given);  // `v = {}`: a list of no elements.
    const CXXRecordDecl* of = Types::record(given->getType());
    const bool clears = empty && empty->getNumArgs() == 0 && of && in_library(of) &&
                        of->getName() == "initializer_list";
    if (!list && !clears) {
      return false;
    }
    const auto to = the_object();
    if (clears && to) {
      ir::Statement* cleared = builder_.add(ir::Statement::Kind::Vector, where);
      cleared->path = *to;
      cleared->action = ir::Statement::VectorAction::Clear;
      *reference = to;
      return true;
    }
    if (!list) {
      return rejected();
    }
    *reference = to ? initialisers_.assign_elements(*to, list) : std::nullopt;
    return *reference ? true : rejected();
  }
  if (name == "operator[]" || name == "at") {
    const auto path = the_object();
    if (!path) {
      return rejected();
    }
    // The code that reads the element converts the index again.
    const auto* cast = dyn_cast<ImplicitCastExpr>(arguments[0]);
    const bool converts = cast && cast->getCastKind() == CK_IntegralCast;
    Value* index = expressions_.rvalue(converts ? cast->getSubExpr() : arguments[0]);
    if (name == "at") {  // Keep the check: an index out of range throws as before.
      ir::Statement* check = builder_.add(ir::Statement::Kind::Check, where);
      check->path = *path;
      check->value = index;
    }
    *reference = element_path(path, index, element_of(*path));
    return true;
  }
  if (name == "front" || name == "back") {
    const auto path = the_object();
    if (!path) {
      return rejected();
    }
    *reference = name == "back" ? last_element(*path, element_of(*path), where)
                                : element_path(path, nullptr, element_of(*path));
    return true;
  }
  static const llvm::StringRef iterators[] = {"data",   "begin",   "cbegin", "end",  "cend",
                                              "rbegin", "crbegin", "rend",   "crend"};
  if (llvm::is_contained(iterators, name) && context_.types.iterator(source->getType())) {
    *reference = iterators_.sequence_end(the_object(), name, source->getType(), where);
    return *reference ? true : rejected();
  }
  if (kind == Container::StdArray) {
    if (name == "fill") {
      const auto path = the_object();
      const Expr* with = arguments[0]->IgnoreParens();
      if (!path || !with->getType()->isScalarType()) {
        return rejected();
      }
      const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(with);
      const auto from = temporary ? std::nullopt : places_.lvalue(with);
      ir::Statement* filled = builder_.make(ir::Statement::Kind::Vector, where);
      filled->value = temporary ? expressions_.convert(expressions_.rvalue(temporary->getSubExpr()),
                                                       element_of(*path), where)
                      : from    ? builder_.load(*from, where)
                                : nullptr;
      filled->path = *path;
      filled->action = ir::Statement::VectorAction::Fill;
      builder_.append(filled);
      return true;
    }
    return false;
  }
  if (vector_member(name, source, object, arguments, reference)) {
    return true;
  }
  if (name == "push_back" || name == "emplace_back" || name == "push_front" ||
      name == "emplace_front") {
    const auto path = the_object();
    if (!path || arguments.size() != 1) {
      return rejected();
    }
    const QualType element = element_of(*path);
    ir::Statement* append = builder_.make(ir::Statement::Kind::Vector, where);
    const Expr* with = arguments[0]->IgnoreParens();
    const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(with);
    if (element->isScalarType()) {
      const auto from = temporary || !with->isGLValue() ? std::nullopt : places_.lvalue(with);
      Value* appended = temporary           ? expressions_.rvalue(temporary->getSubExpr())
                        : with->isGLValue() ? (from ? builder_.load(*from, where) : nullptr)
                                            : expressions_.rvalue(with);
      append->value = appended ? expressions_.convert(appended, element, where) : nullptr;
    } else if (const auto from =
                   temporary ? std::optional<Path>(places_.materialise(temporary->getSubExpr()))
                   : with->isGLValue() ? places_.lvalue(with)
                                       : std::nullopt) {
      append->value = builder_.load(*from, where);
    }
    if (!append->value) {
      return rejected();
    }
    append->path = *path;
    const bool behind = name.ends_with("back");
    append->action =
        behind ? ir::Statement::VectorAction::Append : ir::Statement::VectorAction::Prepend;
    builder_.append(append);
    if (!source->getType()->isVoidType()) {  // emplace_back, emplace_front
      *reference =
          behind ? last_element(*path, element, where) : element_path(path, nullptr, element);
    }
    return true;
  }
  if (name == "pop_back" || name == "pop_front" || name == "clear" || name == "resize" ||
      name == "assign") {
    const auto path = the_object();
    if (!path) {
      return rejected();
    }
    if (name == "assign" && (arguments.size() != 2 || !arguments[0]->getType()->isIntegerType())) {
      return rejected();
    }
    if (name == "resize" && arguments.size() != 1) {
      return rejected();
    }
    Value* count = arguments.empty() ? nullptr : expressions_.rvalue(arguments[0]);
    Value* fill = nullptr;
    if (name == "assign") {
      const Expr* with = arguments[1]->IgnoreParens();
      const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(with);
      const auto from = temporary ? std::nullopt : places_.lvalue(with);
      fill = temporary ? expressions_.convert(expressions_.rvalue(temporary->getSubExpr()),
                                              element_of(*path), where)
             : from    ? builder_.load(*from, where)
                       : nullptr;
      if (!fill || !fill->type->isScalarType()) {
        return rejected();
      }
    }
    ir::Statement* changed = builder_.add(ir::Statement::Kind::Vector, where);
    changed->path = *path;
    changed->action = name == "pop_back"    ? ir::Statement::VectorAction::RemoveLast
                      : name == "pop_front" ? ir::Statement::VectorAction::RemoveFirst
                      : name == "clear"     ? ir::Statement::VectorAction::Clear
                                            : ir::Statement::VectorAction::Resize;
    changed->count = count;
    if (fill) {
      ir::Statement* filled = builder_.add(ir::Statement::Kind::Vector, where);
      filled->path = *path;
      filled->action = ir::Statement::VectorAction::Fill;
      filled->value = fill;
    }
    return true;
  }
  if (name == "reserve" || name == "shrink_to_fit" || name == "size" || name == "empty" ||
      name == "capacity") {
    const bool moves = name == "reserve" || name == "shrink_to_fit";
    const auto vector = moves ? the_object() : std::nullopt;
    Effects found = effects_.of(source);
    found.lowers = false;
    if (const auto text = texts_.text_of(source)) {
      if (source->getType()->isVoidType()) {
        ir::Statement* kept = builder_.add(ir::Statement::Kind::Text, where);
        kept->text = *text;
        kept->reads.assign(found.reads.begin(), found.reads.end());
        kept->harmless = true;
        if (vector && name == "reserve") {
          kept->reserved = *vector;
        }
      } else {
        *value = texts_.text_value(source, found, *text);
      }
      return true;
    }
    const auto path = the_object();
    if (path && !source->getType()->isVoidType()) {
      const Binding alias = places_.bind_alias(*path, false, "sequence", where);
      Value* size = builder_.new_value(Value::Kind::Text, source->getType(), where);
      size->text = hole(*alias.alias) + "." + name + "()";
      size->reads = {alias.alias, path->root};
      size->cheap = true;
      builder_.define(size);
      *value = size;
      return true;
    }
    return rejected();
  }
  return false;
}

/// The members of maps: text where no value of the map has a derivative, else an error.
bool Containers::map_member(const CXXMethodDecl* method, const Expr* source, const Expr* object,
                            Value** value) {
  if (!context_.types.has_tangent(object->getType()->isPointerType()
                                      ? object->getType()->getPointeeType()
                                      : object->getType())) {
    return false;
  }
  *value = rejections_.unsupported(source, Diagnostic::UnsupportedContainerCall,
                                   {method->getQualifiedNameAsString()});
  function_.statements.back().always = true;
  return true;
}

/// The last element of the vector that `path` names.
std::optional<Path> Containers::last_element(const Path& path, QualType element,
                                             SourceLocation where) {
  const Binding alias = places_.bind_alias(path, false, "sequence", where);
  Value* index = builder_.new_value(Value::Kind::Text, context_.ast.getSizeType(), where);
  index->text = hole(*alias.alias) + ".size() - 1";
  index->reads = {alias.alias, path.root};
  index->cheap = true;
  builder_.define(index);
  return element_path(path, index, element);
}

/// Members whose meaning a function of vector_members.h says.
bool Containers::vector_member(llvm::StringRef name, const Expr* source, const Expr* object,
                               llvm::ArrayRef<const Expr*> arguments,
                               std::optional<Path>* reference) {
  const QualType element = context_.types.element(
      object->getType()->isPointerType() ? object->getType()->getPointeeType() : object->getType());
  const bool plain_emplace =
      arguments.size() == 1 &&
      (element->isScalarType() ||
       context_.ast.hasSameUnqualifiedType(arguments[0]->getType().getNonReferenceType(), element));
  const bool known = name == "insert" || name == "erase" || name == "emplace" || name == "swap" ||
                     (name == "assign" && !(arguments.size() == 2 && element->isScalarType() &&
                                            arguments[0]->getType()->isIntegerType())) ||
                     (name == "resize" && arguments.size() == 2) ||
                     (name == "emplace_back" && !plain_emplace);
  if (!known || object->getType()->isPointerType()) {
    return false;
  }
  llvm::SmallVector<const Expr*> with_object = {object};
  with_object.append(arguments.begin(), arguments.end());
  const FunctionDecl* plain = replacements_.plain_function(
      name == "swap" ? name.str() : "vector_" + name.str(), with_object);
  if (!plain) {
    return false;
  }
  calls_.lower_call(plain, source, nullptr, with_object, reference);
  if (name == "emplace_back" && !source->getType()->isVoidType()) {
    const Effects again = effects_.of(object);  // The object is named once more.
    const auto path = again.writes.empty() ? places_.lvalue(object) : std::nullopt;
    *reference = path ? last_element(*path, element.getUnqualifiedType(), source->getExprLoc())
                      : std::nullopt;
  }
  return true;
}

bool Containers::call_on(Path target, llvm::StringRef name, const Expr* source,
                         llvm::ArrayRef<const Expr*> arguments) {
  target.type = target.type.getUnqualifiedType();
  auto* object = new (context_.ast) OpaqueValueExpr(source->getExprLoc(), target.type, VK_LValue);
  llvm::SmallVector<const Expr*> with_object = {object};
  with_object.append(arguments.begin(), arguments.end());
  const FunctionDecl* plain = replacements_.plain_function(name, with_object);
  const FunctionDecl* body = plain ? replacements_.visible_body(plain) : nullptr;
  if (!body) {
    return false;
  }
  ir::Statement* made = builder_.make(ir::Statement::Kind::Call, source->getExprLoc());
  made->callee = body;
  made->by_name = true;
  arguments_.expand_path(made, target, false, false);
  for (unsigned i = 0; i < arguments.size(); ++i) {
    if (!arguments_.expand_argument(made, plain->getParamDecl(i + 1)->getType(), arguments[i])) {
      return false;
    }
  }
  arguments_.emit_call(made, context_.ast.VoidTy);
  return true;
}

bool Containers::inactive_elements_call(const CallSite& site) {
  const QualType type = context_.ast.getRecordType(site.method->getParent());
  if (context_.types.has_tangent(type) || !site.source->getType()->isVoidType()) {
    return false;
  }
  const Effects found = effects_.of(site.source);
  const auto text = found.lowers ? std::nullopt : texts_.text_of(site.source);
  if (!text || context_.types.holds_dynamic_pointer(type) ||
      Types::container(type) != Container::StdVector ||
      !Types::record(context_.types.element(type))) {
    return false;
  }
  ir::Statement* kept = builder_.add(ir::Statement::Kind::Text, site.where());
  kept->text = *text;
  effects_.note(kept, found);
  return true;
}

std::optional<Value*> Containers::lower_by_rule(const CallSite& site) {
  if (!site.object.expression || !site.method) {
    return std::nullopt;
  }
  if (inactive_elements_call(site)) {
    return nullptr;
  }
  const QualType type = context_.ast.getRecordType(site.method->getParent());
  Value* value = nullptr;
  return Types::container(type) != Container::None &&
                 container_call(site.method, site.source, site.object.expression, site.arguments,
                                &value, site.reference)
             ? std::optional(value)
             : std::nullopt;
}

}  // namespace ddx::compiler
