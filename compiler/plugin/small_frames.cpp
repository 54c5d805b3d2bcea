#include "compiler/plugin/small_frames.h"

#include "compiler/support/long_functions.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

#include <vector>

namespace ddx::compiler {

namespace {

/// Whether synthesised text defines the function: its names begin with ddx_, in a namespace without
/// name.
bool is_synthesised(const llvm::Function& function) {
  llvm::StringRef name = function.getName();
  unsigned length = 0;
  return name.consume_front("_ZN12_GLOBAL__N_1") && !name.consumeInteger(10, length) &&
         name.starts_with("ddx_");
}

struct ShortFunctions : llvm::PassInfoMixin<ShortFunctions> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    std::vector<llvm::Function*> synthesised;
    for (llvm::Function& function : module) {
      if (is_synthesised(function)) {
        synthesised.push_back(&function);
      }
    }
    bool changed = false;
    for (llvm::Function* function : synthesised) {
      changed = split_if_long(*function) || changed;
    }
    return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  }

  static bool isRequired() { return true; }
};

struct SmallFrames : llvm::PassInfoMixin<SmallFrames> {
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses) {
    if (!is_synthesised(function) || function.hasFnAttribute(llvm::Attribute::SanitizeAddress)) {
      return llvm::PreservedAnalyses::all();
    }
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes.addPass(llvm::EarlyCSEPass());
    passes.addPass(llvm::SimplifyCFGPass());
    passes.run(function, analyses);
    return llvm::PreservedAnalyses::none();
  }

  static bool isRequired() { return true; }
};

}  // namespace

void keep_frames_small(clang::CodeGenOptions& options) {
  options.PassBuilderCallbacks.emplace_back([](llvm::PassBuilder& builder) {
    builder.registerPipelineStartEPCallback(
        [](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
          passes.addPass(ShortFunctions());
          if (level == llvm::OptimizationLevel::O0) {
            passes.addPass(llvm::createModuleToFunctionPassAdaptor(SmallFrames()));
          }
        });
  });
}

}  // namespace ddx::compiler
