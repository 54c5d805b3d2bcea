#include "compiler/memory/pass.h"

#include "compiler/memory/errors.h"
#include "compiler/memory/parallel_regions.h"
#include "compiler/memory/unit.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <memory>

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
    Errors errors(*diagnostics, *sources, *rules);
    const bool has_places = module.getNamedMetadata("llvm.dbg.cu") != nullptr;
    if (!has_places) {
      errors.hold();
    }
    auto& functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
    const bool changed = define_all(module, functions, errors);
    if (errors.any() && !has_places && !(rules->located_module && report_with_places())) {
      errors.release();
    }
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }

  /// Defines what waits; false where nothing does.
  bool define_all(Module& module, FunctionAnalysisManager& functions, Errors& errors) {
    make_parallel_regions(module);
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
    if (found) {
      unit.run();
      remove_region_bodies(module);
    }
    return found;
  }

  /// After an error in IR without places: repeats the work on IR that has them, for the sake of the
  /// messages. Returns whether it reported an error.
  bool report_with_places() {
    LLVMContext context;
    const std::unique_ptr<Module> located = rules->located_module(context);
    if (!located) {
      return false;
    }
    LoopAnalysisManager of_loops;
    FunctionAnalysisManager of_functions;
    CGSCCAnalysisManager of_components;
    ModuleAnalysisManager of_modules;
    PassBuilder builder;
    builder.registerModuleAnalyses(of_modules);
    builder.registerCGSCCAnalyses(of_components);
    builder.registerFunctionAnalyses(of_functions);
    builder.registerLoopAnalyses(of_loops);
    builder.crossRegisterProxies(of_loops, of_functions, of_components, of_modules);
    Errors errors(*diagnostics, *sources, *rules);
    define_all(*located, of_functions, errors);
    return errors.any();
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
