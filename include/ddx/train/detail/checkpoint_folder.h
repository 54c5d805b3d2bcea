/// \file
/// The files of keep_checkpoints.

#pragma once

#include "ddx/train/checkpoint.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>

namespace ddx::train::detail {

/// A folder of checkpoints, by the number of steps they were made after.
class CheckpointFolder {
 public:
  /// Makes the folder where it is absent. Files of saves that were killed are removed, as
  /// io::prepare_folder does.
  ///
  /// Throws: UsageError where a number is negative; EnvironmentError where it cannot be made.
  CheckpointFolder(std::filesystem::path folder, std::int64_t keep, std::int64_t every_steps);

  [[nodiscard]] std::filesystem::path file_of(std::int64_t step) const;
  [[nodiscard]] std::filesystem::path best_file() const;

  /// Removes what is older than the newest ones to keep, of those up to `step`.
  void remove_old(std::int64_t step) const;

  /// The value that best_file was written for; nothing where there is no such file.
  ///
  /// Throws: EnvironmentError where the file is no checkpoint, or does not tell.
  [[nodiscard]] std::optional<double> best_value() const;
  /// The remarks of such a file.
  [[nodiscard]] static Remarks with_best(Remarks remarks, double value);

 private:
  std::filesystem::path folder_;
  std::int64_t keep_;
};

/// The checkpoints of a folder, by their steps.
[[nodiscard]] std::map<std::int64_t, std::filesystem::path> checkpoints_in(
    const std::filesystem::path& folder);

}  // namespace ddx::train::detail
