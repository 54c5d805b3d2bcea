/// \file
/// What decides the result of a training; travels in its checkpoints.

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
  std::int64_t devices = 1;  ///< From `device` on.
  std::uint64_t seed = 1;
};

/// The settings of a new training.
///
/// Throws:  CommandLineError where a device is to be several that is none of a plugin, or a batch
///          is no multiple of the devices.
[[nodiscard]] Settings settings_of(const CommandLine& given);

/// The settings of a training that goes on: those of its checkpoint. The command line may change
/// the number of epochs and the devices.
///
/// Throws:  as above; ddx::EnvironmentError where the remarks are not those of such a training.
///          CommandLineError where the command line contradicts them.
[[nodiscard]] Settings settings_of(const CommandLine& given, const ddx::train::Remarks& remarks);

/// What computes: the device, or a mesh of several.
[[nodiscard]] ddx::Device place_of(const Settings& settings);

/// The settings as a checkpoint carries them.
[[nodiscard]] ddx::train::Remarks remarks_of(const Settings& settings);

}  // namespace lenet_mnist
