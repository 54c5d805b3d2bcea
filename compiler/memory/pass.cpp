#include "compiler/memory/pass.h"

#include "compiler/memory/errors.h"
#include "compiler/memory/parallel_regions.h"
#include "compiler/memory/unit.h"

#include "llvm/IR/Module.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

/// Calls `define(number, declared)` for each function of the unit named `prefix` and a number that
/// waits for its definition.
void for_each_declared(Module& module, StringRef prefix,
                       function_ref<void(StringRef, Function&)> define) {
  SmallVector<std::pair<std::string, Function*>> found;
  for (Function& function : module) {
    StringRef name = function.getName();
    name.consume_front("\01");
    if (function.isDeclaration() && name.consume_front(prefix)) {
      found.emplace_back(name.str(), &function);
    }
  }
  for (const auto& [number, function] : found) {
    define(number, *function);
  }
}

struct MemoryPass : PassInfoMixin<MemoryPass> {
  MemoryPass(const MemoryRules& rules, clang::DiagnosticsEngine& diagnostics,
             clang::SourceManager& sources)
      : rules(&rules), diagnostics(&diagnostics), sources(&sources) {}

  PreservedAnalyses run(Module& module, ModuleAnalysisManager& analyses) {
    const auto begins_request = [](const Function& function) {
      return function.getName().contains("ddx.memory.");
    };
    if (none_of(module, begins_request)) {
      return PreservedAnalyses::all();
    }
    make_parallel_regions(module);
    Errors errors(*diagnostics, *sources, *rules);
    auto& functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
    Unit unit(module, functions, *rules, errors);
    bool found = false;
    const auto serve = [&](StringRef prefix, function_ref<Function*(Function&)> derivative) {
      for_each_declared(module, prefix, [&](StringRef number, Function& declared) {
        found = true;
        Function& primal = *unit.labelled(("ddx.memory.primal." + number).str());
        declared.replaceAllUsesWith(derivative(primal));
        declared.eraseFromParent();
      });
    };
    serve("ddx.memory.forward.", [&](Function& f) { return unit.sweeps_of(f).forward; });
    serve("ddx.memory.reverse.", [&](Function& f) { return unit.sweeps_of(f).reverse; });
    serve("ddx.memory.tangent.", [&](Function& f) { return unit.tangent_of(f).tangent; });
    if (!found) {
      return PreservedAnalyses::all();
    }
    unit.run();
    remove_region_bodies(module);
    return PreservedAnalyses::none();
  }

  static bool isRequired() { return true; }

  const MemoryRules* rules;
  clang::DiagnosticsEngine* diagnostics;
  clang::SourceManager* sources;
};

}  // namespace

void register_pass(PassBuilder& builder, const MemoryRules& rules,
                   clang::DiagnosticsEngine& diagnostics, clang::SourceManager& sources) {
  builder.registerPipelineStartEPCallback(
      [&rules, &diagnostics, &sources](ModulePassManager& passes, OptimizationLevel) {
        passes.addPass(MemoryPass(rules, diagnostics, sources));
      });
}

}  // namespace ddx::compiler::memory
