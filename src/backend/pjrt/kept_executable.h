/// \file
/// Executables on disk, so that the next process need not compile them.

#pragma once

#include "backend/file_cache.h"
#include "backend/pjrt/client.h"
#include "backend/pjrt/compile_options.h"
#include "backend/pjrt/executable.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace ddx::backend::pjrt {

/// The executables in a folder; no folder: none are kept.
[[nodiscard]] FileCache kept_executables(std::filesystem::path folder, std::uint64_t most_bytes);

/// An executable, and where it comes from.
struct MadeExecutable {
  Executable executable;
  bool is_loaded = false;  // From disk.
  bool is_stored = false;  // On disk, just now.
};

/// What makes machine code the same: program, options, plugin, platform, devices, processor.
[[nodiscard]] std::string key_of(const Client& client, const ProgramText& program,
                                 const CompileOptions& options);

/// Takes an executable from `files`, or compiles it and keeps it there, where the plugin can write
/// executables as bytes. A file that is damaged, or that the plugin refuses, is as good as absent.
///
/// Throws:  as Executable::compile.
[[nodiscard]] MadeExecutable make_executable(const std::shared_ptr<const Client>& client,
                                             const ProgramText& program,
                                             const CompileOptions& options, const FileCache& files);

}  // namespace ddx::backend::pjrt
