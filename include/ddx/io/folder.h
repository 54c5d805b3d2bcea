/// \file
/// Folders for results.

#pragma once

#include <filesystem>
#include <string>

namespace ddx::io {

/// Makes the folder where it does not exist, and makes sure that files can be written into it: a
/// program learns so before its work rather than after. Temporary files of killed saves are
/// removed, as write_file_atomically does.
///
/// Throws:  EnvironmentError where it cannot be made or written to; names it and the system's
///          reason, and `operation` opens the message.
void prepare_folder(const std::filesystem::path& folder, const std::string& operation);

}  // namespace ddx::io
