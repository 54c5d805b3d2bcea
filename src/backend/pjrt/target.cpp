#include "ddx/backend/pjrt.h"
#include "ddx/backend/pjrt_target.h"
#include "ddx/core/error.h"

#include "backend/pjrt/compile_options.h"
#include "backend/pjrt/named_value.h"
#include "backend/pjrt/platform.h"
#include "backend/pjrt/program_memory.h"
#include "backend/pjrt/program_text.h"
#include "backend/pjrt/topology.h"

#include <array>
#include <span>
#include <string>

namespace ddx::backend {

PjrtProgramMemory compile_for(const PjrtTarget& target, const PjrtProgram& program,
                              std::span<const PjrtOption> flags) {
  if (target.device_count < 1) {
    throw UsageError("compile_for", "a target of " + std::to_string(target.device_count) +
                                        " devices; there must be at least one");
  }
  const std::array<pjrt::Named, 2> options{
      pjrt::Named{"target_config", target.description},
      pjrt::Named{"topology", "1x1x" + std::to_string(target.device_count)}};
  const pjrt::Topology topology(pjrt::Platform::plugin_of(target.plugin), options);
  return pjrt::reported(topology.compile(
      {.text = program.text}, program.options + pjrt::encoded_flags(pjrt::named(flags))));
}

}  // namespace ddx::backend
