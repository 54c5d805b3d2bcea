#include "ddx/train/keep_checkpoints.h"

#include "ddx/core/error.h"
#include "ddx/train/checkpoint.h"
#include "ddx/train/monitor.h"

#include "tests/support/scripted_training.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

namespace ddx::train {
namespace keep_checkpoints_test {

using ddx::testing::message_of;
using ddx::testing::new_countdown;
using ddx::testing::run_countdown;
using ddx::testing::scripted;
using ddx::testing::TemporaryFolder;

/// The names in a folder, without ".safetensors" and leading zeros.
std::string names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    auto name = entry.path().stem().string();
    if (name.starts_with("step-")) {
      name.erase(5, name.find_first_not_of('0', 5) - 5);
    }
    names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  std::string all;
  for (const auto& name : names) {
    all += name + " ";
  }
  return all;
}

double value_in(const std::filesystem::path& file) {
  auto training = new_countdown();
  (void)load_checkpoint(file, training);
  return training.model.value;
}

TEST(KeepCheckpoints, WritesAfterEachEpochAndKeepsTheNewest) {
  const TemporaryFolder folder;
  auto training = new_countdown();
  (void)run_countdown(training, 5, 2, {keep_checkpoints(training, folder.path(), {.keep = 2})});
  EXPECT_EQ(names_in(folder.path()), "step-10 step-8 ");
  const auto latest = latest_checkpoint(folder.path());
  ASSERT_TRUE(latest);
  EXPECT_EQ(latest->filename(), "step-000000000010.safetensors");
  EXPECT_EQ(value_in(*latest), -10);
}

TEST(KeepCheckpoints, WritesEverySoManySteps) {
  const TemporaryFolder folder;
  auto training = new_countdown();
  (void)run_countdown(training, 3, 4,
                      {keep_checkpoints(training, folder.path(),
                                        {.every_steps = 3, .every_epoch = false, .keep = 0})});
  EXPECT_EQ(names_in(folder.path()), "step-12 step-3 step-6 step-9 ");
  // Within an epoch, the position is there as well.
  auto resumed = new_countdown();
  (void)load_checkpoint(folder.path() / "step-000000000006.safetensors", resumed);
  EXPECT_EQ(resumed.position.epoch, 1);
  EXPECT_EQ(resumed.position.step, 2);
}

TEST(ResumeLatest, GoesOnFromTheNewest) {
  const TemporaryFolder folder;
  auto training = new_countdown();
  EXPECT_FALSE(resume_latest(training, folder.path()));
  EXPECT_FALSE(resume_latest(training, folder.path() / "absent"));
  EXPECT_EQ(training.position.epoch, 0);
  (void)run_countdown(training, 3, 2, {keep_checkpoints(training, folder.path(), {})});
  auto resumed = new_countdown();
  const auto file = resume_latest(resumed, folder.path());
  ASSERT_TRUE(file);
  EXPECT_EQ(file->filename(), "step-000000000006.safetensors");
  EXPECT_EQ(resumed.model.value, training.model.value);
  EXPECT_EQ(resumed.position, training.position);
}

TEST(ResumeLatest, RefusesAnotherTraining) {
  const TemporaryFolder folder;
  auto training = new_countdown();
  (void)run_countdown(
      training, 1, 1,
      {keep_checkpoints(training, folder.path(), {.remarks = {{"options", "rate 1"}}})});
  const auto name = (folder.path() / "step-000000000001.safetensors").string();
  auto resumed = new_countdown();
  EXPECT_EQ(message_of<UsageError>(
                [&] { (void)resume_latest(resumed, folder.path(), {{"options", "rate 2"}}); }),
            "resume_latest: " + name + " has the options \"rate 1\", not \"rate 2\"");
  EXPECT_EQ(
      message_of<UsageError>([&] { (void)resume_latest(resumed, folder.path(), {{"seed", ""}}); }),
      "resume_latest: " + name + " does not tell its seed");
  EXPECT_EQ(resumed.position.epoch, 0);
  EXPECT_TRUE(resume_latest(resumed, folder.path(), {{"options", "rate 1"}}));
}

TEST(KeepCheckpoints, WritesTheBestWithItsRemarks) {
  const TemporaryFolder folder;
  auto training = new_countdown();
  (void)run_countdown(
      training, 4, 1,
      {keep_checkpoints(
          training, folder.path(),
          {.every_epoch = false, .best = scripted({5, 3, 4, 3.5}), .remarks = {{"seed", "1"}}})});
  EXPECT_EQ(names_in(folder.path()), "best ");
  auto best = new_countdown();
  EXPECT_EQ(load_checkpoint(folder.path() / "best.safetensors", best),
            (Remarks{{"best_value", "3"}, {"seed", "1"}}));
  EXPECT_EQ(best.model.value, -2);
}

TEST(KeepCheckpoints, RemembersTheBestAfterAResumption) {
  const TemporaryFolder folder;
  auto training = new_countdown();
  const auto run = [&](std::int64_t epochs) {
    (void)run_countdown(training, epochs, 1,
                        {keep_checkpoints(training, folder.path(),
                                          {.every_epoch = false, .best = scripted({3, 4, 5, 2})})});
  };
  run(1);
  run(3);
  EXPECT_EQ(value_in(folder.path() / "best.safetensors"), -1);
  run(4);
  EXPECT_EQ(value_in(folder.path() / "best.safetensors"), -4);
}

TEST(KeepCheckpoints, TouchesNoOtherFiles) {
  const TemporaryFolder folder;
  const std::vector<std::uint8_t> byte = {1};
  (void)folder.write("step-1.safetensors", byte);
  (void)folder.write("step-00000000000x.safetensors", byte);
  (void)folder.write("notes", byte);
  auto training = new_countdown();
  (void)run_countdown(training, 3, 1, {keep_checkpoints(training, folder.path(), {.keep = 1})});
  EXPECT_EQ(folder.entry_count(), 4);
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "step-000000000003.safetensors"));
}

