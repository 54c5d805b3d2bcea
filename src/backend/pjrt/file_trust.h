/// \file
/// Whether a file may be run that was searched for.

#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace ddx::backend::pjrt {

/// Why another user could have put the file there, or could change it; none where only root and the
/// effective user can. They must own the file and the folders above it, and no group and no other
/// user may write to these; a folder with the sticky bit, such as /tmp, may be above. Links are
/// followed: both where they lie and what they lead to must be so.
[[nodiscard]] std::optional<std::string> reason_for_distrust(const std::filesystem::path& file);

}  // namespace ddx::backend::pjrt
