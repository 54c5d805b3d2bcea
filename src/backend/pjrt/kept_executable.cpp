#include "backend/pjrt/kept_executable.h"

#include "ddx/core/error.h"

#include "backend/file_cache.h"
#include "backend/pjrt/client.h"
#include "backend/pjrt/compile_options.h"
#include "backend/pjrt/executable.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace ddx::backend::pjrt {
namespace {

// The digits count up with every change of what a file holds or of what makes its key.
constexpr FileKind executable_files{".pjrt", 0x31306A7078646464};  // "dddxpj01"

/// What the first processor of the machine is and can do: code for the host is made for it.
std::string read_processor() {
  std::ifstream file("/proc/cpuinfo");
  std::string text;
  for (std::string line; std::getline(file, line) && !line.empty();) {
    if (line.starts_with("model name") || line.starts_with("flags") ||
        line.starts_with("Features")) {
      text += line + "\n";
    }
  }
  return text;
}

const std::string& processor() {
  static const std::string text = read_processor();
  return text;
}

std::optional<Executable> found_in(const FileCache& files, const std::string& key,
                                   const std::shared_ptr<const Client>& client) {
  const auto content = files.find(key);
  if (!content) {
    return std::nullopt;
  }
  try {
    return Executable::deserialised(
        client, {reinterpret_cast<const char*>(content->data()), content->size()});
  } catch (const EnvironmentError&) {
    return std::nullopt;
  }
}

}  // namespace

FileCache kept_executables(std::filesystem::path folder, std::uint64_t most_bytes) {
  return {std::move(folder), most_bytes, executable_files};
}

std::string key_of(const Client& client, const ProgramText& program,
                   const CompileOptions& options) {
  std::string key = client.plugin()->identity() + "\n" + client.platform_name() + "\n" +
                    client.platform_version() + "\n" + processor();
  for (const DeviceInfo& device : client.devices()) {
    key += device.text + ": " + device.kind + "\n";
  }
  const std::string bytes = encoded(options);
  // With lengths, so that no two programs run together into one text.
  return key + std::to_string(bytes.size()) + "\n" + bytes + std::to_string(program.text.size()) +
         "\n" + std::string(program.text);
}

MadeExecutable make_executable(const std::shared_ptr<const Client>& client,
                               const ProgramText& program, const CompileOptions& options,
                               const FileCache& files) {
  if (!files.has_folder()) {
    return {.executable = Executable::compile(client, program, options)};
  }
  const std::string key = key_of(*client, program, options);
  if (auto found = found_in(files, key, client)) {
    return {.executable = std::move(*found), .is_loaded = true};
  }
  MadeExecutable made{.executable = Executable::compile(client, program, options)};
  if (const auto bytes = made.executable.serialised()) {
    made.is_stored = files.store(key, std::as_bytes(std::span(*bytes)));
  }
  return made;
}

}  // namespace ddx::backend::pjrt
