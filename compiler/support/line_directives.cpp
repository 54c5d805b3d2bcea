#include "compiler/support/line_directives.h"

#include <string>

namespace ddx::compiler {

std::string with_line_directives(llvm::StringRef text, llvm::StringRef name) {
  std::string result;
  unsigned line = 1;
  while (!text.empty()) {
    const auto [first, rest] = text.split('\n');
    const llvm::StringRef whole = text.take_front(text.size() - rest.size());
    text = rest;
    if (whole == own_place) {
      if (text.starts_with("# ")) {
        continue;  // Another place follows at once.
      }
      result += "# " + std::to_string(line + 1) + " \"" + name.str() + "\" 3\n";
    } else {
      result += whole;
    }
    ++line;
  }
  return result;
}

}  // namespace ddx::compiler
