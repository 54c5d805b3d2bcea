#include "command_line.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <ddx/core/device.h>
#include <optional>
#include <string>
#include <system_error>

namespace lenet_mnist {
namespace {

/// A word as a number of this type, or nothing if it is not one.
template <class Number>
std::optional<Number> number_of(const std::string& word) {
  Number number{};
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, number);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

/// The options as words. CLI11 2.1 would convert them itself, but wraps and saturates silently.
struct Words {
  std::optional<std::string> epochs, batch_size, learning_rate, device, devices, seed, data, resume,
      output;
};

/// An option's word as a number for which `is_right` holds; `demand` describes valid numbers.
template <class Number, class Check>
std::optional<Number> value_of(const char* option, const std::optional<std::string>& word,
                               const char* demand, Check is_right) {
  if (!word) {
    return std::nullopt;
  }
  const auto number = number_of<Number>(*word);
  if (!number || !is_right(*number)) {
    throw CommandLineError(std::string(option) + " '" + *word + "': not " + demand);
  }
  return number;
}

CommandLine read(const Words& words) {
  const auto is_positive = [](auto number) { return number > 0; };
  const char* const positive = "a whole number above 0";
  CommandLine given;
  given.epochs = value_of<std::int64_t>("--epochs", words.epochs, positive, is_positive);
  given.batch_size =
      value_of<std::int64_t>("--batch-size", words.batch_size, positive, is_positive);
  given.learning_rate =
      value_of<double>("--learning-rate", words.learning_rate, "a finite number above 0",
                       [](double rate) { return std::isfinite(rate) && rate > 0; });
  given.seed =
      value_of<std::uint64_t>("--seed", words.seed, "a whole number from 0 to 18446744073709551615",
                              [](std::uint64_t) { return true; });
  if (words.device) {
    given.device = ddx::device_named(*words.device);
    if (!given.device) {
      throw CommandLineError("--device '" + *words.device +
                             "': there are naive, cpu, lazy and pjrt:NAME");
    }
  }
  given.devices = value_of<std::int64_t>("--devices", words.devices, positive, is_positive);
  given.data = words.data.value_or(given.data);
  given.resume = words.resume;
  given.output = words.output.value_or(given.output);
  return given;
}

}  // namespace

CommandLine parse_command_line(int count, const char* const* words) {
  Words given;
  CLI::App app("Trains LeNet-5 on MNIST and prints the accuracy on the test images.",
               "05_lenet_mnist");
  app.set_help_flag("--help", "print this text");
  app.allow_extras();
  const auto option = [&](const char* name, const char* value, auto& word, const char* text) {
    app.add_option(name, word, text)->type_name(value);
  };
  option("--epochs", "N", given.epochs, "how many times to go through the training images (6)");
  option("--batch-size", "N", given.batch_size, "images per step (64)");
  option("--learning-rate", "X", given.learning_rate,
         "step length of the optimizer in the first epoch (0.02)");
  option("--device", "naive|cpu|lazy|pjrt:NAME", given.device,
         "which implementation of tensors computes (cpu)");
  option("--devices", "N", given.devices,
         "how many devices of a plugin (--device pjrt:NAME) share each batch (1)");
  option("--seed", "N", given.seed, "same seed, same result, bit for bit (1)");
  option("--data", "DIR", given.data, "folder of the four IDX files (data/mnist)");
  option("--resume", "FILE", given.resume,
         "continue from a checkpoint, with the options it was made with");
  option("--output", "DIR", given.output,
         "where the checkpoint and the picture of predictions go (lenet_mnist)");
  try {
    app.parse(count, words);
  } catch (const CLI::CallForHelp&) {
    CommandLine only_help;
    only_help.help = app.help();
    return only_help;
  } catch (const CLI::ParseError& error) {
    throw CommandLineError(error.what());
  }
  if (const auto unknown = app.remaining(); !unknown.empty()) {
    throw CommandLineError("unknown option '" + unknown.front() + "'; --help lists them");
  }
  return read(given);
}

}  // namespace lenet_mnist
