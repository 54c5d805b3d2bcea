#include "ddx/train/keep_checkpoints.h"

#include "ddx/train/detail/checkpoint_folder.h"

#include <filesystem>
#include <optional>

namespace ddx::train {

std::optional<std::filesystem::path> latest_checkpoint(const std::filesystem::path& folder) {
  const auto all = detail::checkpoints_in(folder);
  return all.empty() ? std::nullopt : std::optional(all.rbegin()->second);
}

}  // namespace ddx::train
