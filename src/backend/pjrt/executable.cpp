#include "backend/pjrt/executable.h"

#include "ddx/core/error.h"

#include "backend/pjrt/api.h"
#include "backend/pjrt/client.h"
#include "backend/pjrt/compile_options.h"
#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/program_memory.h"
#include "backend/pjrt/program_text.h"
#include "backend/pjrt/status.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {
namespace {

constexpr const char* compiling = "compile for PJRT";
constexpr const char* running = "run by PJRT";

/// The executable behind a loaded one, which describes it.
class Facts {
 public:
  Facts(const Api& api, RawLoadedExecutable* loaded, const char* operation) : api_(api) {
    LoadedExecutableGetExecutableArgs args{.head = {}, .loaded = loaded};
    api.call(operation, args);
    raw_ = args.executable;
  }
  Facts(const Facts&) = delete;
  Facts& operator=(const Facts&) = delete;
  ~Facts() {
    ExecutableDestroyArgs destroy{.head = {}, .executable = raw_};
    api_.call_to_destroy(destroy);
  }
  [[nodiscard]] RawExecutable* raw() const noexcept { return raw_; }

 private:
  const Api& api_;
  RawExecutable* raw_ = nullptr;
};

/// The line of the text that a message is about: MLIR begins it with "-:LINE:COLUMN:".
std::optional<std::size_t> line_in(std::string_view message) {
  constexpr std::string_view begin = "-:";
  std::size_t at = message.starts_with(begin) ? 0 : message.find("\n-:");
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  std::size_t line = 0;
  std::size_t digit = message.find(':', at) + 1;
  for (; digit < message.size() && message[digit] >= '0' && message[digit] <= '9'; ++digit) {
    line = 10 * line + static_cast<std::size_t>(message[digit] - '0');
  }
  return line == 0 ? std::nullopt : std::optional(line);
}

/// What the compiler says, with where the line comes from that it names.
std::string explained(const Status& status, const ProgramText& program) {
  std::string text = to_string(status);
  const auto line = program.origin_of_line ? line_in(status.message) : std::nullopt;
  if (line) {
    const std::string origin = program.origin_of_line(*line);
    text += origin.empty() ? "" : "; of " + origin;
  }
  return text;
}

}  // namespace

bool is_not_implemented(const EnvironmentError& error) noexcept {
  // As to_string(Status) writes it.
  return std::string_view(error.what()).find("(UNIMPLEMENTED)") != std::string_view::npos;
}

Executable::Executable(std::shared_ptr<const Client> client, RawLoadedExecutable* raw)
    : client_(std::move(client)), raw_(raw) {}

Executable::~Executable() {
  if (raw_ != nullptr) {
    LoadedExecutableDestroyArgs destroy{.head = {}, .executable = raw_};
    client_->api().call_to_destroy(destroy);
  }
}

Executable Executable::compile(const std::shared_ptr<const Client>& client,
                               const ProgramText& program, const CompileOptions& options) {
  const std::string bytes = encoded(options);
  Extended<Program> text = to_raw(program);
  const Nested nested = client->api().nested(text);
  ClientCompileArgs args{.head = {},
                         .client = client->raw(),
                         .program = &text.value,
                         .options = bytes.data(),
                         .options_size = bytes.size()};
  const Status status = client->api().try_call(args, nested);
  if (!status.is_ok()) {
    throw EnvironmentError(compiling, explained(status, program));
  }
  Executable executable(client, args.executable);
  executable.read_facts();
  return executable;
}

Executable Executable::deserialised(const std::shared_ptr<const Client>& client,
                                    std::string_view bytes) {
  ExecutableDeserializeAndLoadArgs args{
      .head = {}, .client = client->raw(), .bytes = bytes.data(), .size = bytes.size()};
  client->api().call("load a program for PJRT", args);
  Executable executable(client, args.executable);
  executable.read_facts();
  return executable;
}

