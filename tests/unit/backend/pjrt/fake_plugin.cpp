// Plugins that do what real ones rarely do. FAKE_KIND says what this one does, FAKE_ENTRY is what
// its entry is called. Whatever it is given to compile, a run returns copies of its first
// arguments, except for words in the program:
//   "results=N"   how many results there are (else 1)
//   "error=C:TEXT;"  the run fails with code C and this text
//   "fail now"    the run fails
//   "fail later"  the run does not, its results do
//   "slowly"      results are there after 30 ms
//   "donate"      the first argument is taken over

#include "backend/pjrt/c_api.h"
#include "backend/pjrt/calls.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {

/// Counts the live objects of the plugin.
std::atomic<int> live{0};
struct Counted {
  Counted() { ++live; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --live; }
};

struct RawError : Counted {
  ErrorCode code = ErrorCode::Unknown;
  std::string message;
};

/// When work is done, and whether it has failed.
struct Work {
  std::mutex mutex;
  bool is_done = false;
  ErrorCode code = ErrorCode::Internal;
  std::string failure;
  std::vector<std::function<void()>> waiting;
};
struct RawEvent : Counted {
  std::shared_ptr<Work> work;
};

struct RawDevice {
  int id;
};
struct RawDeviceDescription {
  int id;
};
struct RawClient : Counted {
  std::array<RawDevice, 2> devices{{{0}, {1}}};
  std::array<RawDevice*, 2> list{&devices[0], &devices[1]};
  std::string run_error;    // The option of this name: runs fail as "CODE:MESSAGE" says.
  std::string later_error;  // The results of runs do.
  bool has_check = false;   // Programs return the outcome of a check too: there is nothing wrong.
};
struct RawExecutable : Counted {
  std::size_t results = 1;
};
struct RawTopology : Counted {};
struct RawLoadedExecutable : Counted {
  const RawClient* client = nullptr;
  std::string program;
  std::size_t results = 1;
};
struct RawSerializedExecutable : Counted {
  std::string bytes;
};
struct RawBuffer : Counted {
  BufferType type = BufferType::Invalid;
  std::vector<std::int64_t> extents;
  std::vector<std::byte> bytes;
  std::shared_ptr<Work> work;
  bool is_deleted = false;
};

