/// \file
/// Members of containers.

#pragma once

#include "compiler/lower/calls/call_rule.h"
#include "compiler/lower/part.h"

#include <optional>
#include <utility>
#include <vector>

namespace ddx::compiler {

/// Lowers members of containers.
class Containers : Part, public CallRule {
 public:
  using Part::Part;

  std::optional<ir::Value*> lower_by_rule(const CallSite& site) override;

  /// Calls a function of vector_members.h on an object that is being made.
  bool call_on(ir::Path target, llvm::StringRef name, const clang::Expr* source,
               llvm::ArrayRef<const clang::Expr*> arguments);

 private:
  /// A member of a vector of objects without tangent, which may be of a class that only moves:
  /// text. Returns: whether it is one.
  bool inactive_elements_call(const CallSite& site);
  /// The members of std::vector, std::array and std::pair that have a meaning of their own in the
  /// IR.
  bool container_call(const clang::CXXMethodDecl* method, const clang::Expr* source,
                      const clang::Expr* object, llvm::ArrayRef<const clang::Expr*> arguments,
                      ir::Value** value, std::optional<ir::Path>* reference);
  bool map_member(const clang::CXXMethodDecl* method, const clang::Expr* source,
                  const clang::Expr* object, ir::Value** value);
  std::optional<ir::Path> last_element(const ir::Path& path, clang::QualType element,
                                       clang::SourceLocation where);
  bool vector_member(llvm::StringRef name, const clang::Expr* source, const clang::Expr* object,
                     llvm::ArrayRef<const clang::Expr*> arguments,
                     std::optional<ir::Path>* reference);
};

}  // namespace ddx::compiler