void Executable::read_facts() {
  const Api& api = client_->api();
  const Facts facts(api, raw_, compiling);
  ExecutableNumOutputsArgs results{.head = {}, .executable = facts.raw()};
  api.call(compiling, results);
  result_count_ = results.count;
  memory_ = memory_of(api, facts.raw());
  // A portable program has no devices of its own; some plugins answer with an error.
  LoadedExecutableAddressableDevicesArgs devices{.head = {}, .executable = raw_};
  if (api.try_call(devices).is_ok() && devices.device_count > 0) {
    device_count_ = devices.device_count;
  }
}

std::optional<std::string> Executable::serialised() const {
  const Api& api = client_->api();
  const Facts facts(api, raw_, "keep a program for PJRT");
  ExecutableSerializeArgs args{.head = {}, .executable = facts.raw()};
  if (!api.try_call(args).is_ok()) {
    return std::nullopt;
  }
  const std::unique_ptr<RawSerializedExecutable, void (*)(RawSerializedExecutable*)> owner(
      args.owner, args.destroy_owner);
  return std::string(args.bytes, args.size);
}

std::vector<DeviceBuffer> Executable::run(std::span<const DeviceBuffer* const> arguments,
                                          const DeviceInfo& device,
                                          const RunOptions& options) const {
  std::vector<RawBuffer*> raw;
  raw.reserve(arguments.size());
  for (const DeviceBuffer* argument : arguments) {
    raw.push_back(argument->raw());
  }
  RawBuffer* const* const list = raw.data();
  return std::move(start(std::span(&list, 1), raw.size(), device.raw, options).front());
}

std::vector<std::vector<DeviceBuffer>> Executable::run_on_all(
    std::span<const std::vector<const DeviceBuffer*>> arguments, const RunOptions& options) const {
  if (arguments.size() != device_count_) {
    throw UsageError(running, "arguments for " + std::to_string(arguments.size()) +
                                  " devices of a program for " + std::to_string(device_count_));
  }
  std::vector<std::vector<RawBuffer*>> raw;
  std::vector<RawBuffer* const*> lists;
  for (const auto& of_device : arguments) {
    if (of_device.size() != arguments.front().size()) {
      throw UsageError(running, std::to_string(arguments.front().size()) + " and " +
                                    std::to_string(of_device.size()) + " arguments of devices");
    }
    std::vector<RawBuffer*>& list = raw.emplace_back();
    for (const DeviceBuffer* argument : of_device) {
      list.push_back(argument->raw());
    }
    lists.push_back(list.data());  // Stays: a moved vector keeps its elements where they are.
  }
  return start(lists, arguments.front().size(), nullptr, options);
}

std::vector<std::vector<DeviceBuffer>> Executable::start(
    std::span<RawBuffer* const* const> arguments, std::size_t argument_count, RawDevice* device,
    const RunOptions& options) const {
  // All memory first: what the plugin returns must find an owner.
  std::vector<std::vector<DeviceBuffer>> results(arguments.size());
  std::vector<RawBuffer*> raw(arguments.size() * result_count_);
  std::vector<RawBuffer**> lists;
  lists.reserve(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    results[i].reserve(result_count_);
    lists.push_back(raw.data() + i * result_count_);
  }
  Extended<ExecuteOptions> extended{
      .value = {.head = {},
                .non_donatable = options.kept.data(),
                .non_donatable_count = options.kept.size(),
                .call_location =
                    options.call_location.empty() ? nullptr : options.call_location.c_str()}};
  const Nested nested = client_->api().nested(extended);
  LoadedExecutableExecuteArgs args{.head = {},
                                   .executable = raw_,
                                   .options = &extended.value,
                                   .arguments = arguments.data(),
                                   .device_count = arguments.size(),
                                   .argument_count = argument_count,
                                   .outputs = lists.data(),
                                   .device = device};
  client_->api().call(running, args, nested);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    for (std::size_t result = 0; result < result_count_; ++result) {
      results[i].emplace_back(client_, lists[i][result]);
    }
  }
  return results;
}

}  // namespace ddx::backend::pjrt
