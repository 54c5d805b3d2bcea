/// \file
/// Virtual calls, and the classes of objects.

#pragma once

#include "compiler/lower/calls/receiver.h"
#include "compiler/lower/part.h"

#include <optional>

namespace ddx::compiler {

/// Lowers virtual calls, and finds the class of objects.
class VirtualCalls : Part {
 public:
  using Part::Part;

  /// The class of the whole object that `path` names or names a base of, where it is known; `whole`
  /// is then the object's path.
  const clang::CXXRecordDecl* class_of(const ir::Path& path, ir::Path* whole);
  /// The part of `object`, of class `record`, that is the base class `base`.
  std::optional<ir::Path> part_of_class(ir::Path object, const clang::CXXRecordDecl* record,
                                        const clang::CXXRecordDecl* base);
  /// Passes the whole object to a parameter that is a base class of it, so that the callee knows
  /// the class too.
  bool expand_whole(ir::Statement* call, const ir::Path& path, bool is_constant);
  /// A virtual call: of the overrider, where the object's class is known; else a branch for each
  /// class of the unit that the object may have.
  ir::Value* call_virtual(const clang::CXXMethodDecl* method, const clang::Expr* source,
                          const Receiver& object, llvm::ArrayRef<const clang::Expr*> arguments,
                          std::optional<ir::Path>* reference);
};

}  // namespace ddx::compiler
