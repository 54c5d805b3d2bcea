#include "backend/pjrt/plugin.h"

#include "ddx/core/error.h"

#include "backend/pjrt/added_variable.h"
#include "backend/pjrt/api.h"
#include "backend/pjrt/named_value.h"
#include "backend/pjrt/probe.h"

#include <cstdint>
#include <dlfcn.h>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

namespace ddx::backend::pjrt {
namespace {

constexpr const char* load_operation = "load a PJRT plugin";

std::string doing_with(const std::filesystem::path& file) {
  return load_operation + (": " + file.string());
}

using GetApi = const ApiTable* (*)();

/// The table of a library; it stays loaded.
const ApiTable& table_of(const std::filesystem::path& file, bool log) {
  // XLA reads it once, when it is loaded. 3: only what ends the process.
  std::optional<AddedVariable> quiet;
  if (!log) {
    quiet.emplace("TF_CPP_MIN_LOG_LEVEL=3");
  }
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const reason = ::dlerror();  // Names the file.
    throw EnvironmentError(load_operation, reason == nullptr ? file.string() : reason);
  }
  const auto get_api = reinterpret_cast<GetApi>(::dlsym(library, "GetPjrtApi"));
  if (get_api == nullptr) {
    throw EnvironmentError(load_operation,
                           file.string() + " has no function GetPjrtApi: it is no PJRT plugin");
  }
  const ApiTable* const table = get_api();
  if (table == nullptr) {
    throw EnvironmentError(load_operation, file.string() + " offers no functions");
  }
  return *table;
}

std::string identity_of(const std::filesystem::path& file, const Api& api,
                        const std::vector<Named>& attributes) {
  std::error_code unknown;
  const auto time = std::filesystem::last_write_time(file, unknown).time_since_epoch().count();
  std::string text = file.string() + ", " +
                     std::to_string(std::filesystem::file_size(file, unknown)) + " bytes of " +
                     std::to_string(time) + ", PJRT " + std::to_string(api.major()) + "." +
                     std::to_string(api.minor());
  for (const Named& attribute : attributes) {
    text += ", " + to_string(attribute);
  }
  return text;
}

/// The plugins of the process. Never destroyed: their threads may outlive every static.
struct Loaded {
  std::mutex mutex;
  std::map<std::filesystem::path, std::shared_ptr<const Plugin>> plugins;

  static Loaded& instance() {
    static auto* const loaded = new Loaded;
    return *loaded;
  }
};

}  // namespace

Plugin::Plugin(std::filesystem::path file, const ApiTable& table)
    : file_(std::move(file)), api_(table, doing_with(file_)) {
  const std::string doing = doing_with(file_);
  PluginInitializeArgs initialize;
  api_.call(doing, initialize);
  PluginAttributesArgs attributes;
  // What it reports is of use, and no reason to do without it.
  if (api_.try_call(attributes).is_ok()) {
    attributes_ = from_raw(attributes.attributes, attributes.attribute_count);
  }
  identity_ = identity_of(file_, api_, attributes_);
}

std::shared_ptr<const Plugin> Plugin::load(const std::filesystem::path& file,
                                           const LoadOptions& options) {
  std::error_code reason;
  const auto canonical = std::filesystem::canonical(file, reason);
  if (reason) {
    throw EnvironmentError(load_operation, file.string() + ": " + reason.message());
  }
  Loaded& loaded = Loaded::instance();
  const std::scoped_lock lock(loaded.mutex);
  if (const auto found = loaded.plugins.find(canonical); found != loaded.plugins.end()) {
    return found->second;
  }
  const auto load_it = [&] {
    return std::make_shared<const Plugin>(canonical, table_of(canonical, options.log));
  };
  if (options.in_child_first) {
    try_in_child(load_operation, canonical.string(), options.time_limit, [&] { (void)load_it(); });
  }
  auto plugin = load_it();
  loaded.plugins.emplace(canonical, plugin);
  return plugin;
}

std::vector<std::int64_t> Plugin::stablehlo_version() const {
  for (const Named& attribute : attributes_) {
    if (attribute.name == "stablehlo_current_version") {
      if (const auto* version = std::get_if<std::vector<std::int64_t>>(&attribute.value)) {
        return *version;
      }
    }
  }
  return {};
}

}  // namespace ddx::backend::pjrt
