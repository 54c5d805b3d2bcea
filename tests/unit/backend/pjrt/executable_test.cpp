#include "backend/pjrt/executable.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"
#include "tests/unit/backend/pjrt/fakes.h"

#include <array>
#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {
namespace executable_test {

using ddx::testing::message_of;

class PjrtExecutable : public ::testing::Test {
 protected:
  ~PjrtExecutable() override {
    client_.reset();
    EXPECT_EQ(live_objects(), 0);
  }

  [[nodiscard]] Executable compiled(const std::string& program) const {
    return Executable::compile(client_, {.text = program});
  }

  std::shared_ptr<const Client> client_ = fake_client();
};

TEST_F(PjrtExecutable, HasItsResults) {
  const auto executable = compiled("results=2");
  EXPECT_EQ(executable.result_count(), 2U);
  EXPECT_EQ(executable.device_count(), 1U);
  const auto a = on_device(client_, std::array{1.0F});
  const auto b = on_device(client_, std::array{2.0F});
  const std::array arguments{&b, &a};
  const auto results = executable.run(arguments, client_->device(0));
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(floats_of(results[0]), std::vector{2.0F});
  EXPECT_EQ(floats_of(results[1]), std::vector{1.0F});
}

// As on a card on which a process was killed, or that has failed.
TEST_F(PjrtExecutable, ALostDeviceIsAnErrorWithARemedy) {
  const auto executable = compiled(
      "error=13:Failed to launch CUDA kernel: CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access "
      "was encountered\n=== Source Location Trace: ===\nxla/some.cc:1;");
  const auto a = on_device(client_, std::array{1.0F});
  const std::array arguments{&a};
  EXPECT_EQ(
      message_of<EnvironmentError>([&] { (void)executable.run(arguments, client_->device(0)); }),
      "run by PJRT: the GPU has lost the work of this process, because it failed or another "
      "process on it was killed; start the program again from its last checkpoint; Failed to "
      "launch CUDA kernel: CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered "
      "(INTERNAL)");
}

TEST_F(PjrtExecutable, ReportsItsMemory) {
  Executable executable = compiled("results=3");
  const Executable moved = std::move(executable);
  const std::optional<ProgramMemory> memory = moved.memory();
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->code, 10);
  EXPECT_EQ(memory->arguments, 20);
  EXPECT_EQ(memory->results, 3);
  EXPECT_EQ(memory->aliased, 40);
  EXPECT_EQ(memory->temporary, 50);
  EXPECT_EQ(memory->needed(), 60);
  EXPECT_EQ((ProgramMemory{.code = 1, .arguments = 20, .results = 300, .aliased = 5}.needed()), 316)
      << "as the peak is not known";
  const auto without = Executable::compile(fake_client("NoExtras"), {.text = ""});
  EXPECT_FALSE(without.memory());
}

TEST_F(PjrtExecutable, TheCompilersMessageHasTheLineOfTheProgram) {
  const std::string nonsense = "one\ntwo\nnonsense";
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)compiled(nonsense); }),
            "compile for PJRT: -:3:8: error: nonsense.\n-:3:8: note: see it (INVALID_ARGUMENT)");
  const auto origin = [](std::size_t line) {
    return line == 3 ? std::string("step.cpp:12") : std::string();
  };
  EXPECT_EQ(message_of<EnvironmentError>([&] {
              (void)Executable::compile(client_, {.text = nonsense, .origin_of_line = origin});
            }),
            "compile for PJRT: -:3:8: error: nonsense.\n-:3:8: note: see it (INVALID_ARGUMENT); of "
            "step.cpp:12");
}

TEST_F(PjrtExecutable, ARunThatFailsAtOnceIsAnError) {
  const auto executable = compiled("fail now");
  const auto a = on_device(client_, std::array{1.0F});
  const std::array arguments{&a};
  EXPECT_EQ(
      message_of<EnvironmentError>([&] { (void)executable.run(arguments, client_->device(0)); }),
      "run by PJRT: The fake device is tired (ABORTED)");
}

TEST_F(PjrtExecutable, ARunThatFailsLaterIsAnErrorWhereItsResultsAreLookedAt) {
  const auto executable = compiled("fail later slowly");
  const auto a = on_device(client_, std::array{1.0F});
  const std::array arguments{&a};
  const auto results = executable.run(arguments, client_->device(0));
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)floats_of(results[0]); }),
            "copy from a PJRT device: The fake device has stumbled (INTERNAL)");
}

TEST_F(PjrtExecutable, ADonatedArgumentIsGoneUnlessItIsKept) {
  const auto executable = compiled("donate");
  const auto a = on_device(client_, std::array{1.0F});
  const std::array arguments{&a};
  (void)executable.run(arguments, client_->device(0), {.kept = {0}});
  EXPECT_FALSE(a.is_deleted());
  (void)executable.run(arguments, client_->device(0));
  EXPECT_TRUE(a.is_deleted());
  EXPECT_EQ(
      message_of<EnvironmentError>([&] { (void)executable.run(arguments, client_->device(0)); }),
      "run by PJRT: A fake buffer is gone (INVALID_ARGUMENT)");
}

TEST_F(PjrtExecutable, BecomesBytesAndComesBack) {
  const auto executable = compiled("results=2");
  const auto bytes = executable.serialised();
  ASSERT_TRUE(bytes);
  EXPECT_EQ(Executable::deserialised(client_, *bytes).result_count(), 2U);
  EXPECT_EQ(
      message_of<EnvironmentError>([&] { (void)Executable::deserialised(client_, "rubbish"); }),
      "load a program for PJRT: No fake program (DATA_LOSS)");
  EXPECT_EQ(Executable::compile(fake_client("NoExtras"), {.text = ""}).serialised(), std::nullopt);
}

TEST_F(PjrtExecutable, ArgumentsAreForEachDevice) {
  const auto executable = compiled("");
  const std::vector<std::vector<const DeviceBuffer*>> of_two(2);
  EXPECT_EQ(message_of<UsageError>([&] { (void)executable.run_on_all(of_two); }),
            "run by PJRT: arguments for 2 devices of a program for 1");
}

}  // namespace executable_test
}  // namespace ddx::backend::pjrt
