#include "compiler/support/expression_text.h"

#include "compiler/support/called_operator.h"
#include "compiler/support/types.h"

#include "clang/AST/ASTContext.h"
#include "llvm/Support/raw_ostream.h"

namespace ddx::compiler {

using namespace clang;

bool is_closed(const LambdaExpr& lambda) {
  return lambda.capture_size() == 0 && lambda.getCaptureDefault() == LCD_None;
}

/// The type of a cast as it was meant: of `std::greater{}` that which was deduced.
static QualType written_type(const ExplicitCastExpr& cast) {
  const QualType written = cast.getTypeAsWritten();
  return written->getContainedDeducedType() ? cast.getType() : written;
}

ExpressionText::ExpressionText(ASTContext& context, Names& names, Variable variable, Self self,
                               Replacement replacement, Member member, Place place)
    : context_(context),
      names_(names),
      variable_(std::move(variable)),
      self_(std::move(self)),
      replacement_(std::move(replacement)),
      member_(std::move(member)),
      place_(std::move(place)),
      policy_(context.getPrintingPolicy()) {
  policy_.adjustForCPlusPlus();
  policy_.FullyQualifiedName = true;
}

std::optional<std::string> ExpressionText::print(const Expr* expression) {
  failed_ = false;
  std::string text;
  llvm::raw_string_ostream out(text);
  print_part(const_cast<Expr*>(expression), out);
  out.flush();
  if (failed_) {
    return std::nullopt;
  }
  return text;
}

void ExpressionText::print_part(Expr* expression, llvm::raw_ostream& out) {
  expression->printPretty(out, this, policy_, 0, "\n", &context_);
}

void ExpressionText::print_arguments(llvm::ArrayRef<Expr*> arguments, llvm::raw_ostream& out) {
  bool first = true;
  for (Expr* argument : arguments) {
    if (isa<CXXDefaultArgExpr>(argument)) {
      break;
    }
    out << (first ? "" : ", ");
    first = false;
    print_part(argument, out);
  }
}

bool ExpressionText::print_reference(DeclRefExpr* reference, llvm::raw_ostream& out) {
  ValueDecl* decl = reference->getDecl();
  if (auto* function = dyn_cast<FunctionDecl>(decl)) {
    if (const auto* method = dyn_cast<CXXMethodDecl>(function); method && method->isInstance()) {
      failed_ = true;
    } else if (function->getBuiltinID() != 0 && !function->isInStdNamespace()) {
      out << function->getNameAsString();
    } else {
      out << names_.function(function);
    }
    return true;
  }
  if (auto* constant = dyn_cast<EnumConstantDecl>(decl)) {
    out << "static_cast<" << names_.type(reference->getType()) << ">("
        << llvm::toString(constant->getInitVal(), 10) << ")";
    return true;
  }
  if (isa<VarDecl, BindingDecl>(decl)) {
    if (const auto text = variable_(decl)) {
      out << *text;
      return true;
    }
  }
  failed_ = true;
  return true;
}

/// Whether an object is made from a list in braces and defaults alone. In an instantiated template
/// Clang no longer says so of the construction itself.
static bool is_from_list(const CXXConstructExpr& construction) {
  const llvm::ArrayRef<const Expr*> arguments(construction.getArgs(), construction.getNumArgs());
  return !arguments.empty() &&
         isa<CXXStdInitializerListExpr>(arguments.front()->IgnoreImplicit()) &&
         llvm::all_of(arguments.drop_front(),
                      [](const Expr* argument) { return isa<CXXDefaultArgExpr>(argument); });
}

bool ExpressionText::print_construction(CXXConstructExpr* construction, llvm::raw_ostream& out) {
  if (construction->isElidable() ||
      (construction->getConstructor()->isCopyOrMoveConstructor() &&
       construction->getNumArgs() >= 1 && !isa<CXXTemporaryObjectExpr>(construction))) {
    print_part(construction->getArg(0), out);
    return true;
  }
  if (isa<LambdaExpr>(construction->IgnoreImplicit())) {
    failed_ = true;
    return true;
  }
  if (is_from_list(*construction)) {
    // The list is printed with its own braces; a second pair could mean a list of lists.
    out << names_.type(construction->getType().getUnqualifiedType());
    print_part(construction->getArg(0), out);
    return true;
  }
  const bool list = construction->isListInitialization();
  const bool converting = construction->getNumArgs() == 1 &&
                          !isa<CXXTemporaryObjectExpr>(construction) && !list &&
                          construction->getConstructor()->isConvertingConstructor(false);
  if (converting) {
    print_part(construction->getArg(0),
               out);  // An implicit conversion happens again in the same place.
    return true;
  }
  out << names_.type(construction->getType().getUnqualifiedType()) << (list ? "{" : "(");
  print_arguments(llvm::ArrayRef(construction->getArgs(), construction->getNumArgs()), out);
  out << (list ? "}" : ")");
  return true;
}

void ExpressionText::print_new(CXXNewExpr* allocation, llvm::raw_ostream& out) {
  out << (allocation->isGlobalNew() ? "::new " : "new ");
  if (allocation->getNumPlacementArgs() > 0) {
    out << "(";
    const llvm::SmallVector<Expr*> placement(allocation->placement_arguments());
    print_arguments(placement, out);
    out << ") ";
  }
  out << names_.type(allocation->getAllocatedType());
  if (allocation->isArray()) {
    out << "[";
    if (allocation->getArraySize() && *allocation->getArraySize()) {
      print_part(*allocation->getArraySize(), out);
    }
    out << "]";
  }
  Expr* initialiser = allocation->getInitializer();
  auto* construction = dyn_cast_or_null<CXXConstructExpr>(initialiser);
  if (construction || isa_and_nonnull<CXXParenListInitExpr>(initialiser)) {
    failed_ = failed_ || !construction || construction->isListInitialization();
    if (!failed_ && construction->getNumArgs() > 0) {
      out << "(";
      print_arguments(llvm::ArrayRef(construction->getArgs(), construction->getNumArgs()), out);
      out << ")";
    }
  } else if (auto* list = dyn_cast_or_null<InitListExpr>(initialiser)) {
    failed_ = failed_ || list->getType()->isRecordType();
    print_part(list, out);
  } else if (initialiser && !isa<ImplicitValueInitExpr>(initialiser)) {
    auto* parenthesised = dyn_cast<ParenListExpr>(initialiser);
    out << "(";
    print_part(parenthesised && parenthesised->getNumExprs() == 1 ? parenthesised->getExpr(0)
                                                                  : initialiser,
               out);
    out << ")";
  } else if (initialiser) {
    out << "()";
  }
}

bool ExpressionText::handledStmt(Stmt* statement, llvm::raw_ostream& out) {
  auto* expression = dyn_cast<Expr>(statement);
  if (!expression) {
    failed_ = true;
    return true;
  }
  return print_expression(expression, out);
}

bool ExpressionText::print_expression(Expr* expression, llvm::raw_ostream& out) {
  if (failed_) {
    return true;
  }
  if (const std::string* text = replacement_(expression)) {
    out << *text;
    return true;
  }
  if (auto* reference = dyn_cast<DeclRefExpr>(expression)) {
    return print_reference(reference, out);
  }
  if (const auto* opaque = dyn_cast<OpaqueValueExpr>(expression)) {
    const auto place = place_(opaque);
    out << place.value_or("");
    failed_ = !place;
    return true;
  }
  if (isa<CXXThisExpr>(expression)) {
    if (const auto self = self_()) {
      out << "(&" << *self << ")";
    } else {
      failed_ = true;
    }
    return true;
  }
  if (auto* member = dyn_cast<MemberExpr>(expression)) {
    if (auto* variable = dyn_cast<VarDecl>(member->getMemberDecl())) {
      out << names_.variable(variable);
      return true;
    }
    if (const auto text = member_(member)) {
      failed_ = failed_ || !*text;
      out << text->value_or("");
      return true;
    }
    const MemberExpr* holder = member;  // Without anonymous unions on the way.
    while (const auto* inner = dyn_cast<MemberExpr>(holder->getBase()->IgnoreParens())) {
      const auto* shared = inner->getMemberDecl()->getType()->getAsRecordDecl();
      if (!shared || !Types::is_shared_name(shared)) {
        break;
      }
      holder = inner;
    }
    if (isa<CXXThisExpr>(holder->getBase()->IgnoreImpCasts())) {
      const auto self = self_();
      if (!self) {
        failed_ = true;
        return true;
      }
      out << *self << ".";
    } else {
      out << "(";
      print_part(holder->getBase(), out);
      out << ")" << (holder->isArrow() ? "->" : ".");
    }
    if (const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl())) {
      out << names_.field(field);
    } else {
      out << member->getMemberDecl()->getNameAsString();
    }
    return true;
  }
  if (const FunctionDecl* function = function_from_lambda(expression)) {
    out << "(&" << names_.function(function) << ")";
    return true;
  }
  if (auto* call = dyn_cast<CXXMemberCallExpr>(expression);
      call && isa_and_nonnull<CXXConversionDecl>(call->getMethodDecl())) {
    // Written out: not every place converts on its own.
    out << "static_cast<" << names_.type(call->getMethodDecl()->getReturnType()) << ">(";
    print_part(call->getImplicitObjectArgument(), out);
    out << ")";
    return true;
  }
  if (auto* call = dyn_cast<CXXOperatorCallExpr>(expression);
      call && call->getOperator() == OO_Call) {
    llvm::SmallVector<Expr*> arguments(call->arguments());
    print_part(arguments.front(), out);
    out << "(";
    print_arguments(llvm::ArrayRef(arguments).drop_front(), out);
    out << ")";
    return true;
  }
  if (auto* call = dyn_cast<CallExpr>(expression);
      call && call->getNumArgs() == 1 && call->getType()->isScalarType() &&
      call->getDirectCallee() && call->getDirectCallee()->isInStdNamespace() &&
      call->getDirectCallee()->getIdentifier() && call->getDirectCallee()->getName() == "forward") {
    print_part(call->getArg(0),
               out);  // The argument may have become a constant, which no reference takes.
    return true;
  }
  if (auto* literal = dyn_cast<UserDefinedLiteral>(expression);
      literal && literal->getDirectCallee()) {
    out << names_.function(literal->getDirectCallee()) << "(";
    print_arguments(llvm::ArrayRef(literal->getArgs(), literal->getNumArgs()), out);
    out << ")";
    return true;
  }
  if (auto* construction = dyn_cast<CXXConstructExpr>(expression)) {
    return print_construction(construction, out);
  }
  if (auto* cast = dyn_cast<ExplicitCastExpr>(expression)) {
    const char* kind = isa<CXXReinterpretCastExpr>(cast) ? "reinterpret_cast<"
                       : isa<CXXConstCastExpr>(cast)     ? "const_cast<"
                       : isa<CXXStaticCastExpr>(cast)    ? "static_cast<"
                       : isa<CXXDynamicCastExpr>(cast)   ? "dynamic_cast<"
                                                         : nullptr;
    if (auto* list = dyn_cast<InitListExpr>(cast->getSubExprAsWritten());
        list && cast->getType()->isScalarType() && list->getNumInits() <= 1) {
      out << "static_cast<" << names_.type(written_type(*cast)) << ">(";
      if (list->getNumInits() == 1) {
        print_part(list->getInit(0), out);
      } else {
        out << "0";
      }
      out << ")";
      return true;
    }
    if (isa<BuiltinBitCastExpr>(cast)) {
      out << "__builtin_bit_cast(" << names_.type(written_type(*cast)) << ", ";
      print_part(cast->getSubExprAsWritten(), out);
      out << ")";
      return true;
    }
    if (kind) {
      out << kind << names_.type(written_type(*cast)) << ">(";
    } else {
      out << "((" << names_.type(written_type(*cast)) << ")(";
    }
    print_part(cast->getSubExprAsWritten(), out);
    out << (kind ? ")" : "))");
    return true;
  }
  if (auto* temporary = dyn_cast<MaterializeTemporaryExpr>(expression)) {
    print_part(temporary->getSubExpr(), out);
    return true;
  }
  if (auto* value = dyn_cast<CXXScalarValueInitExpr>(expression)) {
    out << names_.type(value->getType()) << "()";
    return true;
  }
  if (isa<ImplicitValueInitExpr>(expression)) {
    out << "{}";
    return true;
  }
  if (auto* size = dyn_cast<UnaryExprOrTypeTraitExpr>(expression); size && size->isArgumentType()) {
    if (size->getKind() != UETT_SizeOf && size->getKind() != UETT_AlignOf) {
      failed_ = true;
      return true;
    }
    out << (size->getKind() == UETT_SizeOf ? "sizeof(" : "alignof(")
        << names_.type(size->getArgumentType()) << ")";
    return true;
  }
  if (auto* pack = dyn_cast<SizeOfPackExpr>(expression)) {
    out << "std::size_t{" << pack->getPackLength() << "}";
    return true;
  }
  if (auto* initialisers = dyn_cast<InitListExpr>(expression)) {
    const QualType type = initialisers->getType();
    if (!type->isVoidType() && type->isScalarType() && initialisers->getNumInits() <= 1) {
      out << "static_cast<" << names_.type(type.getUnqualifiedType()) << ">(";
      if (initialisers->getNumInits() == 1) {
        print_part(initialisers->getInit(0), out);
      } else {
        out << "0";
      }
      out << ")";
      return true;
    }
    if (!initialisers->getType()->isVoidType() && initialisers->getType()->isRecordType()) {
      out << names_.type(initialisers->getType().getUnqualifiedType());
      if (const CXXRecordDecl* record = type->getAsCXXRecordDecl(); record && record->isEmpty()) {
        out << "{}";  // Its bases have no values either.
        return true;
      }
    }
    out << "{";
    auto* semantic = initialisers->isSemanticForm()    ? initialisers
                     : initialisers->getSemanticForm() ? initialisers->getSemanticForm()
                                                       : initialisers;
    print_arguments(semantic->inits(), out);
    out << "}";
    return true;
  }
  if (auto* with_default = dyn_cast<CXXDefaultInitExpr>(expression)) {
    print_part(with_default->getExpr(), out);
    return true;
  }
  if (auto* lambda = dyn_cast<LambdaExpr>(expression); lambda && is_closed(*lambda)) {
    out << names_.type(lambda->getType()) << "{}";
    return true;
  }
  if (auto* allocation = dyn_cast<CXXNewExpr>(expression)) {
    print_new(allocation, out);
    return true;
  }
  if (auto* deletion = dyn_cast<CXXDeleteExpr>(expression)) {
    out << (deletion->isGlobalDelete() ? "::" : "")
        << (deletion->isArrayForm() ? "delete[] " : "delete ");
    print_part(deletion->getArgument(), out);
    return true;
  }
  if (isa<LambdaExpr, StmtExpr, CXXTypeidExpr, OffsetOfExpr, VAArgExpr, BlockExpr, CoawaitExpr,
          CoyieldExpr, CXXThrowExpr, TypeTraitExpr, RequiresExpr, CXXUuidofExpr>(expression)) {
    failed_ = true;
    return true;
  }
  return false;
}

}  // namespace ddx::compiler
