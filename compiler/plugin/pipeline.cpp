#include "compiler/plugin/pipeline.h"

#include "compiler/derive/deriver.h"

namespace ddx::compiler {

namespace {

// Tangents of C arrays, and zeros shaped like an object whose class has no tangent of its own.
constexpr const char* prelude = R"(#ifndef DDX_SYNTHESISED_PRELUDE
#define DDX_SYNTHESISED_PRELUDE
#include <ddx/ad/detail/synthesised.h>
#endif
)";

}  // namespace

Synthesis synthesize(const Pipeline& options, clang::Sema& sema, Names& names,
                     const Registry& registry, EntryParts& entry_parts,
                     llvm::ArrayRef<Request> requests) {
  Types types(sema.Context, names);
  Downcasts downcasts;
  HandingOn handing_on;
  const Context context{sema,     sema.Context, names,       types,
                        registry, downcasts,    entry_parts, handing_on};
  Deriver deriver(context, options);
  Synthesis result;
  std::string entries;
  bool accepted = true;
  for (const Request& request : requests) {
    const std::string entry = deriver.entry(request);
    if (deriver.take_waiting()) {
      result.postponed.push_back(request.entry);
      continue;
    }
    accepted = accepted && !entry.empty();
    entries += entry;
  }
  entries = deriver.take_entry_parts() + entries;
  if (accepted && !entries.empty()) {
    result.text = prelude + ("namespace {\n" + deriver.take_text() + "}  // namespace\n") + entries;
  }
  return result;
}

}  // namespace ddx::compiler
