#include "compiler/lower/statements/loop_bounds.h"

#include "compiler/lower/library/moving_expressions.h"
#include "compiler/lower/statements/bound_expressions.h"
#include "compiler/support/template_types.h"
#include "compiler/support/types.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"

namespace ddx::compiler {

using namespace clang;

namespace {

QualType plain(QualType type) {
  return type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
}

bool is_container(QualType type) {
  const Container kind = Types::container(plain(type));
  return kind == Container::StdVector || kind == Container::StdDeque;
}

/// True for classes of the library whose objects lead to functions or objects that are not seen.
bool leads_elsewhere(const CXXRecordDecl* record) {
  static const llvm::StringSet<> names = {"function", "move_only_function", "reference_wrapper",
                                          "span"};
  return record && in_library(record) && record->getIdentifier() &&
         names.contains(record->getName());
}

bool is_constant_bytes(QualType type) {
  return type.isConstQualified() && (type->isVoidType() || type->isCharType());
}

/// Looks for changes of `subjects` in statements and in all that these call.
class Changes {
 public:
  Changes(MayOverlap overlap, Exposures& known) : overlap_(overlap), known_(known) {}

  /// Adds what the bound reads. False for what is not followed.
  bool add(const Expr* bound);
  /// Adds a variable that is declared for the loop of this body.
  void add(const VarDecl* variable, const Stmt* body) {
    subjects_.insert(variable);
    known_.try_emplace(variable, forwards(variable, body));
  }

  bool happen_in(const Stmt* body) {
    for (const ValueDecl* subject : subjects_) {
      const auto [place, is_new] = known_.try_emplace(subject);
      if (is_new) {
        place->second = is_exposed(subject);
      }
      if (place->second) {
        exposed_.push_back(subject);
      }
    }
    return changes(body);
  }

 private:
  bool add_path(const Expr* object);
  bool add_call(const CXXMemberCallExpr* call);

  static bool is_exposed(const ValueDecl* subject);
  bool is_subject(const Expr* expression) const {
    const ValueDecl* named = named_object(expression);
    return named && subjects_.contains(named);
  }

  bool changes(const Stmt* statement);
  /// The object that a subject lies in, where `expression` names one.
  bool base_changes(const Expr* expression) {
    const auto* member = dyn_cast<MemberExpr>(expression->IgnoreParens());
    return member && changes(member->getBase());
  }
  bool assigns(const Expr* target) const;
  bool call_changes(const CallExpr* call);
  bool library_call_changes(const FunctionDecl* callee, llvm::ArrayRef<const Expr*> arguments);
  bool called_object_changes(const CXXRecordDecl* record);
  bool body_changes(const FunctionDecl* function);
  bool destruction_changes(QualType type);
  bool holds_exposed(QualType type, llvm::SmallPtrSetImpl<const Type*>& met) const;
  bool holds_exposed(QualType type) const {
    llvm::SmallPtrSet<const Type*, 8> met;
    return holds_exposed(type, met);
  }
  bool fits_exposed(QualType type) const;

  static constexpr unsigned most_functions = 400;
  static constexpr unsigned most_levels = 8;

