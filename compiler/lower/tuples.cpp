#include "compiler/lower/lowering.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

/// Element `position` of a pair or a tuple.
Path Lowering::part_path(Path whole, unsigned position) {
  const CXXRecordDecl* record = Types::record(whole.type);
  const QualType type = context_.types.parts(whole.type)[position];
  if (record->getName() == "pair") {
    for (const FieldDecl* field : record->fields()) {
      if (field->getName() == (position == 0 ? "first" : "second")) {
        return field_path(whole, field);
      }
    }
  }
  Step step;
  step.part = static_cast<int>(position);
  step.of_choice = Types::container(whole.type) == Container::StdChoice;
  whole.type = whole.type.isConstQualified() ? type.withConst() : type;
  whole.steps.push_back(step);
  return whole;
}

/// The position that `std::get` is told, by number or by type.
std::optional<unsigned> Lowering::part_named(const FunctionDecl* get, QualType whole) {
  const TemplateArgumentList* written = get->getTemplateSpecializationArgs();
  if (!written || written->size() == 0) {
    return std::nullopt;
  }
  const TemplateArgument& chosen = written->get(0);
  const std::vector<QualType> parts = context_.types.parts(whole);
  if (chosen.getKind() == TemplateArgument::Integral) {
    return static_cast<unsigned>(chosen.getAsIntegral().getZExtValue());
  }
  for (unsigned i = 0; chosen.getKind() == TemplateArgument::Type && i < parts.size(); ++i) {
    if (context_.ast.hasSameType(parts[i], chosen.getAsType())) {
      return i;
    }
  }
  return std::nullopt;
}

/// Gives every part of a new pair or tuple its value.
bool Lowering::initialise_parts(const Path& whole, llvm::ArrayRef<const Expr*> values, bool raw) {
  const std::vector<QualType> parts = context_.types.parts(whole.type);
  if (values.size() != parts.size()) {
    return false;
  }
  for (unsigned i = 0; i < parts.size(); ++i) {
    Path part = part_path(whole, i);
    part.type = part.type.getUnqualifiedType();
    initialise(part, values[i], raw);
  }
  return true;
}

/// `std::make_pair` and `std::make_tuple`.
bool Lowering::make_parts(const FunctionDecl* callee, const Expr* source,
                          llvm::ArrayRef<const Expr*> arguments, std::optional<Path>* reference) {
  const bool makes = callee->isInStdNamespace() && callee->getIdentifier() &&
                     (callee->getName() == "make_pair" || callee->getName() == "make_tuple");
  if (!makes || Types::container(source->getType()) != Container::StdPair ||
      !context_.types.carries(source->getType())) {
    return false;
  }
  const SourceLocation where = source->getExprLoc();
  Path whole;
  whole.root = new_root(Root::Kind::Local, "parts", source->getType(), where);
  whole.type = whole.root->type;
  ir::Statement* declaration = declare_local(whole.root, where);
  declaration->text = "{}";
  *reference = whole;
  return initialise_parts(whole, arguments, false);
}

/// `std::tie(a, b) = pair or tuple`: the right side first, then one variable after the other.
bool Lowering::assign_tied(const Expr* target, const Expr* value) {
  const auto* tied = dyn_cast<CallExpr>(target->IgnoreImplicit());
  const FunctionDecl* callee = tied ? tied->getDirectCallee() : nullptr;
  if (!callee || !callee->isInStdNamespace() || !callee->getIdentifier() ||
      callee->getName() != "tie" || Types::container(value->getType()) != Container::StdPair) {
    return false;
  }
  const SourceLocation where = target->getExprLoc();
  const Path whole = materialise(value->IgnoreParens());
  const auto parts = context_.types.parts(whole.type);
  for (unsigned i = 0; i < parts.size() && i < tied->getNumArgs(); ++i) {
    const Expr* variable = tied->getArg(i);
    const CXXRecordDecl* record = Types::record(variable->getType());
    if (record && in_library(record) && record->getName() == "_Swallow_assign") {
      continue;  // std::ignore.
    }
    if (const auto path = lvalue(variable)) {
      Value* part = load(part_path(whole, i), where);
      const bool scalar = path->type->isScalarType();
      store(*path, scalar ? convert(part, path->type.getUnqualifiedType(), where) : part, where);
    } else {
      unsupported(variable, Diagnostic::UnsupportedAssignment);
    }
  }
  return true;
}

/// The instance of a templated call operator of `record` that takes objects of `types`, each as it
/// is: the one that the library called. Null where there is none, or no template.
static const CXXMethodDecl* called_instance(const CXXRecordDecl* record,
                                            llvm::ArrayRef<QualType> types) {
  const auto plain = [](QualType type) {
    return type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  };
  const auto name = record->getASTContext().DeclarationNames.getCXXOperatorName(OO_Call);
  for (const NamedDecl* named : record->lookup(name)) {
    const auto* pattern = dyn_cast<FunctionTemplateDecl>(named);
    if (!pattern) {
      continue;
    }
    for (const FunctionDecl* made : pattern->specializations()) {
      if (llvm::equal(made->parameters(), types, [&](const ParmVarDecl* taken, QualType type) {
            return plain(taken->getType()) == plain(type);
          })) {
        return dyn_cast<CXXMethodDecl>(made);
      }
    }
  }
  return nullptr;
}

/// `std::apply(f, t)`: a call of `f` with the elements of `t`.
bool Lowering::apply(const FunctionDecl* callee, const Expr* source,
                     llvm::ArrayRef<const Expr*> arguments, Value** value,
                     std::optional<Path>* reference) {
  if (!callee->isInStdNamespace() || !callee->getIdentifier() || callee->getName() != "apply" ||
      arguments.size() != 2 || Types::container(arguments[1]->getType()) != Container::StdPair) {
    return false;
  }
  const CXXRecordDecl* record = Types::record(arguments[0]->getType());
  const CXXMethodDecl* const method =
      record && !in_library(record)
          ? called_instance(record, context_.types.parts(arguments[1]->getType()))
          : nullptr;
  const Binding target = method ? Binding() : callable(arguments[0]);
  if (!method && target.kind == Binding::Kind::None) {
    return false;
  }
  const auto whole = lvalue(arguments[1]);
  if (!whole) {
    return false;
  }
  ASTContext& ast = context_.ast;
  llvm::SmallVector<const Expr*> parts;
  for (unsigned i = 0; i < context_.types.parts(whole->type).size(); ++i) {
    const Path part = part_path(*whole, i);
    auto* named = new (ast) OpaqueValueExpr(source->getExprLoc(), part.type, VK_LValue);
    places_[named] = object_at(part);
    const bool scalar = part.type->isScalarType();
    parts.push_back(scalar ? static_cast<const Expr*>(ImplicitCastExpr::Create(
                                 ast, part.type.getUnqualifiedType(), CK_LValueToRValue, named,
                                 nullptr, VK_PRValue, FPOptionsOverride()))
                           : named);
  }
  *value = method ? lower_call(method, source, arguments[0], parts, reference)
                  : call_target(target, source, parts, reference);
  return true;
}

}  // namespace ddx::compiler
