#include "compiler/plugin/hidden_macros.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/MacroInfo.h"
#include "llvm/ADT/StringExtras.h"

namespace ddx::compiler {

namespace {

/// `_X` and `__x` are reserved; the others are read by system headers too.
bool configures_headers(llvm::StringRef name) {
  return name.starts_with("__") ||
         (name.size() > 1 && name.front() == '_' && llvm::isUpper(name[1])) || name == "NDEBUG" ||
         name.starts_with("DDX_");
}

bool is_of_user(const clang::SourceManager& sources, const clang::MacroInfo& macro) {
  const clang::SourceLocation where = macro.getDefinitionLoc();
  return where.isValid() && !macro.isBuiltinMacro() && !sources.isInSystemHeader(where) &&
         !sources.isWrittenInBuiltinFile(where);
}

}  // namespace

void HiddenMacros::hide(clang::Preprocessor& preprocessor) {
  for (const auto& [identifier, state] : preprocessor.macros()) {
    clang::MacroInfo* const macro = preprocessor.getMacroInfo(identifier);
    if (macro != nullptr && !configures_headers(identifier->getName()) &&
        is_of_user(preprocessor.getSourceManager(), *macro)) {
      hidden_.emplace_back(const_cast<clang::IdentifierInfo*>(identifier), macro);
    }
  }
  for (const auto& [identifier, macro] : hidden_) {
    preprocessor.appendMacroDirective(identifier,
                                      new (preprocessor.getPreprocessorAllocator())
                                          clang::UndefMacroDirective(macro->getDefinitionLoc()));
  }
}

void HiddenMacros::restore(clang::Preprocessor& preprocessor) {
  for (const auto& [identifier, macro] : hidden_) {
    preprocessor.appendDefMacroDirective(identifier, macro);
  }
  hidden_.clear();
}

}  // namespace ddx::compiler
