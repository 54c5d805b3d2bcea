#include "compiler/memory/origin.h"

#include "llvm/Support/raw_ostream.h"

namespace ddx::compiler::memory {

std::string name_of_caller(const Origin& callees) {
  std::string name = "ddx.indirect." + callees.modes + (callees.modes.empty() ? "" : ".");
  llvm::raw_string_ostream(name) << *callees.type;
  return name;
}

}  // namespace ddx::compiler::memory