namespace {

enum class Kind : std::uint8_t {
  Good,
  TooOld,          // PJRT 0.56.
  OtherMajor,      // PJRT 1.0.
  NoFunction,      // No GetPjrtApi: FAKE_ENTRY names another function.
  NoTable,         // GetPjrtApi returns nothing.
  LacksFunctions,  // Two of the functions are null.
  ShortTable,      // The table ends before some functions.
  NoExtras,        // Only what there must be.
  AbortsAtLoad,    // With words.
  ExitsAtLoad,     // Without.
  HangsAtLoad,     // For ever.
  FailsAtLoad,     // By an error.
  NoDevices,       // By an error when a client is made.
  Newer,           // Its structs are longer than known.
  Exact,           // It refuses structs that are longer than its own, as shorter ones.
  NestedNewer,     // Those that other structs point to are longer than known.
};
constexpr Kind kind = Kind::FAKE_KIND;

/// What the environment said of the log when this plugin was loaded.
const std::string log_level = [] {
  const char* const level = std::getenv("TF_CPP_MIN_LOG_LEVEL");
  return std::string(level == nullptr ? "none" : level);
}();

RawError* error_of(ErrorCode code, std::string message) {
  auto* error = new RawError;
  error->code = code;
  error->message = std::move(message);
  return error;
}

/// The sizes that this plugin asks for, where they are not those that are known.
template <class Args>
std::size_t wanted_bytes() {
  constexpr std::size_t bytes = info_of<Args>.bytes;
  if constexpr (kind == Kind::Newer) {
    return bytes + 24;
  }
  if constexpr (kind == Kind::Exact && std::is_same_v<Args, ClientCreateArgs>) {
    return 72;  // Before key_value_try_get.
  }
  return bytes;
}

RawError* complain(const std::string& name, std::size_t expected, std::size_t given) {
  return error_of(ErrorCode::InvalidArgument, "Unexpected PJRT_" + name + " size: expected " +
                                                  std::to_string(expected) + ", got " +
                                                  std::to_string(given) + ". The plugin is fake.");
}

/// Null where the size of a struct is right.
template <class Args>
RawError* wrong_size(const Args* args) {
  const std::size_t wanted = wanted_bytes<Args>();
  if (kind == Kind::Exact ? args->head.size == wanted : args->head.size >= wanted) {
    if constexpr (kind == Kind::Newer) {
      // What is longer must be zeros.
      const auto* bytes = reinterpret_cast<const unsigned char*>(args);
      for (std::size_t i = info_of<Args>.bytes; i < wanted; ++i) {
        if (bytes[i] != 0) {
          return error_of(ErrorCode::Internal, "byte " + std::to_string(i) + " is not zero");
        }
      }
    }
    return nullptr;
  }
  return complain(std::string(info_of<Args>.name) + "_Args", wanted, args->head.size);
}

void finish(const std::shared_ptr<Work>& work) {
  std::vector<std::function<void()>> waiting;
  {
    const std::scoped_lock lock(work->mutex);
    work->is_done = true;
    waiting.swap(work->waiting);
  }
  for (const auto& one : waiting) {
    one();
  }
}

std::shared_ptr<Work> done_work() {
  auto work = std::make_shared<Work>();
  work->is_done = true;
  return work;
}

RawEvent* event_of(const std::shared_ptr<Work>& work) {
  auto* event = new RawEvent;
  event->work = work;
  return event;
}

void error_destroy(ErrorDestroyArgs* args) {
  delete args->error;
}
void error_message(ErrorMessageArgs* args) {
  args->message = args->error->message.data();
  args->message_size = args->error->message.size();
}
RawError* error_code(ErrorGetCodeArgs* args) {
  args->code = args->error->code;
  return nullptr;
}

RawError* initialize(PluginInitializeArgs* args) {
  if constexpr (kind == Kind::AbortsAtLoad) {
    std::fputs("fatal: the fake driver\n  is absent.\n", stderr);
    std::abort();
  }
  if constexpr (kind == Kind::ExitsAtLoad) {
    ::_exit(3);
  }
  if constexpr (kind == Kind::HangsAtLoad) {
    while (true) {
      ::pause();
    }
  }
  if constexpr (kind == Kind::FailsAtLoad) {
    return error_of(ErrorCode::FailedPrecondition, "The fake driver is too old.\n");
  }
  return wrong_size(args);
}

RawError* attributes(PluginAttributesArgs* args) {
  static const std::array<std::int64_t, 3> version{1, 13, 7};
  static const NamedValue value{.head = {.size = 56},
                                .name = "stablehlo_current_version",
                                .name_size = 25,
                                .type = NamedValueType::Int64List,
                                .int64_list = version.data(),
                                .value_size = 3};
  args->attributes = &value;
  args->attribute_count = 1;
  return wrong_size(args);
}

RawError* event_destroy(EventDestroyArgs* args) {
  delete args->event;
  return nullptr;
}
RawError* event_is_ready(EventIsReadyArgs* args) {
  const std::scoped_lock lock(args->event->work->mutex);
  args->is_ready = args->event->work->is_done;
  return wrong_size(args);
}
RawError* failure_of(const Work& work) {
  return work.failure.empty() ? nullptr : error_of(work.code, work.failure);
}
RawError* event_await(EventAwaitArgs* args) {
  if (RawError* error = wrong_size(args)) {
    return error;
  }
  const auto work = args->event->work;
  while (true) {
    {
      const std::scoped_lock lock(work->mutex);
      if (work->is_done) {
        return failure_of(*work);
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}
RawError* event_on_ready(EventOnReadyArgs* args) {
  if (RawError* error = wrong_size(args)) {
    return error;
  }
  const auto work = args->event->work;
  const auto call = [work, callback = args->callback, argument = args->argument] {
    callback(failure_of(*work), argument);
  };
  {
    const std::scoped_lock lock(work->mutex);
    if (!work->is_done) {
      work->waiting.emplace_back(call);
      return nullptr;
    }
  }
  call();
  return nullptr;
}

/// The error that a text asks for as "CODE:MESSAGE;" behind a word; null where it asks for none.
RawError* wanted_error(const std::string& text, const std::string& word = "error=") {
  const std::size_t at = text.find(word);
  if (at == std::string::npos) {
    return nullptr;
  }
  const std::size_t colon = text.find(':', at);
  return error_of(static_cast<ErrorCode>(std::atoi(text.c_str() + at + word.size())),
                  text.substr(colon + 1, text.find(';', colon) - colon - 1));
}

/// The options that a client was created with last, as "name=value, ..."; of numbers and words.
std::string& last_options() {
  static std::string options;
  return options;
}
std::string text_of(const NamedValue& option) {
  std::string text(option.name, option.name_size);
  switch (option.type) {
    case NamedValueType::String:
      return text + "=" + std::string(option.string, option.value_size);
    case NamedValueType::Int64:
      return text + "=" + std::to_string(option.int64);
    case NamedValueType::Float:
      return text + "=" + std::to_string(option.number);
    case NamedValueType::Bool:
      return text + (option.boolean ? "=true" : "=false");
    case NamedValueType::Int64List:
      break;
  }
  return text + " is a list";
}

RawError* client_create(ClientCreateArgs* args) {
  if (RawError* error = wrong_size(args)) {
    return error;
  }
  last_options().clear();
  for (std::size_t i = 0; i < args->option_count; ++i) {
    const std::string text = text_of(args->options[i]);
    if (text.starts_with("error=")) {
      return wanted_error(text);
    }
    last_options() += (i == 0 ? "" : ", ") + text;
  }
  if constexpr (kind == Kind::NoDevices) {
    return error_of(ErrorCode::NotFound, "No visible fake devices.");
  }
  args->client = new RawClient;
  for (std::size_t i = 0; i < args->option_count; ++i) {
    const std::string text = text_of(args->options[i]);
    if (text.starts_with("run_error=")) {
      args->client->run_error = text;
    } else if (text.starts_with("later_error=")) {
      args->client->later_error = text;
    } else if (text == "has_check=true") {
      args->client->has_check = true;
    }
  }
  return nullptr;
}
RawError* client_destroy(ClientDestroyArgs* args) {
  delete args->client;
  return nullptr;
}
RawError* platform_name(ClientPlatformNameArgs* args) {
  args->name = "fake";
  args->name_size = 4;
  return wrong_size(args);
}
RawError* platform_version(ClientPlatformVersionArgs* args) {
  args->version = "1.2";
  args->version_size = 3;
  return wrong_size(args);
}
RawError* addressable_devices(ClientAddressableDevicesArgs* args) {
  args->devices = args->client->list.data();
  args->device_count = args->client->list.size();
  return wrong_size(args);
}

std::size_t results_of(const std::string& program) {
  const std::size_t at = program.find("results=");
  return at == std::string::npos ? 1 : static_cast<std::size_t>(program[at + 8] - '0');
}
RawError* compile(ClientCompileArgs* args) {
  if (RawError* error = wrong_size(args)) {
    return error;
  }
  if constexpr (kind == Kind::NestedNewer) {
    if (args->program->head.size < 64) {
      return complain("Program", 64, args->program->head.size);
    }
  }
  const std::string program(args->program->code, args->program->code_size);
  if (program.find("nonsense") != std::string::npos) {
    return error_of(ErrorCode::InvalidArgument, "-:3:8: error: nonsense.\n-:3:8: note: see it");
  }
  auto* executable = new RawLoadedExecutable;
  executable->client = args->client;
  executable->program = program;
  executable->results = results_of(program) + (args->client->has_check ? 1 : 0);
  args->executable = executable;
  return nullptr;
}

RawError* buffer_from_host(ClientBufferFromHostBufferArgs* args) {
  if (RawError* error = wrong_size(args)) {
    return error;
  }
  std::size_t bytes = args->type == BufferType::F32 ? 4 : 8;
  for (std::size_t i = 0; i < args->rank; ++i) {
    bytes *= static_cast<std::size_t>(args->extents[i]);
  }
  if (bytes > (1U << 20)) {
    return error_of(ErrorCode::ResourceExhausted, "Out of fake memory.");
  }
  auto* buffer = new RawBuffer;
  buffer->type = args->type;
  buffer->extents.assign(args->extents, args->extents + args->rank);
  const auto* data = static_cast<const std::byte*>(args->data);
  buffer->bytes.assign(data, data + bytes);
  buffer->work = done_work();
  args->buffer = buffer;
  args->done_with_host_buffer = event_of(done_work());
  return nullptr;
}

RawError* description_id(DeviceDescriptionIdArgs* args) {
  args->id = args->description->id;
  return wrong_size(args);
}
RawError* description_kind(DeviceDescriptionKindArgs* args) {
  args->kind = "pretence";
  args->kind_size = 8;
  return wrong_size(args);
}
RawError* description_text(DeviceDescriptionDebugStringArgs* args) {
  args->text = args->description->id == 0 ? "fake:0" : "fake:1";
  args->text_size = 6;
  return wrong_size(args);
}
RawError* get_description(DeviceGetDescriptionArgs* args) {
  static std::array<RawDeviceDescription, 2> descriptions{{{0}, {1}}};
  args->description = &descriptions[static_cast<std::size_t>(args->device->id)];
  return wrong_size(args);
}
RawError* local_hardware_id(DeviceLocalHardwareIdArgs* args) {
  args->id = 7 + args->device->id;
  return wrong_size(args);
}
RawError* memory_stats(DeviceMemoryStatsArgs* args) {
  args->bytes_in_use = 1000 + args->device->id;
  args->peak_bytes_in_use = {2000, true};
  args->bytes_limit = {3000, true};
  args->largest_free_block = {4000, false};
  args->allocations = {5, true};
  return wrong_size(args);
}

RawError* executable_destroy(ExecutableDestroyArgs* args) {
  delete args->executable;
  return nullptr;
}
RawError* num_outputs(ExecutableNumOutputsArgs* args) {
  args->count = args->executable->results;
  return wrong_size(args);
}
RawError* loaded_destroy(LoadedExecutableDestroyArgs* args) {
  delete args->executable;
  return nullptr;
}
RawError* get_executable(LoadedExecutableGetExecutableArgs* args) {
  if (RawError* error = wrong_size(args)) {
    return error;
  }
  args->executable = new RawExecutable;
  args->executable->results = args->loaded->results;
  return nullptr;
}
RawError* devices_of_executable(LoadedExecutableAddressableDevicesArgs* args) {
  (void)args;
  return error_of(ErrorCode::Unimplemented, "A fake program has no devices.");
}

RawBuffer* copy_of(const RawBuffer& buffer, const std::shared_ptr<Work>& work) {
  auto* copy = new RawBuffer;
  copy->type = buffer.type;
  copy->extents = buffer.extents;
  copy->bytes = buffer.bytes;
  copy->work = work;
  return copy;
}
/// An array that says that nothing is wrong.
RawBuffer* right_check(const std::shared_ptr<Work>& work) {
  auto* flags = new RawBuffer;
  flags->type = BufferType::Pred;
  flags->extents = {1};
  flags->bytes.resize(1);
  flags->work = work;
  return flags;
}
RawError* execute(LoadedExecutableExecuteArgs* args) {
  if (RawError* error = wrong_size(args)) {
    return error;
  }
  if constexpr (kind == Kind::NestedNewer) {
    if (args->options->head.size < 120) {
      return complain("ExecuteOptions", 120, args->options->head.size);
    }
  }
  const std::string& program = args->executable->program;
  if (RawError* error = wanted_error(program)) {
    return error;
  }
  if (const RawClient* client = args->executable->client; client != nullptr) {
    if (RawError* error = wanted_error(client->run_error)) {
      return error;
    }
  }
  if (program.find("fail now") != std::string::npos) {
    return error_of(ErrorCode::Aborted, "The fake device is tired.");
  }
  for (std::size_t device = 0; device < args->device_count; ++device) {
    const auto work = std::make_shared<Work>();
    if (program.find("fail later") != std::string::npos) {
      work->failure = "The fake device has stumbled.";
    }
    if (const RawClient* client = args->executable->client; client != nullptr) {
      if (const std::unique_ptr<RawError> error(wanted_error(client->later_error)); error) {
        work->code = error->code;
        work->failure = error->message;
      }
    }
    for (std::size_t i = 0; i < args->executable->results; ++i) {
      const RawClient* const client = args->executable->client;
      if (i > 0 && client != nullptr && client->has_check) {
        args->outputs[device][i] = right_check(work);
        continue;
      }
      RawBuffer& argument = *args->arguments[device][i];
      if (argument.is_deleted) {
        return error_of(ErrorCode::InvalidArgument, "A fake buffer is gone.");
      }
      args->outputs[device][i] = copy_of(argument, work);
    }
    if (program.find("donate") != std::string::npos && args->options->non_donatable_count == 0) {
      args->arguments[device][0]->is_deleted = true;
    }
    if (program.find("slowly") != std::string::npos) {
      std::thread([work] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        finish(work);
      }).detach();
    } else {
      finish(work);
    }
  }
  return nullptr;
}

void destroy_serialised(RawSerializedExecutable* serialised) {
  delete serialised;
}
RawError* serialize(ExecutableSerializeArgs* args) {
  if (RawError* error = wrong_size(args)) {
    return error;
  }
  args->owner = new RawSerializedExecutable;
  args->owner->bytes = "fake program of results=" + std::to_string(args->executable->results);
  args->bytes = args->owner->bytes.data();
  args->size = args->owner->bytes.size();
  args->destroy_owner = &destroy_serialised;
  return nullptr;
}
RawError* deserialize(ExecutableDeserializeAndLoadArgs* args) {
  const std::string bytes(args->bytes, args->size);
  if (!bytes.starts_with("fake program")) {
    return error_of(ErrorCode::DataLoss, "No fake program.");
  }
  args->executable = new RawLoadedExecutable;
  args->executable->program = bytes;
  args->executable->results = results_of(bytes);
  return nullptr;
}

RawError* buffer_destroy(BufferDestroyArgs* args) {
  delete args->buffer;
  return nullptr;
}
RawError* buffer_type(BufferElementTypeArgs* args) {
  args->type = args->buffer->type;
  return wrong_size(args);
}
RawError* buffer_extents(BufferDimensionsArgs* args) {
  args->extents = args->buffer->extents.data();
  args->rank = args->buffer->extents.size();
  return wrong_size(args);
}
RawError* buffer_bytes(BufferOnDeviceSizeInBytesArgs* args) {
  args->bytes = args->buffer->bytes.size();
  return wrong_size(args);
}
RawError* buffer_is_deleted(BufferIsDeletedArgs* args) {
  args->is_deleted = args->buffer->is_deleted;
  return wrong_size(args);
}
RawError* buffer_copy(BufferCopyToDeviceArgs* args) {
  args->copy = copy_of(*args->buffer, args->buffer->work);
  return wrong_size(args);
}
RawError* buffer_to_host(BufferToHostBufferArgs* args) {
  if (RawError* error = wrong_size(args)) {
    return error;
  }
  std::memcpy(args->data, args->buffer->bytes.data(), args->buffer->bytes.size());
  args->event = event_of(args->buffer->work);
  return nullptr;
}
RawError* buffer_ready(BufferReadyEventArgs* args) {
  args->event = event_of(args->buffer->work);
  return wrong_size(args);
}

/// The value of a text option; empty where it is not given.
std::string text_option(const TopologyDescriptionCreateArgs& args, const std::string& name) {
  for (std::size_t i = 0; i < args.option_count; ++i) {
    const NamedValue& option = args.options[i];
    if (std::string(option.name, option.name_size) == name) {
      return {option.string, option.value_size};
    }
  }
  return "";
}
RawError* topology_create(TopologyDescriptionCreateArgs* args) {
  if (RawError* error = wrong_size(args)) {
    return error;
  }
  const std::string target = text_option(*args, "target_config");
  if (target != "fake card") {
    return error_of(ErrorCode::InvalidArgument,
                    "There is no card '" + target + "', in " + text_option(*args, "topology"));
  }
  args->topology = new RawTopology;
  return nullptr;
}
RawError* topology_destroy(TopologyDescriptionDestroyArgs* args) {
  delete args->topology;
  return nullptr;
}
RawError* compile_ahead(CompileArgs* args) {
  if (RawError* error = wrong_size(args)) {
    return error;
  }
  if (args->client != nullptr || args->topology == nullptr) {
    return error_of(ErrorCode::InvalidArgument, "A client, or no topology.");
  }
  const std::string program(args->program->code, args->program->code_size);
  if (program.find("nonsense") != std::string::npos) {
    return error_of(ErrorCode::InvalidArgument, "-:3:8: error: nonsense.");
  }
  args->executable = new RawExecutable;
  args->executable->results = results_of(program) + args->options_size;
  return nullptr;
}
/// The bytes of results are the number of results and of bytes of options.
RawError* compiled_memory_stats(ExecutableGetCompiledMemoryStatsArgs* args) {
  args->code_bytes = 10;
  args->argument_bytes = 20;
  args->result_bytes = static_cast<std::int64_t>(args->executable->results);
  args->alias_bytes = 40;
  args->temporary_bytes = 50;
  args->peak_bytes = 60;
  return wrong_size(args);
}

struct Table {
  ApiTable api;
  std::array<AnyFunction, 138> functions{};

  template <class Args, class Result>
  void set(Result (*function)(Args*)) {
    functions[info_of<Args>.place] = reinterpret_cast<AnyFunction>(function);
  }
};

void set_functions(Table& table) {
  table.set(&error_destroy);
  table.set(&error_message);
  table.set(&error_code);
  table.set(&initialize);
  table.set(&attributes);
  table.set(&event_destroy);
  table.set(&event_is_ready);
  table.set(&event_await);
  table.set(&event_on_ready);
  table.set(&client_create);
  table.set(&client_destroy);
  table.set(&platform_name);
  table.set(&platform_version);
  table.set(&addressable_devices);
  table.set(&compile);
  table.set(&buffer_from_host);
  table.set(&description_id);
  table.set(&description_kind);
  table.set(&description_text);
  table.set(&get_description);
  table.set(&executable_destroy);
  table.set(&num_outputs);
  table.set(&loaded_destroy);
  table.set(&get_executable);
  table.set(&devices_of_executable);
  table.set(&execute);
  table.set(&buffer_destroy);
  table.set(&buffer_type);
  table.set(&buffer_extents);
  table.set(&buffer_bytes);
  table.set(&buffer_is_deleted);
  table.set(&buffer_to_host);
  table.set(&buffer_ready);
  if (kind != Kind::NoExtras) {
    table.set(&local_hardware_id);
    table.set(&memory_stats);
    table.set(&compiled_memory_stats);
    table.set(&serialize);
    table.set(&deserialize);
    table.set(&buffer_copy);
    table.set(&topology_create);
    table.set(&topology_destroy);
    table.set(&compile_ahead);
  }
}

Table make_table() {
  Table table{};
  table.api.head.size = functions_begin + table.functions.size() * function_bytes;
  table.api.version_head.size = 24;
  table.api.minor = 115;
  set_functions(table);
  if constexpr (kind == Kind::TooOld) {
    table.api.minor = 56;
  }
  if constexpr (kind == Kind::OtherMajor) {
    table.api.major = 1;
    table.api.minor = 0;
  }
  if constexpr (kind == Kind::LacksFunctions) {
    table.functions[info_of<EventOnReadyArgs>.place] = nullptr;
    table.functions[info_of<BufferToHostBufferArgs>.place] = nullptr;
  }
  if constexpr (kind == Kind::ShortTable) {
    table.api.head.size = functions_begin + 70 * function_bytes;
  }
  return table;
}

}  // namespace
}  // namespace ddx::backend::pjrt

extern "C" {

/// The number of live objects of this plugin.
__attribute__((visibility("default"))) int fake_live_objects() {
  return ddx::backend::pjrt::live.load();
}

/// TF_CPP_MIN_LOG_LEVEL when this plugin was loaded; "none" where there was none.
__attribute__((visibility("default"))) const char* fake_log_level() {
  return ddx::backend::pjrt::log_level.c_str();
}

/// The options of the last client of this plugin.
__attribute__((visibility("default"))) const char* fake_client_options() {
  return ddx::backend::pjrt::last_options().c_str();
}

__attribute__((visibility("default"))) const ddx::backend::pjrt::ApiTable* FAKE_ENTRY() {
  using ddx::backend::pjrt::Kind;
  static const ddx::backend::pjrt::Table table = ddx::backend::pjrt::make_table();
  return ddx::backend::pjrt::kind == Kind::NoTable ? nullptr : &table.api;
}
}
