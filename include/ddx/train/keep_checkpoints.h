/// \file
/// Checkpoints of a training that runs.

#pragma once

#include "ddx/train/checkpoint.h"
#include "ddx/train/detail/checkpoint_folder.h"
#include "ddx/train/events.h"
#include "ddx/train/loop.h"
#include "ddx/train/monitor.h"
#include "ddx/train/training.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

namespace ddx::train {

/// Which checkpoints to write.
struct CheckpointOptions {
  std::int64_t every_steps = 0;  ///< One after each so many steps; 0: none within an epoch.
  bool every_epoch = true;       ///< One after each epoch.
  std::int64_t keep = 3;         ///< How many of these stay, the newest; 0: all.
  /// One more, best.safetensors, whenever an epoch's watched value is the best so far.
  std::optional<Monitor> best = std::nullopt;
  Remarks remarks = {};  ///< Travel with every checkpoint.
};

/// Writes checkpoints into a folder, each atomically: step-000000001234.safetensors. Older ones
/// than those to keep are removed once a new one is there. What was best before a resumption is
/// remembered with best.safetensors. One folder is for one training. Borrows the training.
///
/// Throws:  UsageError where a number is negative. EnvironmentError where the folder cannot be made
///          or written, or its best.safetensors was not written by this function; within the loop,
///          where a checkpoint cannot be written.
template <class Model, class Optimizer>
[[nodiscard]] Events keep_checkpoints(const Training<Model, Optimizer>& training,
                                      const std::filesystem::path& folder,
                                      const CheckpointOptions& options = {}) {
  const auto files =
      std::make_shared<detail::CheckpointFolder>(folder, options.keep, options.every_steps);
  const auto save = [files, &training, remarks = options.remarks](const Loop& loop) {
    save_checkpoint(files->file_of(loop.step()), training, remarks);
    files->remove_old(loop.step());
  };
  Events events;
  if (options.every_steps > 0) {
    events.batch_ended = [save, every = options.every_steps](Loop& loop) {
      if (loop.phase() == Phase::Training && loop.step() % every == 0) {
        save(loop);
      }
    };
  }
  const auto best =
      options.best ? std::make_shared<Best>(*options.best, files->best_value()) : nullptr;
  events.epoch_ended = [=, &training, every_epoch = options.every_epoch,
                        remarks = options.remarks](Loop& loop) {
    if (every_epoch) {
      save(loop);
    }
    if (best && best->look(loop)) {
      save_checkpoint(files->best_file(), training, files->with_best(remarks, *best->value()));
    }
  };
  return events;
}

/// The checkpoint of the most steps in a folder of keep_checkpoints; nothing where there is none.
///
/// Throws:  EnvironmentError where the folder cannot be read; a folder that is absent is empty.
[[nodiscard]] std::optional<std::filesystem::path> latest_checkpoint(
    const std::filesystem::path& folder);

namespace detail {

/// Throws: UsageError where one of the expected remarks is absent or another.
void require_remarks(const std::filesystem::path& file, const Remarks& remarks,
                     const Remarks& expected);

}  // namespace detail

/// Sets the training to the checkpoint of the most steps in a folder of keep_checkpoints, and
/// returns its file; does nothing where there is none. A training that was killed goes on so.
///
/// Throws:  UsageError where the checkpoint does not have the expected remarks, such as the options
///          of the training: it belongs to another one. EnvironmentError as load_checkpoint. The
///          training is then unchanged.
template <class Model, class Optimizer>
std::optional<std::filesystem::path> resume_latest(Training<Model, Optimizer>& training,
                                                   const std::filesystem::path& folder,
                                                   const Remarks& expected = {}) {
  const auto file = latest_checkpoint(folder);
  if (file) {
    auto loaded = training;
    detail::require_remarks(*file, load_checkpoint(*file, loaded), expected);
    training = std::move(loaded);
  }
  return file;
}

}  // namespace ddx::train
