#include "compiler/plugin/pipeline.h"

#include "compiler/derive/driver.h"
#include "compiler/memory/pass.h"
#include "compiler/plugin/located_module.h"

namespace ddx::compiler {

namespace {

// Tangents of C arrays, and zeros shaped like an object whose class has no tangent of its own.
constexpr const char* prelude = R"(#ifndef DDX_SYNTHESISED_PRELUDE
#define DDX_SYNTHESISED_PRELUDE
#include <ddx/ad/detail/synthesised.h>
#endif
)";

}  // namespace

Synthesis synthesize(const PipelineOptions& options, clang::Sema& sema, Names& names,
                     const Registry& registry, EntryParts& entry_parts,
                     const std::shared_ptr<MemoryRules>& memory_rules,
                     llvm::ArrayRef<Request> requests) {
  Types types(sema.Context, names);
  Copies copies(types);
  ForwardsArguments forwards_arguments;
  HeldDiagnostics held(sema.getDiagnostics());
  const Context context{sema,          sema.Context, names,       types,
                        copies,        registry,     entry_parts, forwards_arguments,
                        *memory_rules, held.engine()};
  Driver driver(context, options, held);
  Synthesis result;
  const bool is_first = memory_rules->requests.empty();
  std::string entries;
  bool accepted = true;
  for (const Request& request : requests) {
    const std::string entry = driver.entry(request);
    if (driver.take_deferred()) {
      result.postponed.push_back(request.entry);
      continue;
    }
    accepted = accepted && !entry.empty();
    entries += entry;
  }
  entries = driver.take_entry_parts() + entries;
  if (accepted && !entries.empty()) {
    result.text = prelude + ("namespace {\n" + driver.take_text() + "}  // namespace\n") + entries;
  }
  if (is_first && !memory_rules->requests.empty()) {
    result.add_passes = [memory_rules, &sema, &diagnostics = sema.getDiagnostics(),
                         &sources = sema.getSourceManager()](clang::CodeGenOptions& options) {
      options.ClearASTBeforeBackend = false;  // The rules look up places in it.
      memory_rules->located_module = [&ast = sema.Context, &preprocessor = sema.getPreprocessor(),
                                      &options,
                                      &rules = *memory_rules](llvm::LLVMContext& context) {
        return located_module(ast, preprocessor, options, context, rules.coroutines);
      };
      options.PassBuilderCallbacks.emplace_back(
          [memory_rules, &diagnostics, &sources](llvm::PassBuilder& builder) {
            memory::register_pass(builder, *memory_rules, diagnostics, sources);
          });
    };
  }
  return result;
}

}  // namespace ddx::compiler
