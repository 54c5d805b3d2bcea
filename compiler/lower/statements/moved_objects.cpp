/// What is left of objects that are moved from.

#include "compiler/lower/statements/moved_objects.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/expressions/idempotent_constructors.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/library/moving_expressions.h"
#include "compiler/lower/library/tuples.h"
#include "compiler/lower/path_steps.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/readable_names.h"
#include "compiler/support/types.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// is_named_after in a whole function, whose members' initialisers stand in front of its body.
bool is_named_later(const VarDecl* variable, const Expr* move, const FunctionDecl& function,
                    const SourceManager& sources) {
  const auto* constructor = dyn_cast<CXXConstructorDecl>(&function);
  return is_named_after(variable, move->getEndLoc(), function.getBody(), sources) ||
         (constructor &&
          llvm::any_of(constructor->inits(), [&](const CXXCtorInitializer* initialiser) {
            return is_named_after(variable, move->getEndLoc(), initialiser->getInit(), sources);
          }));
}

/// Finds what the moves in an expression take from: arguments of constructors and assignments that
/// move, and of the library.
class Moves {
 public:
  /// `perhaps`: the move is in an arm of ?: or right of && or ||.
  using Visit = llvm::function_ref<void(const Expr* move, bool perhaps)>;
  explicit Moves(Visit visit) : visit_(visit) {}

  void find(const Stmt* statement, bool perhaps) {
    if (!statement) {
      return;
    }
    if (const auto* lambda = dyn_cast<LambdaExpr>(statement)) {
      for (const Expr* captured : lambda->capture_inits()) {
        find(captured, perhaps);
      }
      return;
    }
    if (const auto* construction = dyn_cast<CXXConstructExpr>(statement)) {
      const CXXConstructorDecl* constructor = construction->getConstructor();
      if ((constructor->isMoveConstructor() && !constructor->isUserProvided()) ||
          in_library(constructor)) {
        take(construction->arguments(), perhaps);
      }
    } else if (const auto* call = dyn_cast<CallExpr>(statement)) {
      const FunctionDecl* callee = call->getDirectCallee();
      const auto* method = dyn_cast_or_null<CXXMethodDecl>(callee);
      const bool assigns =
          method && method->isMoveAssignmentOperator() && !method->isUserProvided();
      const bool looks = callee && in_library(callee) && callee->getIdentifier() &&
                         (callee->getName() == "move" || callee->getName() == "forward");
      if (callee && (in_library(callee) || assigns) && !looks) {
        take(call->arguments(), perhaps);
      }
    }
    const auto* conditional = dyn_cast<AbstractConditionalOperator>(statement);
    const auto* operation = dyn_cast<BinaryOperator>(statement);
    for (const Stmt* child : statement->children()) {
      const bool arm = (conditional && child != conditional->getCond()) ||
                       (operation && operation->isLogicalOp() && child == operation->getRHS());
      find(child, perhaps || arm);
    }
  }

 private:
  template <class Arguments>
  void take(const Arguments& arguments, bool perhaps) {
    for (const Expr* argument : arguments) {
      argument = argument->IgnoreParenImpCasts();
      const auto* conditional = dyn_cast<ConditionalOperator>(argument);
      if (moved(argument)) {
        visit_(argument, perhaps);
      } else if (conditional && conditional->isXValue()) {
        take(llvm::ArrayRef<const Expr*>{conditional->getTrueExpr(), conditional->getFalseExpr()},
             true);
      }
    }
  }

  Visit visit_;
};

}  // namespace

/// True where a move of an object of `type` takes elements away.
bool MovedObjects::holds_sequence(QualType type) {
  if (!context_.types.has_tangent(type) || type->isScalarType() ||
      context_.types.is_scalarized(type)) {
    return false;
  }
  const auto holds = [&](QualType part) { return holds_sequence(part); };
  switch (Types::container(type)) {
    case Container::StdVector:
    case Container::StdDeque:
    case Container::StdMap:
      return true;
    case Container::StdComplex:
      return false;
    case Container::StdPair:
    case Container::SumType:
      return llvm::any_of(Types::parts(type), holds);
    case Container::CArray:
    case Container::StdArray:
      return holds(context_.types.element(type));
    case Container::None:
      break;
  }
  const CXXRecordDecl* record = Types::record(type);
  return record && (llvm::any_of(record->fields(),
                                 [&](const FieldDecl* field) { return holds(field->getType()); }) ||
                    llvm::any_of(record->bases(), [&](const CXXBaseSpecifier& base) {
                      return holds(base.getType());
                    }));
}

