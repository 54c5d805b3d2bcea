#include "compiler/plugin/pipeline.h"

#include "compiler/diagnostics/diagnostics.h"

namespace ddx::compiler {

std::string synthesize(const Pipeline& /*options*/, clang::Sema& sema, Names& /*names*/,
                       const Registry& /*registry*/, llvm::ArrayRef<Request> requests) {
  for (const Request& request : requests) {
    report(sema.getDiagnostics(), Diagnostic::CannotDifferentiate, request.where) << request.primal;
  }
  return {};
}

}  // namespace ddx::compiler
