/// \file
/// The options that determine the result of a training; stored in its checkpoints.

#pragma once

#include "command_line.h"

#include <cstdint>
#include <ddx/ddx.h>

namespace lenet_mnist {

/// The options of a training.
struct Settings {
  std::int64_t epochs = 6;
  std::int64_t batch_size = 64;
  double learning_rate = 0.02;
  ddx::Device device = ddx::Device::cpu();
  std::int64_t devices = 1;  ///< Starting at `device`.
  std::uint64_t seed = 1;
};

/// The settings of a new training.
///
/// Throws:  CommandLineError if several devices are requested that are not of a plugin, or a batch
///          is not a multiple of the devices.
[[nodiscard]] Settings settings_of(const CommandLine& given);

/// The settings of a resumed training: those of its checkpoint. The command line may change the
/// number of epochs and the devices.
///
/// Throws:  as above; ddx::EnvironmentError if the checkpoint's remarks are not those of such a
///          training. CommandLineError if the command line contradicts them.
[[nodiscard]] Settings settings_of(const CommandLine& given, const ddx::train::Remarks& remarks);

/// The device that computes, or a mesh of several.
[[nodiscard]] ddx::Device place_of(const Settings& settings);

/// The settings as stored in a checkpoint.
[[nodiscard]] ddx::train::Remarks remarks_of(const Settings& settings);

}  // namespace lenet_mnist