TEST(KeepCheckpoints, RemovesWhatAKilledProcessLeft) {
  const TemporaryFolder folder;
  for (const std::string name : {".ddx-save-0", ".ddx-save-1", ".step-000000000010.safetensors",
                                 ".other.safetensors.123456", ".step-1.txt.123456"}) {
    (void)folder.write(name, {});
  }
  const auto training = new_countdown();
  (void)keep_checkpoints(training, folder.path());
  EXPECT_EQ(names_in(folder.path()), ".other.safetensors .step-000000000010 .step-1.txt ");
}

TEST(KeepCheckpoints, AnAbsentFolderHasNoLatest) {
  const TemporaryFolder folder;
  EXPECT_EQ(latest_checkpoint(folder.path() / "absent"), std::nullopt);
  EXPECT_EQ(latest_checkpoint(folder.path()), std::nullopt);
}

TEST(KeepCheckpoints, MistakesAreNamed) {
  const TemporaryFolder folder;
  const auto training = new_countdown();
  const auto best = folder.path() / "best.safetensors";
  EXPECT_EQ(message_of<UsageError>(
                [&] { (void)keep_checkpoints(training, folder.path(), {.keep = -1}); }),
            "keep_checkpoints: keep is -1");
  EXPECT_EQ(message_of<UsageError>(
                [&] { (void)keep_checkpoints(training, folder.path(), {.every_steps = -5}); }),
            "keep_checkpoints: every_steps is -5");
  save_checkpoint(best, training);
  EXPECT_EQ(message_of<EnvironmentError>(
                [&] { (void)keep_checkpoints(training, folder.path(), {.best = Monitor()}); }),
            "keep_checkpoints: " + best.string() + " does not tell its best_value");
}

TEST(KeepCheckpoints, AFolderThatTheSystemRefusesToLookAtIsNamed) {
  const std::filesystem::path folder = std::string(300, 'n');
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)latest_checkpoint(folder); }),
            "keep_checkpoints: cannot read " + folder.string() + ": File name too long");
}

}  // namespace keep_checkpoints_test
}  // namespace ddx::train
