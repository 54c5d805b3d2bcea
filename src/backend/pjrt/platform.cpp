#include "backend/pjrt/platform.h"

#include "ddx/backend/pjrt.h"
#include "ddx/core/error.h"

#include "backend/file_cache.h"
#include "backend/pjrt/client.h"
#include "backend/pjrt/kept_executable.h"
#include "backend/pjrt/named_value.h"
#include "backend/pjrt/plugin.h"
#include "backend/pjrt/plugin_search.h"
#include "backend/pjrt/program_memory.h"
#include "backend/pjrt/transfer_counts.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::backend {
namespace pjrt {
namespace {

std::shared_ptr<const Plugin> load(const std::filesystem::path& file, const PjrtOptions& options) {
  return Plugin::load(file, {.in_child_first = options.try_in_child_first,
                             .time_limit = options.time_limit,
                             .log = options.log});
}

/// What has been chosen for the plugin of a name, and what is open of it.
struct Entry {
  std::filesystem::path file;  // Empty: to be looked for.
  PjrtOptions options;
  std::unique_ptr<Platform> platform;  // Null: not open.
};

/// All names. Never destroyed.
class Platforms {
 public:
  static Platforms& instance() {
    static auto* const platforms = new Platforms;
    return *platforms;
  }

  void add_folder(std::filesystem::path folder) {
    const std::scoped_lock lock(mutex_);
    folders_.push_back(std::move(folder));
  }
  void add_plugin(std::string_view name, std::filesystem::path file) {
    const std::scoped_lock lock(mutex_);
    closed_entry("name a PJRT plugin", name).file = std::move(file);
  }
  void set_options(std::string_view name, PjrtOptions options) {
    const std::scoped_lock lock(mutex_);
    closed_entry("choose options of a PJRT plugin", name).options = std::move(options);
  }
  std::vector<PjrtPlugin> plugins() {
    const std::scoped_lock lock(mutex_);
    return found();
  }
  /// Null: not open.
  const Platform* open_one(std::string_view name) {
    const std::scoped_lock lock(mutex_);
    const auto entry = entries_.find(name);
    return entry == entries_.end() ? nullptr : entry->second.platform.get();
  }
  Platform& opened(std::string_view name) {
    const std::scoped_lock lock(mutex_);
    Entry& entry = entry_of(name);
    if (entry.platform == nullptr) {
      entry.platform = open(name, entry.options);
    }
    return *entry.platform;
  }
  std::shared_ptr<const Plugin> loaded(std::string_view name) {
    const std::scoped_lock lock(mutex_);
    const Entry& entry = entry_of(name);
    return entry.platform != nullptr ? entry.platform->client()->plugin()
                                     : load(file_of(name), entry.options);
  }

 private:
  Entry& entry_of(std::string_view name) {
    const auto found = entries_.find(name);
    return found != entries_.end() ? found->second : entries_[std::string(name)];
  }
  Entry& closed_entry(const char* operation, std::string_view name) {
    Entry& entry = entry_of(name);
    if (entry.platform != nullptr) {
      throw UsageError(operation, std::string(name) + " is open, from " +
                                      entry.platform->client()->plugin()->file().string());
    }
    return entry;
  }
  std::vector<std::filesystem::path> searched() const;
  std::vector<PjrtPlugin> found() const;
  std::filesystem::path file_of(std::string_view name) const;
  std::unique_ptr<Platform> open(std::string_view name, const PjrtOptions& options) const;

