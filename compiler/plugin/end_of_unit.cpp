#include "compiler/plugin/end_of_unit.h"

#include "compiler/diagnostics/diagnostics.h"
#include "compiler/plugin/small_frames.h"
#include "compiler/request/request.h"
#include "compiler/support/large_stack.h"
#include "compiler/support/line_directives.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Pragma.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace ddx::compiler {
namespace {

constexpr llvm::StringLiteral pragma_space = "__ddx";
constexpr llvm::StringLiteral separator_pragma = "end_of_text";
constexpr llvm::StringLiteral round_pragma = "synthesize";

/// How deep brackets may stand in one another in derivatives. Clang allows 256 by default; a chain
/// of `else if` has no brackets in the user's text, and one pair for each link in the derivative's.
/// More of them could exhaust the parser's stack.
constexpr unsigned bracket_depth = 1500;

/// Rounds that an entry may wait for others; it comes to more only where it waits for itself, while
/// what is written meanwhile asks for ever new ones.
constexpr unsigned most_waits = 24;

std::string line_of(llvm::StringRef pragma) {
  return ("#pragma " + pragma_space + " " + pragma + "\n").str();
}

/// Where Clang places the end of a file: on its last line break, if it ends with one.
std::size_t end_of_file_offset(llvm::StringRef text) {
  if (text.ends_with("\r\n") || text.ends_with("\n\r")) {
    return text.size() - 2;
  }
  return text.ends_with("\n") || text.ends_with("\r") ? text.size() - 1 : text.size();
}

class Handler final : public clang::PragmaHandler {
 public:
  Handler(llvm::StringRef name, std::function<void(clang::SourceLocation)> action)
      : PragmaHandler(name), action_(std::move(action)) {}

  void HandlePragma(clang::Preprocessor& preprocessor, clang::PragmaIntroducer /*introducer*/,
                    clang::Token& first) override {
    const clang::SourceLocation where = first.getLocation();
    clang::Token token;
    do {
      preprocessor.LexUnexpandedToken(token);
    } while (token.isNot(clang::tok::eod));
    action_(where);
  }

 private:
  std::function<void(clang::SourceLocation)> action_;
};

}  // namespace

EndOfUnit::EndOfUnit(clang::CompilerInstance& compiler, Options options)
    : compiler_(compiler),
      options_(std::move(options)),
      access_control_(compiler.getLangOpts().AccessControl) {}

void EndOfUnit::install(clang::CompilerInstance& compiler, Options options) {
  clang::SourceManager& sources = compiler.getSourceManager();
  const auto file = sources.getFileEntryRefForID(sources.getMainFileID());
  if (!file) {
    return;
  }
  auto unit = std::make_shared<EndOfUnit>(compiler, std::move(options));
  const llvm::StringRef text = sources.getBufferData(sources.getMainFileID());
  const auto end = static_cast<int>(end_of_file_offset(text));
  // Two line breaks, because the text may end inside a line or with a backslash.
  const std::string extended =
      text.str() + "\n\n" + line_of(separator_pragma) + line_of(round_pragma);
  sources.overrideFileContents(*file,
                               llvm::MemoryBuffer::getMemBufferCopy(extended, file->getName()));
  // The identifier that the main file has already reserves locations for the text of old alone.
  sources.setMainFileID(sources.createFileID(*file, {}, clang::SrcMgr::C_User));
  unit->end_of_text_ = sources.getLocForStartOfFile(sources.getMainFileID()).getLocWithOffset(end);

  clang::Preprocessor& preprocessor = compiler.getPreprocessor();
  // The preprocessor owns its handlers, and they own the unit.
  preprocessor.AddPragmaHandler(
      pragma_space,
      std::make_unique<Handler>(separator_pragma, [unit](auto) { unit->separate(); }).release());
  preprocessor.AddPragmaHandler(pragma_space,
                                std::make_unique<Handler>(round_pragma, [unit](auto where) {
                                  unit->run_round(where);
                                }).release());
}

