#include "compiler/diagnostics/source_text.h"

#include "clang/Lex/Lexer.h"

namespace ddx::compiler {

namespace {

constexpr std::size_t longest = 60;

std::string in_one_line(llvm::StringRef text) {
  std::string line;
  for (const char c : text) {
    const bool is_space = clang::isWhitespace(static_cast<unsigned char>(c));
    if (!is_space || (!line.empty() && line.back() != ' ')) {
      line += is_space ? ' ' : c;
    }
  }
  if (line.size() > longest) {
    line.resize(longest - 3);
    line += "...";
  }
  return line;
}

}  // namespace

std::string source_text(const clang::Sema& sema, clang::SourceRange range) {
  const clang::SourceManager& sources = sema.getSourceManager();
  const auto tokens = sources.getExpansionRange(clang::CharSourceRange::getTokenRange(range));
  return in_one_line(clang::Lexer::getSourceText(tokens, sources, sema.getLangOpts()));
}

std::string call_text(const clang::Sema& sema, clang::SourceLocation where) {
  const clang::SourceManager& sources = sema.getSourceManager();
  const clang::SourceLocation begin = sources.getExpansionLoc(where);
  const auto [file, offset] = sources.getDecomposedLoc(begin);
  const llvm::StringRef buffer = sources.getBufferData(file);
  clang::Lexer lexer(sources.getLocForStartOfFile(file), sema.getLangOpts(), buffer.begin(),
                     buffer.begin() + offset, buffer.end());
  clang::Token token;
  unsigned depth = 0;
  bool is_last = false;
  do {
    is_last = lexer.LexFromRawLexer(token) || (depth == 0 && token.is(clang::tok::semi));
    depth += token.is(clang::tok::l_paren) ? 1 : 0;
    if (depth > 0 && token.is(clang::tok::r_paren)) {
      is_last = --depth == 0;
    }
  } while (!is_last);
  const std::size_t end = sources.getFileOffset(token.getLocation()) + token.getLength();
  return in_one_line(buffer.slice(offset, end));
}

}  // namespace ddx::compiler
