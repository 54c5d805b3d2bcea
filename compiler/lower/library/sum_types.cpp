// std::optional and std::variant: objects with a place for each alternative, and at run time the
// number of the one that is held.

#include "compiler/lower/library/sum_types.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/calls.h"
#include "compiler/lower/effect_finder.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/library/tuples.h"
#include "compiler/lower/path_steps.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/texts.h"
#include "compiler/support/function_names.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

bool names_class(QualType type, llvm::StringRef name) {
  const CXXRecordDecl* record = Types::record(type);
  return record && in_library(record) && record->getIdentifier() && record->getName() == name;
}

}  // namespace

/// An integer that text over the name of `path` gives: `HOLE` followed by `behind`.
Value* SumTypes::text_about(const Path& path, const std::string& behind, QualType type,
                            SourceLocation where) {
  const Binding alias = places_.bind_alias(path, false, "choice", where);
  Value* made = builder_.new_value(Value::Kind::Text, type, where);
  made->text = hole(*alias.alias) + behind;
  made->reads = {alias.alias, path.root};
  made->cheap = true;
  builder_.define(made);
  return made;
}

/// True at run time where `sum` holds alternative number `part`.
Value* SumTypes::is_alternative(const Path& sum, unsigned part, SourceLocation where) {
  return text_about(sum,
                    Types::is_optional(sum.type) ? std::string(".has_value()")
                                                 : ".index() == " + std::to_string(part),
                    context_.ast.BoolTy, where);
}

/// Keeps the check of an access: what it throws is thrown as before.
void SumTypes::check_access(const Path& sum, const std::string& before, const std::string& behind,
                            SourceLocation where) {
  const Binding alias = places_.bind_alias(sum, false, "choice", where);
  ir::Statement* check = builder_.add(ir::Statement::Kind::Text, where);
  check->text = "static_cast<void>(" + before + hole(*alias.alias) + behind + ")";
  check->reads = {alias.alias, sum.root};
  check->harmless = true;
}

/// Makes `sum`, which is new, hold `value`.
bool SumTypes::hold(const Path& sum, unsigned part, Value* value, SourceLocation where) {
  if (!value) {
    return false;
  }
  ir::Statement* held = builder_.add(ir::Statement::Kind::Store, where);
  held->path = tuples_.part_path(sum, part);
  held->value = value;
  held->constructs = true;
  return true;
}

/// The value of an object of type `type` that is made of `arguments`, as `type(arguments...)`; null
/// where it is unknown.
Value* SumTypes::made_value(QualType type, llvm::ArrayRef<const Expr*> arguments,
                            SourceLocation where) {
  type = type.getUnqualifiedType();
  const Expr* source = arguments.size() == 1 ? below_temporary(arguments[0]) : nullptr;
  const bool same = source && context_.ast.hasSameUnqualifiedType(source->getType(), type);
  const bool number = source && type->isArithmeticType() && source->getType()->isArithmeticType();
  if (!same && !number) {
    llvm::SmallVector<Expr*> given;
    for (const Expr* argument : arguments) {
      given.push_back(const_cast<Expr*>(argument));
    }
    const ExprResult made = context_.sema.BuildCXXTypeConstructExpr(
        context_.ast.getTrivialTypeSourceInfo(type, where), where, given, where, false);
    if (made.isInvalid()) {
      return nullptr;
    }
    source = made.get();
  }
  if (type->isScalarType()) {
    return expressions_.convert(
        source->isGLValue() ? expressions_.read(source, where) : expressions_.rvalue(source), type,
        where);
  }
  if (!context_.types.has_tangent(type)) {
    const auto text = texts_.text_of(source);
    return text ? texts_.text_value(source, effects_.of(source), *text) : nullptr;
  }
  if (source->isGLValue()) {
    const auto path = places_.lvalue(source);
    return path ? builder_.load(*path, where) : nullptr;
  }
  return builder_.load(places_.materialise(source), where);
}

/// The alternative that a value of type `given` becomes, where that is the one of its own type.
std::optional<unsigned> SumTypes::alternative_of(QualType sum, QualType given) {
  const std::vector<QualType> parts = Types::parts(sum);
  std::optional<unsigned> found;
  for (unsigned i = 0; i < parts.size(); ++i) {
    if (context_.ast.hasSameUnqualifiedType(parts[i], given.getNonReferenceType())) {
      if (found) {
        return std::nullopt;
      }
      found = i;
    }
  }
  return found;
}

