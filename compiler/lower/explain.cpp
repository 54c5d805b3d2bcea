#include "compiler/lower/expressions/places.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/support/readable_names.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// Rows that say where lowering gave up, not what is in the way.
bool is_vague(Diagnostic diagnostic) {
  switch (diagnostic) {
    case Diagnostic::UnsupportedExpression:
    case Diagnostic::UnsupportedAssignment:
    case Diagnostic::UnsupportedPointer:
    case Diagnostic::UnsupportedReference:
    case Diagnostic::UnsupportedArgument:
    case Diagnostic::UnsupportedCapture:
    case Diagnostic::UnsupportedBinding:
    case Diagnostic::UnsupportedInitialiser:
    case Diagnostic::UnsupportedReferenceResult:
      return true;
    default:
      return false;
  }
}

bool is_coroutine(const FunctionDecl& function) {
  const FunctionDecl* definition = nullptr;
  return function.hasBody(definition) && isa<CoroutineBodyStmt>(definition->getBody());
}

}  // namespace

void Rejections::lose(const Stmt* statement, Diagnostic diagnostic,
                      std::vector<std::string> facts) {
  unsupported(statement, diagnostic, std::move(facts));
  function_.statements.back().always = true;
}

/// Names the first construct within `statement` that lowering never follows, with its place.
std::optional<RejectionCause> Rejections::explain(const Stmt* statement, Diagnostic diagnostic) {
  return is_vague(diagnostic) ? find_cause(statement) : std::nullopt;
}

std::optional<RejectionCause> Rejections::explain_member(const MemberExpr* member) {
  const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
  if (field && field->isBitField()) {
    return RejectionCause{
        Diagnostic::UnsupportedBitField, {field->getNameAsString()}, member->getMemberLoc()};
  }
  if (!field || !context_.types.may_hold_real(field->getType())) {
    return std::nullopt;
  }
  const std::string name = field->getNameAsString();
  const std::string owner = field->getParent()->getNameAsString();
  const SourceLocation where = member->getMemberLoc();
  if (field->getParent()->isUnion()) {
    return RejectionCause{Diagnostic::UnsupportedUnionMember, {name}, where};
  }
  if (field->getType()->isReferenceType()) {
    return RejectionCause{Diagnostic::UnsupportedReferenceMember, {name, owner}, where};
  }
  if (field->getType()->isPointerType()) {
    return RejectionCause{Diagnostic::UnsupportedPointerMember, {name, owner}, where};
  }
  if (field->getType().isVolatileQualified()) {
    return RejectionCause{Diagnostic::UnsupportedVolatile, {name}, where};
  }
  return std::nullopt;
}

