#include "ddx/train/keep_checkpoints.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/train/detail/checkpoint_folder.h"

#include <filesystem>
#include <new>
#include <optional>
#include <string>

namespace ddx::train {

std::optional<std::filesystem::path> latest_checkpoint(const std::filesystem::path& folder) try {
  const auto all = detail::checkpoints_in(folder);
  return all.empty() ? std::nullopt : std::optional(all.rbegin()->second);
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("latest_checkpoint");
}

void detail::require_remarks(const std::filesystem::path& file, const Remarks& remarks,
                             const Remarks& expected) {
  for (const auto& [name, value] : expected) {
    const auto found = remarks.find(name);
    if (found == remarks.end()) {
      throw UsageError("resume_latest", file.string() + " does not tell its " + name);
    }
    if (found->second != value) {
      throw UsageError("resume_latest", file.string() + " has the " + name + " \"" + found->second +
                                            "\", not \"" + value + "\"");
    }
  }
}

}  // namespace ddx::train
