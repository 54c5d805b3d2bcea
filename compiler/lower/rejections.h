/// \file
/// What the IR cannot express.

#pragma once

#include "compiler/lower/part.h"

#include <optional>
#include <string>
#include <vector>

namespace ddx::compiler {

struct RejectionCause {
  Diagnostic diagnostic;
  std::vector<std::string> facts;
  clang::SourceLocation where;
};

/// Rejects what the IR cannot express, with the reason that a reader of the source can act on.
class Rejections : Part {
 public:
  using Part::Part;

  /// Appends an Unsupported statement with the text of `statement`. Returns: its value as text,
  /// which is inactive; null where it has none.
  ir::Value* unsupported(const clang::Stmt* statement,
                         Diagnostic diagnostic = Diagnostic::UnsupportedExpression,
                         std::vector<std::string> facts = {});
  /// The call as a whole is what cannot be done; its argument says why.
  ir::Value* unsupported_argument(const clang::Expr* call, const clang::Expr* argument);
  /// Rejects what cannot stand as text either, active or not.
  void lose(const clang::Stmt* statement, Diagnostic diagnostic,
            std::vector<std::string> facts = {});
  /// The part of `statement` that cannot be expressed, and why; nothing where no part is known.
  std::optional<RejectionCause> find_cause(const clang::Stmt* statement);

 private:
  void touch_paths(const clang::Stmt* statement, ir::Statement* into);
  std::optional<RejectionCause> explain(const clang::Stmt* statement, Diagnostic diagnostic);
  std::optional<RejectionCause> explain_member(const clang::MemberExpr* member);
  std::optional<RejectionCause> explain_cast(const clang::CastExpr* cast);
  void note_unplaced(const clang::Stmt* statement, ir::Statement* into);
};

}  // namespace ddx::compiler