void MovedObjects::empty_moved(const Stmt* full_expression) {
  bool said = false;
  Moves([&](const Expr* move, bool perhaps) {
    if (scope_.emptied.contains(move)) {
      return;
    }
    if (!perhaps) {
      empty_moved_one(move, full_expression);
    } else if (!said && takes_elements(move)) {
      said = true;
      rejections_.unsupported(move, Diagnostic::UnsupportedMove,
                              {readable_type(moved(move)->getType(), context_.ast)});
    }
  }).find(full_expression, false);
}

void MovedObjects::empty_moved_here(const Expr* part) {
  Moves([&](const Expr* move, bool perhaps) {
    if (!perhaps && scope_.emptied.insert(move).second) {
      empty_moved_one(move, part);
    }
  }).find(part, false);
}

/// Whether the object moved from keeps numbers that a later statement could look for.
bool MovedObjects::takes_elements(const Expr* move) {
  const Expr* object = moved(move);
  const FunctionDecl* around =
      scope_.inline_depth > 0 ? scope_.inline_site->callee : function_.key.function;
  const bool replaces =
      in_library(around) && !(around->getIdentifier() && around->getName() == "move");
  if (replaces || !context_.types.has_tangent(object->getType())) {
    return false;  // Plain functions for those of the library give it another value.
  }
  const auto* named = dyn_cast<DeclRefExpr>(object->IgnoreParenImpCasts());
  const auto* variable = named ? dyn_cast<VarDecl>(named->getDecl()) : nullptr;
  const auto* function =
      variable ? dyn_cast_or_null<FunctionDecl>(variable->getParentFunctionOrMethod()) : nullptr;
  return !function || variable->getType()->isReferenceType() ||
         named->refersToEnclosingVariableOrCapture() ||  // Its lambda may be called again.
         is_named_later(variable, move, *function, context_.ast.getSourceManager());
}

/// `around` is what has been lowered: where it names the object once more, the order matters.
void MovedObjects::empty_moved_one(const Expr* move, const Stmt* around) {
  const Expr* object = moved(move);
  if (holds_sequence(object->getType()) && is_idempotent(object)) {
    if (const auto path = places_.lvalue(object)) {
      check_references(*path, move);
    }
  }
  if (!takes_elements(move)) {
    return;
  }
  const VarDecl* variable = named_variable(object);
  const bool again =
      variable && holds_sequence(object->getType()) && mentions(around, variable) > 1;
  if (const auto path = again ? std::nullopt : places_.lvalue(object);
      !path || !empty(*path, move)) {
    rejections_.unsupported(move, Diagnostic::UnsupportedMove,
                            {readable_type(object->getType(), context_.ast)});
  }
}

/// Empties what a move takes from an object. False where that is not known.
bool MovedObjects::empty(const Path& object, const Expr* move) {
  const SourceLocation where = move->getExprLoc();
  if (!holds_sequence(object.type)) {
    return true;
  }
  switch (Types::container(object.type)) {
    case Container::StdVector:
    case Container::StdDeque:
    case Container::StdMap: {
      Statement* cleared = builder_.add(Statement::Kind::Vector, where);
      cleared->path = object;
      cleared->action = Statement::VectorAction::Clear;
      return true;
    }
    case Container::StdComplex:
      return true;
    case Container::StdPair:
      for (unsigned i = 0; i < Types::parts(object.type).size(); ++i) {
        if (!empty(tuples_.part_path(object, i), move)) {
          return false;
        }
      }
      return true;
    case Container::CArray:
    case Container::StdArray: {
      const QualType element = context_.types.element(object.type);
      for (std::uint64_t i = 0; i < context_.types.array_size(object.type); ++i) {
        Value* index = builder_.literal(std::to_string(i), context_.ast.getSizeType(), where);
        if (!empty(*element_path(object, index, element), move)) {
          return false;
        }
      }
      return true;
    }
    case Container::SumType:
      return false;
    case Container::None:
      break;
  }
  const CXXRecordDecl* record = Types::record(object.type);
  for (const CXXBaseSpecifier& base : record->bases()) {
    if (!empty(places_.base_path(object, base.getType()->getAsCXXRecordDecl()), move)) {
      return false;
    }
  }
  return llvm::all_of(record->fields(), [&](const FieldDecl* field) {
    return field->isUnnamedBitField() || empty(field_path(object, field), move);
  });
}

}  // namespace ddx::compiler