/// The alternative that a template argument names, by number or by type.
std::optional<unsigned> SumTypes::alternative_named(const TemplateArgument& name, QualType sum) {
  if (name.getKind() == TemplateArgument::Integral) {
    return static_cast<unsigned>(name.getAsIntegral().getZExtValue());
  }
  return name.getKind() == TemplateArgument::Type ? alternative_of(sum, name.getAsType())
                                                  : std::nullopt;
}

bool SumTypes::initialise_sum_type(const Path& target, const CXXConstructExpr* construction) {
  const SourceLocation where = construction->getExprLoc();
  llvm::SmallVector<const Expr*> arguments;
  for (const Expr* argument : construction->arguments()) {
    if (!isa<CXXDefaultArgExpr>(argument)) {
      arguments.push_back(argument);
    }
  }
  if (arguments.empty()) {
    return true;
  }
  const bool is_optional = Types::is_optional(target.type);
  const QualType first = arguments[0]->getType();
  const std::vector<QualType> parts = Types::parts(target.type);
  if (is_optional && names_class(first, "nullopt_t")) {
    return true;
  }
  std::optional<unsigned> part;
  if (is_optional && names_class(first, "in_place_t")) {
    part = 0;
    arguments.erase(arguments.begin());
  } else if (names_class(first, "in_place_type_t") || names_class(first, "in_place_index_t")) {
    const auto* tag = cast<ClassTemplateSpecializationDecl>(Types::record(first));
    part = alternative_named(tag->getTemplateArgs().get(0), target.type);
    arguments.erase(arguments.begin());
  } else if (arguments.size() == 1 && Types::container(first) != Container::SumType) {
    part = is_optional ? std::optional(0U) : alternative_of(target.type, first);
  }
  const CXXRecordDecl* standing = Types::record(parts[0]);
  if (!is_optional && standing && !standing->hasDefaultConstructor()) {
    return false;  // Nothing that could be held until the value is there.
  }
  return part && hold(target, *part, made_value(parts[*part], arguments, where), where);
}

bool SumTypes::sum_type_member(const CXXMethodDecl* method, const Expr* source, const Expr* object,
                               llvm::ArrayRef<const Expr*> arguments, Value** value,
                               std::optional<Path>* reference) {
  const SourceLocation where = source->getExprLoc();
  const std::string name = method->getIdentifier() ? method->getNameAsString() : "";
  const OverloadedOperatorKind symbol = method->getOverloadedOperator();
  const QualType type = context_.ast.getRecordType(method->getParent());
  const auto rejected = [&] {
    *value = rejections_.unsupported(source, Diagnostic::UnsupportedContainerCall,
                                     {method->getQualifiedNameAsString()});
    return true;
  };
  if (symbol == OO_Equal &&
      (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator())) {
    return false;
  }
  if (symbol == OO_Equal || name == "emplace" || name == "swap" || name == "reset") {
    return rejected();  // What is held changes at run time.
  }
  Value* otherwise =
      name == "value_or" ? made_value(Types::parts(type)[0], arguments, where) : nullptr;
  const auto path = places_.object_path(object);
  if (!path) {
    return rejected();
  }
  if (symbol == OO_Star || symbol == OO_Arrow || name == "value") {
    if (name == "value") {
      check_access(*path, "", ".value()", where);
    }
    *reference = tuples_.part_path(*path, 0);
    return true;
  }
  if (isa<CXXConversionDecl>(method) || name == "has_value") {
    *value = is_alternative(*path, 0, where);
    return true;
  }
  if (name == "index" || name == "valueless_by_exception") {
    *value = text_about(*path, "." + name + "()", source->getType(), where);
    return true;
  }
  if (otherwise) {
    Path chosen;
    chosen.type = Types::parts(type)[0];
    chosen.root = builder_.new_root(Root::Kind::Local, "chosen", chosen.type, where);
    ir::Statement* declaration = builder_.declare_local(chosen.root, where);
    declaration->value = otherwise;
    const ir::Statement* branch = builder_.add_if(is_alternative(*path, 0, where), where);
    Block* const outer = builder_.enter(branch->body);
    builder_.store(chosen, builder_.load(tuples_.part_path(*path, 0), where), where);
    builder_.enter(outer);
    *reference = chosen;
    return true;
  }
  return rejected();
}