void EndOfUnit::separate() {
  // What the text leaves open is reported at these tokens, hence their place.
  clang::Preprocessor& preprocessor = compiler_.getPreprocessor();
  std::vector<clang::Token> tokens;
  const auto add = [&](clang::tok::TokenKind kind, const char* keyword) {
    clang::Token& token = tokens.emplace_back();
    token.startToken();
    token.setKind(kind);
    token.setLocation(end_of_text_);
    if (keyword != nullptr) {
      token.setIdentifierInfo(preprocessor.getIdentifierInfo(keyword));
    }
  };
  add(clang::tok::kw_static_assert, "static_assert");
  add(clang::tok::l_paren, nullptr);
  add(clang::tok::kw_true, "true");
  add(clang::tok::r_paren, nullptr);
  add(clang::tok::semi, nullptr);
  // Sema is not yet at rest when the first semicolon is read; it is when an empty declaration ends.
  add(clang::tok::semi, nullptr);
  tokens.front().setFlag(clang::Token::StartOfLine);
  for (const clang::diag::kind id :
       {clang::diag::warn_cxx98_compat_static_assert,
        clang::diag::warn_cxx14_compat_static_assert_no_message,
        clang::diag::ext_cxx_static_assert_no_message,
        clang::diag::warn_cxx98_compat_top_level_semi, clang::diag::ext_extra_semi_cxx11,
        clang::diag::warn_null_statement}) {
    compiler_.getDiagnostics().setSeverity(id, clang::diag::Severity::Ignored, end_of_text_);
  }
  auto owned = std::make_unique<clang::Token[]>(tokens.size());
  std::ranges::copy(tokens, owned.get());
  preprocessor.EnterTokenStream(std::move(owned), static_cast<unsigned>(tokens.size()),
                                /*DisableMacroExpansion=*/true, /*IsReinject=*/false);
}

void EndOfUnit::run_round(clang::SourceLocation pragma) {
  hidden_macros_.restore(compiler_.getPreprocessor());
  clang::Sema& sema = compiler_.getSema();
  if (sema.getCurScope() != sema.TUScope) {
    enter_end_of_file();
    return;
  }
  StageTimes* const times = options_.pipeline.times.get();
  bool last = true;
  const bool instantiated = instantiate_pending();
  const auto report_times = llvm::make_scope_exit([&] {
    if (times != nullptr && last) {
      times->print(llvm::errs());
    }
  });
  if (times != nullptr) {
    times->end_parsing();
  }
  if (!instantiated) {
    return;
  }
  clang::DiagnosticsEngine& diagnostics = sema.getDiagnostics();
  if (round_ == 0) {
    analyse_shapes();
    if (diagnostics.hasErrorOccurred()) {
      return;
    }
  }
  std::vector<Request> requests;
  {
    const StageTimes::Span span(times, Timed::Find);
    if (!names_) {
      names_.emplace(sema);
      registry_.emplace(sema);
    }
    registry_->update();
    requests = find_requests(sema, served_);
  }
  if (options_.pipeline.prints(Stage::Request)) {
    print(*options_.pipeline.out, sema, requests);
  }
  if (requests.empty()) {
    return;
  }
  last_request_ = requests.front().where;
  Synthesis made = synthesis_of(requests);
  // After an error Clang says nothing of entries without a definition, so there is nothing to add.
  if (diagnostics.hasErrorOccurred()) {
    return;
  }
  const auto waits_in_vain = [&](const clang::FunctionDecl* entry) {
    return ++waited_[entry->getCanonicalDecl()] > most_waits;
  };
  if (made.text.empty() || llvm::any_of(made.postponed, waits_in_vain)) {
    report(diagnostics, Diagnostic::DerivativeOfItself, last_request_);
    return;
  }
  mark_served(requests, made.postponed);
  last = false;
  if (times != nullptr) {
    times->begin_parsing(made.text.size());
  }
  if (made.add_passes) {
    made.add_passes(compiler_.getCodeGenOpts());
  }
  enter_derivatives(std::move(made.text), pragma);
}

void EndOfUnit::mark_served(const std::vector<Request>& requests,
                            llvm::ArrayRef<const clang::FunctionDecl*> postponed) {
  for (const Request& request : requests) {
    if (llvm::is_contained(postponed, request.entry)) {
      served_.erase(request.entry->getCanonicalDecl());
    } else {
      // Else an explicit specialisation comes "after instantiation".
      request.entry->getTemplateSpecializationInfo()->setPointOfInstantiation({});
    }
  }
}