  std::mutex mutex_;
  std::vector<std::filesystem::path> folders_;
  std::map<std::string, Entry, std::less<>> entries_;
};

std::vector<std::filesystem::path> Platforms::searched() const {
  std::vector<std::filesystem::path> folders = folders_;
  for (auto& folder : folders_of_program(running_program())) {
    folders.push_back(std::move(folder));
  }
  return folders;
}

std::vector<PjrtPlugin> Platforms::found() const {
  std::vector<PjrtPlugin> plugins;
  for (const auto& [name, entry] : entries_) {
    if (!entry.file.empty()) {
      plugins.push_back({name, entry.file});
    }
  }
  for (FoundPlugin& plugin : find_plugins(searched())) {
    plugins.push_back({std::move(plugin.name), std::move(plugin.file)});
  }
  return plugins;
}

std::filesystem::path Platforms::file_of(std::string_view name) const {
  const auto plugins = found();
  const auto plugin = std::ranges::find(plugins, name, &PjrtPlugin::name);
  if (plugin != plugins.end()) {
    return plugin->file;
  }
  std::string facts = "no plugin named " + std::string(name);
  std::string names;
  for (const PjrtPlugin& other : plugins) {
    names += (names.empty() ? "; there are " : ", ") + other.name;
  }
  facts += names;
  std::string folders;
  for (const auto& folder : searched()) {
    folders += (folders.empty() ? "; looked in " : ", ") + folder.string();
  }
  std::string skipped;
  for (const SkippedPlugin& other : search_plugins(searched()).skipped) {
    if (other.name == name) {
      skipped += "; skipped " + other.file.string() + ": " + other.reason +
                 " (only files and folders of this user and of root are taken, and only where no "
                 "other user may write)";
    }
  }
  throw EnvironmentError(
      "open PJRT devices",
      facts + folders + skipped + "; add_pjrt_folder names a folder, add_pjrt_plugin a file");
}

/// Whether XLA's back end for GPUs is behind a name: its plugins have options that others refuse.
bool is_gpu(std::string_view name, const std::filesystem::path& file) {
  const std::string of_file = name_of_file(file);
  const std::string_view kind = of_file.empty() ? name : of_file;
  return kind == "cuda" || kind == "rocm";
}

ClientOptions client_options(std::string_view name, const std::filesystem::path& file,
                             const PjrtOptions& options) {
  const auto one = name == "cpu" ? std::optional<std::int64_t>(1) : std::nullopt;
  const bool is_said =
      options.preallocate ||
      std::ranges::find(options.others, "preallocate", &PjrtOption::name) != options.others.end();
  // By itself XLA takes 75 % of a GPU at once, and a second process finds no memory.
  const auto as_needed =
      !is_said && is_gpu(name, file) ? std::optional(false) : options.preallocate;
  ClientOptions chosen{
      .cpu_device_count = options.cpu_device_count ? options.cpu_device_count : one,
      .preallocate = as_needed,
      .memory_fraction = options.memory_fraction,
      .visible_devices = options.visible_devices};
  chosen.others = named(options.others);
  return chosen;
}

std::unique_ptr<Platform> Platforms::open(std::string_view name, const PjrtOptions& options) const {
  const std::filesystem::path file = file_of(name);
  return std::make_unique<Platform>(
      Client::create(load(file, options), client_options(name, file, options)),
      kept_executables(options.folder, options.most_bytes),
      options.donate_filter_state.value_or(!is_gpu(name, file)), named(options.compiler_flags),
      options.on_program);
}

}  // namespace

Platform& Platform::of(std::string_view name) {
  return Platforms::instance().opened(name);
}

std::shared_ptr<const Plugin> Platform::plugin_of(std::string_view name) {
  return Platforms::instance().loaded(name);
}

Executable Platform::executable(const ProgramText& program, CompileOptions options) {
  options.flags.insert(options.flags.end(), compiler_flags_.begin(), compiler_flags_.end());
  if (on_program_) {
    on_program_({.text = std::string(program.text), .options = encoded(options)});
  }
  const auto begin = std::chrono::steady_clock::now();
  MadeExecutable made = make_executable(client_, program, options, files_);
  const std::chrono::nanoseconds time = std::chrono::steady_clock::now() - begin;
  nanoseconds_.fetch_add(time.count(), std::memory_order_relaxed);
  (made.is_loaded ? loaded_ : compiled_).fetch_add(1, std::memory_order_relaxed);
  if (made.is_stored) {
    stored_.fetch_add(1, std::memory_order_relaxed);
  }
  const ProgramMemory memory = made.executable.memory().value_or(ProgramMemory{});
  const std::scoped_lock lock(mutex_);
  programs_.push_back(reported(memory));
  return std::move(made.executable);
}

std::vector<PjrtProgramMemory> Platform::programs() const {
  const std::scoped_lock lock(mutex_);
  return programs_;
}

PjrtStatistics Platform::statistics() const noexcept {
  const TransferCounts& transfers = client_->transfers();
  return {.compiled = compiled_.load(std::memory_order_relaxed),
          .loaded = loaded_.load(std::memory_order_relaxed),
          .stored = stored_.load(std::memory_order_relaxed),
          .compile_time = std::chrono::nanoseconds(nanoseconds_.load(std::memory_order_relaxed)),
          .sent = transfers.sent(),
          .sent_bytes = transfers.sent_bytes(),
          .read = transfers.read()};
}

}  // namespace pjrt

void add_pjrt_folder(std::filesystem::path folder) {
  pjrt::Platforms::instance().add_folder(std::move(folder));
}

void add_pjrt_plugin(std::string name, std::filesystem::path file) {
  pjrt::Platforms::instance().add_plugin(name, std::move(file));
}

std::vector<PjrtPlugin> pjrt_plugins() {
  return pjrt::Platforms::instance().plugins();
}

void set_pjrt_options(std::string_view name, PjrtOptions options) {
  pjrt::Platforms::instance().set_options(name, std::move(options));
}

PjrtPlatform pjrt_platform(std::string_view name) {
  const pjrt::Client& client = *pjrt::Platform::of(name).client();
  PjrtPlatform platform{.file = client.plugin()->file(),
                        .name = client.platform_name(),
                        .version = client.platform_version(),
                        .api_minor = client.api().minor(),
                        .stablehlo = client.plugin()->stablehlo_version(),
                        .devices = {}};
  for (std::size_t i = 0; i < client.devices().size(); ++i) {
    platform.devices.push_back({i, client.devices()[i].kind, client.devices()[i].text});
  }
  return platform;
}

std::optional<PjrtMemory> pjrt_memory(std::string_view name, std::size_t ordinal) {
  const auto memory = pjrt::Platform::of(name).client()->memory(ordinal);
  if (!memory) {
    return std::nullopt;
  }
  return PjrtMemory{.bytes_in_use = memory->bytes_in_use,
                    .peak_bytes_in_use = memory->peak_bytes_in_use,
                    .bytes_limit = memory->bytes_limit,
                    .largest_free_block = memory->largest_free_block,
                    .allocations = memory->allocations};
}

PjrtStatistics pjrt_statistics(std::string_view name) {
  const pjrt::Platform* const platform = pjrt::Platforms::instance().open_one(name);
  return platform == nullptr ? PjrtStatistics{} : platform->statistics();
}

std::vector<PjrtProgramMemory> pjrt_program_memory(std::string_view name) {
  const pjrt::Platform* const platform = pjrt::Platforms::instance().open_one(name);
  return platform == nullptr ? std::vector<PjrtProgramMemory>{} : platform->programs();
}

}  // namespace ddx::backend
