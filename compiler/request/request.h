/// \file
/// What a translation unit asks the compiler to differentiate.

#pragma once

#include "compiler/request/call_sites.h"

#include "clang/AST/Decl.h"
#include "clang/Basic/SourceLocation.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

namespace ddx::compiler {

/// One entry point to define: an instantiation of an entry template of `ddx/ad/detail/entry.h`.
struct Request {
  enum class Kind {
    ValueWithGradient,  ///< `value_with_gradient_entry(f, tangents, args...)`
    Rows,               ///< `value_with_rows_entry(f, rows, args...)`
    Pullback,           ///< `pullback_entry(f, args...)`
    Differential,       ///< `value_with_differential_entry(f, differential, args..., tangents...)`
  };

  Kind kind;
  clang::FunctionDecl* entry;       ///< Declared, used, not defined.
  clang::FunctionDecl* primal;      ///< The matching `primal<F, Args...>`, with its body.
  llvm::SmallVector<unsigned> wrt;  ///< Positions in Args of the selected arguments, as listed.
  llvm::SmallVector<NamedFunction>
      targets;                  ///< If F is a pointer: functions passed by name, in source order.
  clang::SourceLocation where;  ///< The user's call of the operator.
  /// The function and the call are written by the user, and the call is not in a template: there,
  /// what depends on what may change from one instantiation to the next.
  bool by_user = false;
};

/// Finds the entries of `sema`'s unit that are used and undefined, and adds them to `served`.
///
/// Pending instantiations must have been performed. Entries already in `served` are left out, so
/// that each is asked for once, whatever becomes of it.
///
/// Returns: the requests in the order of their places in the source.
/// Cost:    a few name lookups when there is none; else one walk over the unit without namespace
///          std.
std::vector<Request> find_requests(clang::Sema& sema,
                                   llvm::SmallPtrSetImpl<const clang::FunctionDecl*>& served);

/// Prints one line per request: place, kind, signature, selected arguments, targets.
void print(llvm::raw_ostream& out, const clang::Sema& sema, llvm::ArrayRef<Request> requests);

}  // namespace ddx::compiler