void EndOfUnit::analyse_shapes() {
  const StageTimes::Span span(options_.pipeline.times.get(), Timed::Shapes);
  run_on_large_stack([&] {
    shapes::analyse(compiler_.getASTContext(), compiler_.getDiagnostics(), options_.shapes,
                    options_.pipeline.prints(Stage::Shapes) ? options_.pipeline.out : nullptr);
  });
}

Synthesis EndOfUnit::synthesis_of(const std::vector<Request>& requests) {
  Synthesis made;
  run_on_large_stack([&] {
    made = synthesize(options_.pipeline, compiler_.getSema(), *names_, *registry_, entry_parts_,
                      memory_rules_, requests);
  });
  return made;
}

/// Makes the parser see the end of the file at the end of the user's text: a brace or parenthesis
/// is open there.
void EndOfUnit::enter_end_of_file() {
  clang::Token end;
  end.startToken();
  end.setKind(clang::tok::eof);
  end.setLocation(end_of_text_);
  compiler_.getPreprocessor().EnterToken(end, /*IsReinject=*/false);
}

/// Performs what Sema would perform at the end of the file, and returns whether the unit is free of
/// errors.
bool EndOfUnit::instantiate_pending() {
  clang::Sema& sema = compiler_.getSema();
  clang::DiagnosticsEngine& diagnostics = sema.getDiagnostics();
  if (!diagnostics.hasUncompilableErrorOccurred()) {
    // Templates that the derivatives instantiated are theirs, so access is checked again only after
    // them.
    sema.DefineUsedVTables();
    sema.PerformPendingInstantiations();
  }
  compiler_.getLangOpts().AccessControl = access_control_;
  if (!diagnostics.hasUncompilableErrorOccurred()) {
    return true;
  }
  if (round_ > 0) {
    report(diagnostics, Diagnostic::DerivativesDoNotCompile, last_request_);
  }
  return false;
}

void EndOfUnit::enter_derivatives(std::string text, clang::SourceLocation pragma) {
  if (++round_ == 1) {
    keep_frames_small(compiler_.getCodeGenOpts());
  }
  const std::string name = options_.save_folder.empty() ? derivatives_file.str() : saved_path();
  text = with_line_directives(text, name);
  if (options_.pipeline.prints(Stage::Derivatives)) {
    *options_.pipeline.out << text;
    options_.pipeline.out->flush();
  }
  if (!options_.save_folder.empty()) {
    save(text, name);
  }
  text += "\n;\n" + line_of(round_pragma);
  compiler_.getLangOpts().AccessControl = false;
  compiler_.getLangOpts().BracketDepth =
      std::max(compiler_.getLangOpts().BracketDepth, bracket_depth);
  const clang::FileID file = compiler_.getSourceManager().createFileID(
      llvm::MemoryBuffer::getMemBufferCopy(text, name), clang::SrcMgr::C_System, 0, 0, pragma);
  hidden_macros_.hide(compiler_.getPreprocessor());
  compiler_.getPreprocessor().EnterSourceFile(file, nullptr, pragma);
}

/// The path of the text of this round, below the folder of the options.
std::string EndOfUnit::saved_path() const {
  const clang::SourceManager& sources = compiler_.getSourceManager();
  const auto main = sources.getFileEntryRefForID(sources.getMainFileID());
  const std::string stem = llvm::sys::path::stem(main->getName()).str();
  const std::string number = round_ == 1 ? "" : "." + std::to_string(round_);
  llvm::SmallString<128> path(options_.save_folder);
  llvm::sys::path::append(path, stem + ".derivatives" + number + ".cpp");
  return path.str().str();
}

/// Writes `text` to a file.
void EndOfUnit::save(const std::string& text, const std::string& path) {
  std::error_code error = llvm::sys::fs::create_directories(options_.save_folder);
  if (!error) {
    llvm::raw_fd_ostream out(path, error);
    if (!error) {
      out << text;
      out.close();
      error = out.error();
      out.clear_error();
    }
  }
  if (error) {
    report(compiler_.getDiagnostics(), Diagnostic::CannotSave, {}) << path << error.message();
  }
}

}  // namespace ddx::compiler
