/// \file
/// `std::optional` and `std::variant`.

#pragma once

#include "compiler/lower/calls/call_rule.h"
#include "compiler/lower/part.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace ddx::compiler {

/// Lowers std::optional and std::variant.
class SumTypes : Part, public CallRule {
 public:
  using Part::Part;

  std::optional<ir::Value*> lower_by_rule(const CallSite& site) override;

  /// A new optional or variant: `target` holds what a default one does.
  bool initialise_sum_type(const ir::Path& target, const clang::CXXConstructExpr* construction);
  /// The members of std::optional and std::variant.
  bool sum_type_member(const clang::CXXMethodDecl* method, const clang::Expr* source,
                       const clang::Expr* object, llvm::ArrayRef<const clang::Expr*> arguments,
                       ir::Value** value, std::optional<ir::Path>* reference);
  /// `ddx::detail::held<I>(sum)` and similar, of which derivatives are written.
  bool runtime_sum_type_call(const clang::FunctionDecl* callee, const clang::Expr* source,
                             llvm::ArrayRef<const clang::Expr*> arguments,
                             std::optional<ir::Path>* reference);

 private:
  /// The functions of namespace std on what is optional or a variant. Returns: whether it is one.
  bool sum_type_function(const clang::FunctionDecl* callee, const clang::Expr* source,
                         llvm::ArrayRef<const clang::Expr*> arguments, ir::Value** value,
                         std::optional<ir::Path>* reference);
  struct Visitor;
  ir::Value* text_about(const ir::Path& path, const std::string& behind, clang::QualType type,
                        clang::SourceLocation where);
  ir::Value* is_alternative(const ir::Path& sum, unsigned part, clang::SourceLocation where);
  void check_access(const ir::Path& sum, const std::string& before, const std::string& behind,
                    clang::SourceLocation where);
  bool hold(const ir::Path& sum, unsigned part, ir::Value* value, clang::SourceLocation where);
  ir::Value* made_value(clang::QualType type, llvm::ArrayRef<const clang::Expr*> arguments,
                        clang::SourceLocation where);
  std::optional<unsigned> alternative_of(clang::QualType sum, clang::QualType given);
  std::optional<unsigned> alternative_named(const clang::TemplateArgument& name,
                                            clang::QualType sum);
  bool visit(const clang::Expr* source, const clang::Expr* visitor,
             llvm::ArrayRef<const clang::Expr*> sums, ir::Value** value,
             std::optional<ir::Path>* reference);
  bool visit_alternatives(const clang::Expr* source, const Visitor& visitor,
                          llvm::ArrayRef<const clang::Expr*> sums, llvm::ArrayRef<ir::Path> paths,
                          llvm::SmallVector<clang::Expr*> held,
                          const std::optional<ir::Path>& result);
  bool call_visitor(const clang::Expr* source, const Visitor& visitor,
                    llvm::ArrayRef<clang::Expr*> held, const std::optional<ir::Path>& result);
};

}  // namespace ddx::compiler