  MayOverlap overlap_;
  Exposures& known_;
  llvm::SmallPtrSet<const ValueDecl*, 4> subjects_;
  llvm::SmallVector<const ValueDecl*, 4> exposed_;  ///< Those that other names may lead to.
  unsigned level_ = 0;                              ///< Of functions that the bound calls.
  /// Of functions that the loop calls: there a variable may be one of another call of the function.
  unsigned called_ = 0;
  llvm::SmallPtrSet<const FunctionDecl*, 16> visited_;
  llvm::SmallPtrSet<const Type*, 16> destroyed_;
};

bool Changes::add_path(const Expr* object) {
  object = below_bases(object);
  if (isa<CXXThisExpr>(object)) {
    return true;
  }
  if (object->getType()->isPointerType()) {
    return add(object);  // It must go on to point there.
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(object)) {
    return isa<VarDecl>(reference->getDecl());
  }
  const auto* member = dyn_cast<MemberExpr>(object);
  const auto* field = member ? dyn_cast<FieldDecl>(member->getMemberDecl()) : nullptr;
  return field && !field->getParent()->isUnion() && add_path(member->getBase());
}

bool Changes::add_call(const CXXMemberCallExpr* call) {
  const CXXMethodDecl* method = call->getMethodDecl();
  const Expr* object = call->getImplicitObjectArgument();
  if (!method || call->getNumArgs() > 0) {
    return false;
  }
  object = object->IgnoreParenImpCasts();
  if (in_library(method)) {
    static const llvm::StringSet<> extents = {"size", "begin",  "cbegin", "end",     "cend",
                                              "data", "rbegin", "rend",   "crbegin", "crend"};
    const bool is_extent = method->getIdentifier() && extents.contains(method->getName()) &&
                           Types::container(object->getType()) != Container::None;
    if (!is_extent || !add_path(object)) {
      return false;
    }
    if (is_container(object->getType())) {
      subjects_.insert(named_object(object));
    }
    return true;
  }
  const FunctionDecl* definition = method->getDefinition();
  const auto* body = definition && !method->isVirtual() && method->isConst()
                         ? dyn_cast_or_null<CompoundStmt>(definition->getBody())
                         : nullptr;
  const auto* result =
      body && body->size() == 1 ? dyn_cast<ReturnStmt>(body->body_front()) : nullptr;
  if (!result || !result->getRetValue() || level_ == most_levels) {
    return false;
  }
  ++level_;
  const bool added = add_path(object) && add(result->getRetValue());
  --level_;
  return added;
}

bool Changes::add(const Expr* bound) {
  bound = bound->IgnoreParens();
  if (const auto* reference = dyn_cast<DeclRefExpr>(bound)) {
    const auto* variable = dyn_cast<VarDecl>(reference->getDecl());
    if (variable && !variable->getType().isConstQualified()) {
      subjects_.insert(variable);
    }
    return variable || isa<EnumConstantDecl, NonTypeTemplateParmDecl>(reference->getDecl());
  }
  if (const auto* member = dyn_cast<MemberExpr>(bound)) {
    const ValueDecl* named = member->getMemberDecl();
    const auto* field = dyn_cast<FieldDecl>(named);
    if (!named->getType().isConstQualified()) {
      subjects_.insert(named);
    }
    return isa<VarDecl>(named) || (field && !field->isMutable() && !field->isBitField() &&
                                   !field->getParent()->isUnion() && add_path(member->getBase()));
  }
  if (const auto* call = dyn_cast<CXXMemberCallExpr>(bound)) {
    return add_call(call);
  }
  if (const auto* call = dyn_cast<CallExpr>(bound)) {
    static const llvm::StringSet<> known = {"min", "max", "abs", "size", "ssize"};
    const FunctionDecl* callee = call->getDirectCallee();
    return callee && in_library(callee) && callee->getIdentifier() &&
           known.contains(callee->getName()) && callee->getReturnType()->isScalarType() &&
           llvm::all_of(call->arguments(), [&](const Expr* argument) { return add(argument); });
  }
  if (isa<CXXConstructExpr, LambdaExpr, CXXThisExpr, ArraySubscriptExpr>(bound)) {
    return false;
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(bound);
      operation && (operation->isIncrementDecrementOp() || operation->getOpcode() == UO_Deref)) {
    return false;
  }
  if (const auto* operation = dyn_cast<BinaryOperator>(bound);
      operation && operation->isAssignmentOp()) {
    return false;
  }
  return llvm::all_of(bound->children(), [&](const Stmt* child) { return add(cast<Expr>(child)); });
}

/// True where the address of the variable is passed on somewhere, or its name is that of another
/// object. A member always has other names.
bool Changes::is_exposed(const ValueDecl* subject) {
  const auto* variable = dyn_cast<VarDecl>(subject);
  const Stmt* body = variable && variable->isLocalVarDeclOrParm() && !variable->isStaticLocal() &&
                             !variable->getType()->isReferenceType()
                         ? body_around(variable)
                         : nullptr;
  if (!body) {
    return true;
  }
  return forwards(subject, body);
}

/// True for an object of a type that an exposed subject may lie in, or be.
bool Changes::holds_exposed(QualType type, llvm::SmallPtrSetImpl<const Type*>& met) const {
  type = plain(type);
  if (const auto* array = type->getAsArrayTypeUnsafe()) {
    return holds_exposed(array->getElementType(), met);
  }
  if (type->isPointerType()) {
    return holds_exposed(type->getPointeeType(), met);
  }
  const CXXRecordDecl* record = Types::record(type);
  if (!record || !met.insert(type.getTypePtr()).second) {
    return false;
  }
  const auto is_of = [&](const ValueDecl* subject) {
    const auto* field = dyn_cast<FieldDecl>(subject);
    const auto* owner = field ? dyn_cast<CXXRecordDecl>(field->getParent()) : nullptr;
    return owner && (owner->getCanonicalDecl() == record->getCanonicalDecl() ||
                     record->isDerivedFrom(owner) || owner->isDerivedFrom(record));
  };
  const auto holds = [&](QualType part) { return holds_exposed(part, met); };
  return llvm::any_of(exposed_, is_of) || llvm::any_of(template_types(record), holds) ||
         llvm::any_of(record->fields(),
                      [&](const FieldDecl* part) { return holds(part->getType()); }) ||
         llvm::any_of(record->bases(),
                      [&](const CXXBaseSpecifier& base) { return holds(base.getType()); });
}

/// True for a type of numbers or containers that an exposed subject has too.
bool Changes::fits_exposed(QualType type) const {
  type = plain(type);
  return llvm::any_of(exposed_, [&](const ValueDecl* subject) {
    const QualType own = plain(subject->getType());
    const ASTContext& context = subject->getASTContext();
    const bool is_raw = type->isCharType() || type->isStdByteType() || type->isVoidType();
    return own == type || (own->isScalarType() && is_raw) ||
           (own->isIntegerType() && type->isIntegerType() &&
            context.getIntWidth(own) == context.getIntWidth(type));
  });
}

/// True for an assignment to `target` that may be one to a subject by another name.
bool Changes::assigns(const Expr* target) const {
  if (!is_other_name(target)) {
    return false;
  }
  const auto* written = dyn_cast_or_null<VarDecl>(named_object(target));
  const QualType type = plain(target->getType());
  return llvm::any_of(exposed_,
                      [&](const ValueDecl* subject) {
                        const auto* read = dyn_cast<VarDecl>(subject);
                        return called_ > 0 || !written || !read ||
                               !read->getType()->isReferenceType() || overlap_(written, read);
                      }) &&
         fits_exposed(type);
}

bool Changes::destruction_changes(QualType type) {
  type = plain(type);
  if (const auto* array = type->getAsArrayTypeUnsafe()) {
    return destruction_changes(array->getElementType());
  }
  const CXXRecordDecl* record = Types::record(type);
  if (!record || record->hasTrivialDestructor() || !destroyed_.insert(type.getTypePtr()).second) {
    return false;
  }
  const CXXDestructorDecl* destructor = record->getDestructor();
  if (!in_library(record) && destructor && destructor->isUserProvided() &&
      (destructor->isVirtual() || body_changes(destructor))) {
    return true;
  }
  const auto part = [&](QualType of) { return destruction_changes(of); };
  return llvm::any_of(template_types(record), part) ||
         (!in_library(record) &&
          (llvm::any_of(record->fields(),
                        [&](const FieldDecl* field) { return part(field->getType()); }) ||
           llvm::any_of(record->bases(),
                        [&](const CXXBaseSpecifier& base) { return part(base.getType()); })));
}

bool Changes::body_changes(const FunctionDecl* function) {
  const FunctionDecl* definition = function->getDefinition();
  if (!definition || !definition->getBody()) {
    // What the compiler makes copies or moves a whole object; that is looked at where it is called.
    return !(definition && definition->isDefaulted());
  }
  if (!visited_.insert(definition).second) {
    return false;
  }
  if (visited_.size() > most_functions) {
    return true;
  }
  ++called_;
  const auto* constructor = dyn_cast<CXXConstructorDecl>(definition);
  const bool found = (constructor && llvm::any_of(constructor->inits(),
                                                  [&](const CXXCtorInitializer* initializer) {
                                                    return changes(initializer->getInit());
                                                  })) ||
                     changes(definition->getBody());
  --called_;
  return found;
}

/// A function object that a library is handed may be called.
bool Changes::called_object_changes(const CXXRecordDecl* record) {
  if (record->isLambda() && record->isGenericLambda()) {
    const auto made =
        record->getLambdaCallOperator()->getDescribedFunctionTemplate()->specializations();
    return llvm::any_of(made, [&](const FunctionDecl* called) { return body_changes(called); });
  }
  return llvm::any_of(record->methods(), [&](const CXXMethodDecl* method) {
    return method->getOverloadedOperator() == OO_Call && body_changes(method);
  });
}

/// A function of a library changes what it is handed, and calls the functions it is handed.
bool Changes::library_call_changes(const FunctionDecl* callee,
                                   llvm::ArrayRef<const Expr*> arguments) {
  for (unsigned i = 0; i < arguments.size(); ++i) {
    // An address that is passed on as one of bytes is one of what it was before.
    const Expr* argument = arguments[i]->getType()->isPointerType()
                               ? arguments[i]->IgnoreParenImpCasts()
                               : arguments[i];
    const QualType type = plain(argument->getType());
    const CXXRecordDecl* record = Types::record(type);
    if (record && !in_library(record) && called_object_changes(record)) {
      return true;
    }
    const QualType parameter =
        i < callee->getNumParams() ? callee->getParamDecl(i)->getType() : argument->getType();
    const bool is_fixed =
        parameter->isReferenceType() ? parameter->getPointeeType().isConstQualified()
        : parameter->isPointerType() ? is_constant_bytes(parameter->getPointeeType())
                                     : type->isScalarType() && !type->isPointerType();
    if (is_fixed) {
      continue;
    }
    const auto* array = type->getAsArrayTypeUnsafe();
    const QualType target = type->isPointerType() ? type->getPointeeType()
                            : array               ? array->getElementType()
                                                  : QualType();
    const bool leads = leads_elsewhere(record) || (!target.isNull() && target->isFunctionType()) ||
                       (!target.isNull() && !target.isConstQualified() && fits_exposed(target));
    if (leads || holds_exposed(type) || (argument->isGLValue() && assigns(argument))) {
      return true;
    }
  }
  return false;
}

bool Changes::call_changes(const CallExpr* call) {
  const FunctionDecl* callee = call->getDirectCallee();
  if (!callee) {
    return !isa<CXXPseudoDestructorExpr>(call->getCallee()->IgnoreParens());
  }
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  llvm::SmallVector<const Expr*, 4> arguments(call->arguments());
  const Expr* object = nullptr;
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(call)) {
    object = member->getImplicitObjectArgument();
  } else if (isa<CXXOperatorCallExpr>(call) && method && method->isInstance()) {
    object = arguments.front();
    arguments.erase(arguments.begin());
  }
  const bool made = callee->isDefaulted() || callee->isImplicit();
  if (method && object && (made || in_library(method))) {
    const bool by_pointer = object->getType()->isPointerType();
    const QualType type = by_pointer ? object->getType()->getPointeeType() : object->getType();
    const bool resizes = is_container(type) && !keeps_size(method) &&
                         (by_pointer ? fits_exposed(type) : assigns(object));
    if (leads_elsewhere(Types::record(type)) || resizes ||
        (!method->isConst() && !keeps_elements(method) &&
         (holds_exposed(type) || destruction_changes(type)))) {
      return true;
    }
    return !made && library_call_changes(method, arguments);
  }
  const bool is_foreign =
      callee->getBuiltinID() != 0 ||
      callee->getASTContext().getSourceManager().isInSystemHeader(callee->getLocation());
  if (in_library(callee) || (is_foreign && !callee->hasBody())) {
    return library_call_changes(callee, arguments);
  }
  return (method && method->isVirtual() && !method->hasAttr<FinalAttr>()) || body_changes(callee);
}

bool Changes::changes(const Stmt* statement) {
  if (!statement || isa<UnaryExprOrTypeTraitExpr>(statement)) {
    return false;
  }
  if (isa<AsmStmt>(statement)) {
    return !exposed_.empty();
  }
  if (const auto* argument = dyn_cast<CXXDefaultArgExpr>(statement)) {
    return changes(argument->getExpr());
  }
  if (const auto* initializer = dyn_cast<CXXDefaultInitExpr>(statement)) {
    return changes(initializer->getExpr());
  }
  if (const auto* lambda = dyn_cast<LambdaExpr>(statement)) {
    const CXXMethodDecl* called = lambda->getCallOperator();
    const FunctionTemplateDecl* pattern = called->getDescribedFunctionTemplate();
    return pattern ? llvm::any_of(pattern->specializations(),
                                  [&](const FunctionDecl* made) { return body_changes(made); })
                   : body_changes(called);
  }
  if (const auto* range = dyn_cast<CXXForRangeStmt>(statement);
      range && is_subject(range->getRangeInit())) {
    return base_changes(range->getRangeInit()) || changes(range->getBody());
  }
  if (const auto* named = dyn_cast<Expr>(statement); named && is_subject(named)) {
    return !named->getType().isConstQualified() || base_changes(named);
  }
  if (const auto* operation = dyn_cast<BinaryOperator>(statement);
      operation && operation->isAssignmentOp() && assigns(operation->getLHS())) {
    return true;
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(statement);
      operation && operation->isIncrementDecrementOp() && assigns(operation->getSubExpr())) {
    return true;
  }
  if (const auto* call = dyn_cast<CallExpr>(statement);
      call && !exposed_.empty() && call_changes(call)) {
    return true;
  }
  if (!exposed_.empty()) {
    if (const auto* construction = dyn_cast<CXXConstructExpr>(statement)) {
      const CXXConstructorDecl* constructor = construction->getConstructor();
      llvm::SmallVector<const Expr*, 4> arguments(construction->arguments());
      const bool known = constructor->isDefaulted() || constructor->isImplicit();
      if (in_library(constructor) ? library_call_changes(constructor, arguments)
                                  : !known && body_changes(constructor)) {
        return true;
      }
      if (destruction_changes(construction->getType())) {
        return true;
      }
    }
    if (const auto* temporary = dyn_cast<CXXBindTemporaryExpr>(statement);
        temporary && destruction_changes(temporary->getType())) {
      return true;
    }
    if (const auto* deleted = dyn_cast<CXXDeleteExpr>(statement);
        deleted && destruction_changes(deleted->getDestroyedType())) {
      return true;
    }
  }
  const Expr* own = looked_at(statement);
  own = own && is_subject(own) ? own : nullptr;
  return (own && base_changes(own)) || llvm::any_of(statement->children(), [&](const Stmt* child) {
           return child != own && changes(child);
         });
}

}  // namespace

bool is_invariant(const Expr* bound, const Stmt* body, MayOverlap overlap, Exposures& known) {
  Changes changes(overlap, known);
  return changes.add(bound) && !changes.happen_in(body);
}

bool may_step(const VarDecl* variable, const Stmt* body) {
  Exposures known;
  Changes changes([](const VarDecl*, const VarDecl*) { return true; }, known);
  changes.add(variable, body);
  return changes.happen_in(body);
}

}  // namespace ddx::compiler
