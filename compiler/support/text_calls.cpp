#include "compiler/support/text_calls.h"

#include "llvm/ADT/StringExtras.h"

namespace ddx::compiler {

bool calls_function(llvm::StringRef text) {
  for (std::size_t i = text.find('('); i != llvm::StringRef::npos; i = text.find('(', i + 1)) {
    const llvm::StringRef before = text.take_front(i);
    if (!before.empty() && (llvm::isAlnum(before.back()) || before.back() == '_') &&
        !before.ends_with(".size")) {
      return true;
    }
  }
  return false;
}

}  // namespace ddx::compiler
