/// \file
/// Which lines debuggers and diagnostics see in the text of derivatives.

#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace ddx::compiler {

/// The name of the text of derivatives, where it is not saved in a file.
inline constexpr llvm::StringLiteral derivatives_file = "<derivatives>";

/// Stands where what follows has no line of the user's any more.
inline constexpr llvm::StringLiteral own_place = "# 1 \"<derivatives>\" 3\n";

/// The text with the line of each such place in the file of this name, in the place of 1.
[[nodiscard]] std::string with_line_directives(llvm::StringRef text, llvm::StringRef name);

}  // namespace ddx::compiler
