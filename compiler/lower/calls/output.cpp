#include "compiler/lower/builder.h"
#include "compiler/lower/calls/inactive_calls.h"
#include "compiler/lower/effect_finder.h"
#include "compiler/lower/texts.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

bool is_output_stream(QualType type) {
  const CXXRecordDecl* record = Types::record(type);
  if (!record || !in_library(record)) {
    return false;
  }
  const auto named = [](const CXXRecordDecl* one) {
    return one->getIdentifier() && one->getName() == "basic_ostream";
  };
  return named(record) || llvm::any_of(record->bases(), [&](const CXXBaseSpecifier& base) {
           return is_output_stream(base.getType());
         });
}

/// The standard output and error streams, from which nothing can be read back.
bool is_standard_stream(const Expr* expression) {
  const auto* named = dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts());
  return named && in_library(named->getDecl()) &&
         llvm::is_contained({"cout", "cerr", "clog"}, named->getDecl()->getNameAsString());
}

/// The stream at the left end of a chain of `<<`; null for other expressions.
const Expr* stream_of(const CallExpr* call) {
  const FunctionDecl* callee = call->getDirectCallee();
  if (!callee || !is_output_stream(call->getType())) {
    return nullptr;
  }
  const Expr* left = nullptr;
  if (isa<CXXOperatorCallExpr>(call) && callee->getOverloadedOperator() == OO_LessLess) {
    left = call->getArg(0);
  } else if (const auto* member = dyn_cast<CXXMemberCallExpr>(call); member && in_library(callee)) {
    left = member->getImplicitObjectArgument();
  }
  if (!left || !is_output_stream(left->getType())) {
    return nullptr;
  }
  const Expr* bare = left->IgnoreParenImpCasts();
  if (const auto* inner = dyn_cast<CallExpr>(bare)) {
    return stream_of(inner);
  }
  return bare;
}

bool is_named(const CallExpr* call, llvm::ArrayRef<llvm::StringRef> names) {
  const FunctionDecl* callee = call->getDirectCallee();
  return callee && callee->getIdentifier() && (callee->isExternC() || in_library(callee)) &&
         llvm::is_contained(names, callee->getName());
}

/// printf and similar: what they receive is written, never read back.
bool prints(const CallExpr* call) {
  return is_named(call, {"printf", "fprintf", "puts", "fputs", "putchar", "fputc", "fflush"});
}

/// Those that write into an array of characters.
bool assigns_character(const CallExpr* call) {
  return call->getNumArgs() > 0 && is_named(call, {"snprintf", "sprintf"});
}

}  // namespace

bool InactiveCalls::write_output(const Expr* expression) {
  const auto* call = dyn_cast<CallExpr>(expression);
  const Expr* stream = call ? stream_of(call) : nullptr;
  const bool to_array = call && assigns_character(call);
  if (!call || (!stream && !to_array && !prints(call))) {
    return false;
  }
  Effects found = effects_.of(expression);
  if (to_array) {
    const Effects array = effects_.of(call->getArg(0));
    found.writes.append(array.reads.begin(), array.reads.end());
    if (llvm::any_of(found.writes, [](const Root* root) { return root->has_tangent; })) {
      return false;  // It lies in an object with numbers.
    }
  }
  const auto text = found.lowers ? std::nullopt : texts_.text_of(expression);
  if (!text) {
    return false;
  }
  ir::Statement* statement = builder_.add(ir::Statement::Kind::Text, expression->getExprLoc());
  statement->text = *text;
  effects_.note(statement, found);
  statement->harmless = !to_array && (!stream || is_standard_stream(stream));
  return true;
}

}  // namespace ddx::compiler
