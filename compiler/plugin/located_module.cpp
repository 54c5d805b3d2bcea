#include "compiler/plugin/located_module.h"

#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Lex/HeaderSearch.h"

#include <utility>

namespace ddx::compiler {

namespace {

/// Gives a generator the definitions of a unit; it emits what is used.
class Replay : public clang::RecursiveASTVisitor<Replay> {
 public:
  Replay(clang::CodeGenerator& generator, clang::ASTContext& ast, llvm::StringSet<>& coroutines)
      : generator_(generator), names_(ast), coroutines_(coroutines) {}

  static bool shouldVisitTemplateInstantiations() { return true; }
  static bool shouldVisitImplicitCode() { return true; }

  /// What functions contain is emitted with them.
  static bool TraverseStmt(clang::Stmt* /*statement*/) { return true; }

  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    if (!function->isThisDeclarationADefinition() || function->isDependentContext()) {
      return true;
    }
    if (llvm::isa_and_nonnull<clang::CoroutineBodyStmt>(function->getBody())) {
      coroutines_.insert(names_.getName(function));
    } else {
      generator_.HandleTopLevelDecl(clang::DeclGroupRef(function));
    }
    return true;
  }

  bool VisitVarDecl(clang::VarDecl* variable) {
    if (variable->isFileVarDecl() && !variable->getDeclContext()->isDependentContext() &&
        !variable->getType()->isDependentType() && !variable->getDescribedVarTemplate() &&
        variable->isThisDeclarationADefinition() == clang::VarDecl::Definition) {
      generator_.HandleTopLevelDecl(clang::DeclGroupRef(variable));
    }
    return true;
  }

 private:
  clang::CodeGenerator& generator_;
  clang::ASTNameGenerator names_;
  llvm::StringSet<>& coroutines_;
};

}  // namespace

std::unique_ptr<llvm::Module> located_module(clang::ASTContext& ast,
                                             const clang::Preprocessor& preprocessor,
                                             clang::CodeGenOptions options,
                                             llvm::LLVMContext& context,
                                             llvm::StringSet<>& coroutines) {
  options.setDebugInfo(llvm::codegenoptions::LocTrackingOnly);
  clang::DiagnosticsEngine& unit = ast.getDiagnostics();
  clang::IgnoringDiagConsumer ignoring;
  clang::DiagnosticsEngine muted(unit.getDiagnosticIDs(), &unit.getDiagnosticOptions(), &ignoring,
                                 /*ShouldOwnClient=*/false);
  muted.setSourceManager(&ast.getSourceManager());
  const std::unique_ptr<clang::CodeGenerator> generator(clang::CreateLLVMCodeGen(
      muted, "located", &ast.getSourceManager().getFileManager().getVirtualFileSystem(),
      preprocessor.getHeaderSearchInfo().getHeaderSearchOpts(), preprocessor.getPreprocessorOpts(),
      options, context));
  generator->Initialize(ast);
  Replay(*generator, ast, coroutines).TraverseDecl(ast.getTranslationUnitDecl());
  generator->HandleTranslationUnit(ast);
  return std::unique_ptr<llvm::Module>(generator->ReleaseModule());
}

}  // namespace ddx::compiler
