/// \file
/// One epoch of LeNet-5 on MNIST, by the training loop.

#pragma once

#include <filesystem>
#include <string>

namespace ddx::bench {

/// What an epoch took.
struct EpochTime {
  std::string device;
  int steps = 0;
  double first_step_s = 0;  ///< The first step, compilation included.
  double rest_s = 0;        ///< All other steps, until the last update is made.
  double accuracy = 0;      ///< On the test images, from 0 to 1.
};

/// Trains LeNet-5 for an epoch in batches of 128 on a device, as accepted by device_named. `data`
/// is the folder of MNIST's four files.
///
/// Throws:  EnvironmentError if a file cannot be read or the device cannot be opened.
[[nodiscard]] EpochTime lenet_epoch(const std::filesystem::path& data, const std::string& device);

/// As JSON, a flat object.
[[nodiscard]] std::string to_json(const EpochTime& time);

}  // namespace ddx::bench
