#include "backend/pjrt/program_memory.h"

#include "ddx/backend/pjrt.h"

#include "backend/pjrt/api.h"

#include <optional>

namespace ddx::backend::pjrt {

std::optional<ProgramMemory> memory_of(const Api& api, RawExecutable* executable) {
  ExecutableGetCompiledMemoryStatsArgs memory{.head = {}, .executable = executable};
  if (!api.try_call(memory).is_ok()) {
    return std::nullopt;
  }
  return ProgramMemory{.code = memory.code_bytes,
                       .arguments = memory.argument_bytes,
                       .results = memory.result_bytes,
                       .aliased = memory.alias_bytes,
                       .temporary = memory.temporary_bytes,
                       .peak = memory.peak_bytes};
}

PjrtProgramMemory reported(const ProgramMemory& memory) noexcept {
  return {.arguments = memory.arguments,
          .results = memory.results,
          .aliased = memory.aliased,
          .temporary = memory.temporary,
          .code = memory.code,
          .peak = memory.needed()};
}

}  // namespace ddx::backend::pjrt