std::optional<RejectionCause> Rejections::explain_cast(const CastExpr* cast) {
  const SourceLocation where = cast->getBeginLoc();
  if (isa<CXXReinterpretCastExpr>(cast) || cast->getCastKind() == CK_LValueBitCast) {
    return RejectionCause{Diagnostic::UnsupportedReinterpretCast, {}, where};
  }
  if (removes_const(*cast)) {
    return RejectionCause{Diagnostic::UnsupportedConstCast, {}, where};
  }
  switch (cast->getCastKind()) {
    case CK_Dynamic:
      return RejectionCause{Diagnostic::UnsupportedDynamicCast, {}, where};
    case CK_BaseToDerived: {
      const QualType type = cast->getType();
      return RejectionCause{
          Diagnostic::UnsupportedDowncast,
          {readable_type(type->isPointerType() ? type->getPointeeType() : type, context_.ast)},
          where};
    }
    case CK_LValueToRValueBitCast:
      return RejectionCause{Diagnostic::UnsupportedBitCast, {}, where};
    case CK_DerivedToBase:
    case CK_UncheckedDerivedToBase:
      for (const CXXBaseSpecifier* base : cast->path()) {
        if (base->isVirtual()) {
          return RejectionCause{Diagnostic::UnsupportedVirtualBase,
                                {readable_type(base->getType(), context_.ast)},
                                cast->getExprLoc()};
        }
      }
      if (places_.hides_base(*cast)) {
        const QualType type = cast->getSubExpr()->getType();
        return RejectionCause{
            Diagnostic::UnsupportedListedBase,
            {readable_type(type->isPointerType() ? type->getPointeeType() : type, context_.ast)},
            cast->getExprLoc()};
      }
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

std::optional<RejectionCause> Rejections::find_cause(const Stmt* statement) {
  if (!statement || isa<LambdaExpr>(statement)) {
    return std::nullopt;
  }
  if (const auto* member = dyn_cast<MemberExpr>(statement)) {
    if (auto cause = explain_member(member)) {
      return cause;
    }
  } else if (const auto* cast = dyn_cast<CastExpr>(statement)) {
    if (auto cause = explain_cast(cast)) {
      return cause;
    }
  } else if (const auto* call = dyn_cast<CallExpr>(statement);
             call && call->getDirectCallee() && is_coroutine(*call->getDirectCallee())) {
    return RejectionCause{Diagnostic::UnsupportedCoroutine,
                          {call->getDirectCallee()->getNameAsString()},
                          call->getExprLoc()};
  } else if (isa<CXXNewExpr>(statement)) {
    return RejectionCause{Diagnostic::UnsupportedNew, {}, statement->getBeginLoc()};
  } else if (isa<CXXDeleteExpr>(statement)) {
    return RejectionCause{Diagnostic::UnsupportedDelete, {}, statement->getBeginLoc()};
  } else if (const auto* operation = dyn_cast<BinaryOperator>(statement);
             operation && operation->isPtrMemOp()) {
    return RejectionCause{Diagnostic::UnsupportedPointerToMember, {}, operation->getOperatorLoc()};
  } else if (const auto* reference = dyn_cast<DeclRefExpr>(statement)) {
    const auto* variable = dyn_cast<VarDecl>(reference->getDecl());
    const auto found = variable ? scope_.bindings.find(variable) : scope_.bindings.end();
    const bool placed =
        found == scope_.bindings.end() ||
        (found->second.kind != Binding::Kind::None && !reference->getType()->isPointerType());
    if (!placed && found->second.kind != Binding::Kind::Pointer) {
      return RejectionCause{
          Diagnostic::UnsupportedPointee, {variable->getNameAsString()}, reference->getLocation()};
    }
  } else if (const auto* expression = dyn_cast<Expr>(statement);
             expression && expression->getType()->isVectorType()) {
    return RejectionCause{Diagnostic::UnsupportedVectorType,
                          {readable_type(expression->getType(), context_.ast)},
                          expression->getExprLoc()};
  }
  for (const Stmt* child : statement->children()) {
    if (auto cause = find_cause(child)) {
      return cause;
    }
  }
  return std::nullopt;
}

/// Variables whose declaration could not be followed: what is wrong with them is said once.
void Rejections::note_unplaced(const Stmt* statement, ir::Statement* into) {
  if (!statement) {
    return;
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(statement)) {
    if (const auto* binding = dyn_cast<BindingDecl>(reference->getDecl());
        binding && !scope_.structured.contains(binding)) {
      into->unplaced.push_back(cast<VarDecl>(binding->getDecomposedDecl()));
    }
    const auto* variable = dyn_cast<VarDecl>(reference->getDecl());
    const auto found = variable ? scope_.bindings.find(variable) : scope_.bindings.end();
    if (found != scope_.bindings.end() &&
        (found->second.kind == Binding::Kind::None ||
         (found->second.kind == Binding::Kind::Object && variable->getType()->isPointerType()))) {
      into->unplaced.push_back(variable);
    }
  }
  for (const Stmt* child : statement->children()) {
    note_unplaced(child, into);
  }
}

}  // namespace ddx::compiler
