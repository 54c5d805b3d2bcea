/// \file
/// The options of the program, as given on the command line.

#pragma once

#include <cstdint>
#include <ddx/core/device.h>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

namespace lenet_mnist {

/// The options that the user gave; absent ones are empty.
struct CommandLine {
  std::optional<std::int64_t> epochs;
  std::optional<std::int64_t> batch_size;
  std::optional<double> learning_rate;
  std::optional<ddx::Device> device;
  std::optional<std::int64_t> devices;
  std::optional<std::uint64_t> seed;
  std::filesystem::path data = "data/mnist";
  std::optional<std::filesystem::path> resume;
  std::filesystem::path output = "lenet_mnist";
  std::string help;  ///< The requested help text; otherwise empty.
};

/// An invalid option or value; the message is one line.
class CommandLineError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws: CommandLineError if an option is unknown, lacks its value, or has an invalid one.
[[nodiscard]] CommandLine parse_command_line(int count, const char* const* words);

}  // namespace lenet_mnist
