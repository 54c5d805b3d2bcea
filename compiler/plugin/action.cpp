/// \file
/// What Clang finds when it loads the plugin.

#include "compiler/plugin/end_of_unit.h"
#include "compiler/plugin/options.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ddx::compiler {
namespace {

class Action final : public clang::PluginASTAction {
 public:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef /*file*/) override {
    // A precompiled header or module is served with the units that use it.
    if (compiler.getLangOpts().CPlusPlus &&
        compiler.getPreprocessor().TUKind == clang::TU_Complete) {
      EndOfUnit::install(compiler, std::move(options_));
    }
    return std::make_unique<clang::ASTConsumer>();
  }

  bool ParseArgs(const clang::CompilerInstance& compiler,
                 const std::vector<std::string>& arguments) override {
    std::optional<Options> options = parse_options(arguments, compiler.getDiagnostics());
    if (options) {
      options_ = std::move(*options);
    }
    return options.has_value();
  }

  // The main file must be extended before the main action enters it.
  ActionType getActionType() override { return AddBeforeMainAction; }

 private:
  Options options_;
};

const clang::FrontendPluginRegistry::Add<Action> registered(
    "ddx", "differentiates functions ahead of time");

}  // namespace
}  // namespace ddx::compiler
