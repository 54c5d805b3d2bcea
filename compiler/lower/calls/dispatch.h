/// \file
/// Calls of one of several functions.

#pragma once

#include "compiler/lower/part.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <string>

namespace ddx::compiler {

struct Dispatch {
  ir::Path result;  ///< Without root where there is none.
  ir::Block* outer = nullptr;
  clang::SourceLocation where;
};

/// Calls one of several functions: a branch for each.
class Dispatcher : Part {
 public:
  using Part::Part;

  /// Declares what the call `source` returns.
  Dispatch begin_dispatch(const clang::Expr* source);
  /// What `call` does where `test` holds; what is lowered next belongs where it does not.
  void add_target(const Dispatch& dispatch, ir::Value* test,
                  llvm::function_ref<ir::Value*(std::optional<ir::Path>*)> call);
  /// Where no test held, `otherwise` throws. Sets `reference` to the result.
  ir::Value* end_dispatch(const Dispatch& dispatch, const std::string& otherwise,
                          llvm::ArrayRef<ir::Root*> reads, std::optional<ir::Path>* reference);
};

}  // namespace ddx::compiler
