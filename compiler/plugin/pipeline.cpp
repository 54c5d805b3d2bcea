#include "compiler/plugin/pipeline.h"

#include "compiler/derive/driver.h"

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
                     llvm::ArrayRef<Request> requests) {
  Types types(sema.Context, names);
  CastsToDerived casts_to_derived;
  ForwardsArguments forwards_arguments;
  const Context context{sema,     sema.Context,     names,       types,
                        registry, casts_to_derived, entry_parts, forwards_arguments};
  Driver driver(context, options);
  Synthesis result;
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
  return result;
}

}  // namespace ddx::compiler