bool SumTypes::sum_type_function(const FunctionDecl* callee, const Expr* source,
                                 llvm::ArrayRef<const Expr*> arguments, Value** value,
                                 std::optional<Path>* reference) {
  const SourceLocation where = source->getExprLoc();
  const auto is_sum_type = [](const Expr* argument) {
    const QualType type = argument->getType();
    return Types::container(type->isPointerType() ? type->getPointeeType() : type) ==
           Container::SumType;
  };
  if (!in_library(callee) || isa<CXXMethodDecl>(callee) || arguments.empty()) {
    return false;
  }
  if (is_std(callee, {"make_optional"}) &&
      Types::container(source->getType()) == Container::SumType) {
    Path made;
    made.type = source->getType().getUnqualifiedType();
    made.root = builder_.new_root(Root::Kind::Local, "made", made.type, where);
    builder_.declare_local(made.root, where)->text = "{}";
    if (!hold(made, 0, made_value(Types::parts(made.type)[0], arguments, where), where)) {
      return false;
    }
    *reference = made;
    return true;
  }
  if (is_std(callee, {"visit"})) {
    return llvm::all_of(arguments.drop_front(), is_sum_type) &&
           visit(source, arguments[0], arguments.drop_front(), value, reference);
  }
  if (callee->getOverloadedOperator() == OO_EqualEqual && arguments.size() == 2) {
    const bool first =
        is_sum_type(arguments[0]) && names_class(arguments[1]->getType(), "nullopt_t");
    const auto path = first ? places_.lvalue(arguments[0]) : std::nullopt;
    if (path) {
      *value = builder_.form("!$0", context_.ast.BoolTy, {is_alternative(*path, 0, where)}, where);
    }
    return path.has_value();
  }
  const TemplateArgumentList* written = callee->getTemplateSpecializationArgs();
  if (!is_sum_type(arguments[0]) || !written || written->size() == 0) {
    return false;
  }
  const bool by_pointer = is_std(callee, {"get_if"});
  const bool asks = is_std(callee, {"holds_alternative"});
  if (!by_pointer && !asks && !is_std(callee, {"get"})) {
    return false;
  }
  const auto path = by_pointer ? places_.pointer(arguments[0]) : places_.lvalue(arguments[0]);
  const auto part = path ? alternative_named(written->get(0), path->type) : std::nullopt;
  if (!part || !Types::is_variant(path->type)) {
    return false;
  }
  if (asks) {
    *value = is_alternative(*path, *part, where);
    return true;
  }
  if (!by_pointer) {
    check_access(*path, "std::get<" + std::to_string(*part) + ">(", ")", where);
  }
  *reference = tuples_.part_path(*path, *part);
  return true;
}

bool SumTypes::runtime_sum_type_call(const FunctionDecl* callee, const Expr* source,
                                     llvm::ArrayRef<const Expr*> arguments,
                                     std::optional<Path>* reference) {
  const llvm::StringRef name = callee->getName();
  if ((name != "held" && name != "held_if" && name != "hold") || arguments.empty()) {
    return false;
  }
  const SourceLocation where = source->getExprLoc();
  const auto path = places_.lvalue(arguments[0]);
  const auto part =
      path && Types::container(path->type) == Container::SumType
          ? alternative_named(callee->getTemplateSpecializationArgs()->get(0), path->type)
          : std::nullopt;
  if (!part) {
    return false;
  }
  if (name != "hold") {
    *reference = tuples_.part_path(*path, *part);
    return true;
  }
  return hold(*path, *part, made_value(Types::parts(path->type)[*part], {arguments[1]}, where),
              where);
}

std::optional<Value*> SumTypes::lower_by_rule(const CallSite& site) {
  Value* value = nullptr;
  return sum_type_function(site.callee, site.source, site.arguments, &value, site.reference)
             ? std::optional(value)
             : std::nullopt;
}

}  // namespace ddx::compiler
