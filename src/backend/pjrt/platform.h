/// \file
/// A plugin by its name, open for the whole process.

#pragma once

#include "ddx/backend/pjrt.h"

#include "backend/file_cache.h"
#include "backend/pjrt/client.h"
#include "backend/pjrt/compile_options.h"
#include "backend/pjrt/executable.h"
#include "backend/pjrt/named_value.h"
#include "backend/pjrt/plugin.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {

/// The open devices of the plugin that a name denotes, and where its programs are kept. It is
/// opened once and never closed: threads of the plugin, and tensors of static storage, may outlive
/// every static. May be used from any thread.
class Platform {
 public:
  /// The platform of a name, opened where it is not open.
  ///
  /// Throws:  as backend::pjrt_platform. The next call tries again.
  [[nodiscard]] static Platform& of(std::string_view name);

  /// The plugin of a name, loaded; no devices are opened.
  ///
  /// Throws:  EnvironmentError, as `of`.
  [[nodiscard]] static std::shared_ptr<const Plugin> plugin_of(std::string_view name);

  /// For `of`.
  Platform(std::shared_ptr<const Client> client, FileCache files, bool donates_filter_state,
           std::vector<Named> compiler_flags, std::function<void(const PjrtProgram&)> on_program)
      : client_(std::move(client)),
        files_(std::move(files)),
        donates_filter_state_(donates_filter_state),
        compiler_flags_(std::move(compiler_flags)),
        on_program_(std::move(on_program)) {}

  [[nodiscard]] const std::shared_ptr<const Client>& client() const noexcept { return client_; }
  /// Of PjrtOptions, or the default for the plugin.
  [[nodiscard]] bool donates_filter_state() const noexcept { return donates_filter_state_; }

  /// A program, from disk or compiled.
  ///
  /// Throws:  as Executable::compile.
  [[nodiscard]] Executable executable(const ProgramText& program, CompileOptions options = {});

  [[nodiscard]] PjrtStatistics statistics() const noexcept;
  /// In the order in which they were made.
  [[nodiscard]] std::vector<PjrtProgramMemory> programs() const;

 private:
  std::shared_ptr<const Client> client_;
  FileCache files_;
  bool donates_filter_state_;
  std::vector<Named> compiler_flags_;                   // Of all programs, behind their own.
  std::function<void(const PjrtProgram&)> on_program_;  // May be none.
  std::atomic<std::uint64_t> compiled_{0};
  std::atomic<std::uint64_t> loaded_{0};
  std::atomic<std::uint64_t> stored_{0};
  std::atomic<std::int64_t> nanoseconds_{0};
  mutable std::mutex mutex_;
  std::vector<PjrtProgramMemory> programs_;
};

}  // namespace ddx::backend::pjrt
