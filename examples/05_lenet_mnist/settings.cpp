#include "settings.h"

#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <system_error>
#include <type_traits>

namespace lenet_mnist {
namespace {

ddx::Device device_of_checkpoint(const std::string& name) {
  const auto device = ddx::device_named(name);
  if (!device) {
    throw ddx::EnvironmentError("resume", "the checkpoint's device cannot be \"" + name + "\"");
  }
  return *device;
}

/// The shortest text that reads back as the same number.
template <class Number>
std::string text_of(Number number) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, number).ptr;
  return {text, end};
}

const std::string& remark(const ddx::train::Remarks& remarks, const std::string& name) {
  const auto found = remarks.find(name);
  if (found == remarks.end()) {
    throw ddx::EnvironmentError("resume", "the checkpoint does not tell its " + name);
  }
  return found->second;
}

/// Any seed will do; every other number is finite and positive.
template <class Number>
bool is_possible(Number number) {
  return std::is_unsigned_v<Number> || (number > 0 && number <= std::numeric_limits<Number>::max());
}

template <class Number>
Number number_in(const ddx::train::Remarks& remarks, const std::string& name) {
  const auto& text = remark(remarks, name);
  Number number{};
  const char* const all = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), all, number);
  if (error != std::errc() || end != all || !is_possible(number)) {
    throw ddx::EnvironmentError("resume",
                                "the checkpoint's " + name + " cannot be \"" + text + "\"");
  }
  return number;
}

/// The number in the checkpoint, which the command line may only repeat.
template <class Number>
void keep(const char* option, const std::optional<Number>& given, Number kept) {
  if (given && *given != kept) {
    throw CommandLineError(std::string(option) + ": " + text_of(*given) +
                           " contradicts the checkpoint, made with " + text_of(kept));
  }
}

/// The settings, if this many devices can share a batch.
Settings checked(const Settings& settings) {
  if (settings.devices > 1 && settings.device.kind() != ddx::Device::Kind::Pjrt) {
    throw CommandLineError("--devices: " + text_of(settings.devices) + " of device " +
                           to_string(settings.device) + ", which is one");
  }
  if (settings.batch_size % settings.devices != 0) {
    throw CommandLineError("--batch-size: " + text_of(settings.batch_size) + " is no multiple of " +
                           text_of(settings.devices) + " devices");
  }
  return settings;
}

}  // namespace

Settings settings_of(const CommandLine& given) {
  const Settings usual;
  return checked({.epochs = given.epochs.value_or(usual.epochs),
                  .batch_size = given.batch_size.value_or(usual.batch_size),
                  .learning_rate = given.learning_rate.value_or(usual.learning_rate),
                  .device = given.device.value_or(usual.device),
                  .devices = given.devices.value_or(usual.devices),
                  .seed = given.seed.value_or(usual.seed)});
}

Settings settings_of(const CommandLine& given, const ddx::train::Remarks& remarks) {
  Settings settings;
  settings.epochs = given.epochs.value_or(number_in<std::int64_t>(remarks, "epochs"));
  settings.batch_size = number_in<std::int64_t>(remarks, "batch_size");
  settings.learning_rate = number_in<double>(remarks, "learning_rate");
  settings.device = given.device ? *given.device : device_of_checkpoint(remark(remarks, "device"));
  // Checkpoints of earlier versions do not have it.
  settings.devices = given.devices.value_or(
      remarks.contains("devices") ? number_in<std::int64_t>(remarks, "devices") : 1);
  settings.seed = number_in<std::uint64_t>(remarks, "seed");
  keep("--batch-size", given.batch_size, settings.batch_size);
  keep("--learning-rate", given.learning_rate, settings.learning_rate);
  keep("--seed", given.seed, settings.seed);
  return checked(settings);
}

ddx::Device place_of(const Settings& settings) {
  return settings.devices == 1 ? settings.device
                               : ddx::Mesh({{"data", settings.devices}}, settings.device).device();
}

ddx::train::Remarks remarks_of(const Settings& settings) {
  return {{"epochs", text_of(settings.epochs)},
          {"batch_size", text_of(settings.batch_size)},
          {"learning_rate", text_of(settings.learning_rate)},
          {"device", to_string(settings.device)},
          {"devices", text_of(settings.devices)},
          {"seed", text_of(settings.seed)}};
}

}  // namespace lenet_mnist
