// XLA's plugin for CUDA on a machine without a card: one error, and nothing on standard error.

#include "ddx/backend/pjrt.h"
#include "ddx/core/error.h"

#include "backend/pjrt/plugin_search.h"
#include "tests/support/temporary_folder.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::backend {
namespace no_card_test {

using ddx::testing::message_of;

TEST(PjrtNoCard, IsOneErrorWithARemedy) {
  if (std::filesystem::exists("/dev/nvidiactl")) {
    GTEST_SKIP() << "this machine has a card";
  }
  const std::vector<std::filesystem::path> folders{DDX_CUDA_PLUGIN_FOLDER};
  const auto found = pjrt::find_plugins(folders);
  if (found.empty()) {
    GTEST_SKIP() << "no plugin for CUDA in " DDX_CUDA_PLUGIN_FOLDER;
  }
  ::unsetenv("TF_CPP_MIN_LOG_LEVEL");
  add_pjrt_plugin("no card", found.front().file);
  ::testing::internal::CaptureStderr();
  const std::string message = message_of<EnvironmentError>([] { (void)pjrt_platform("no card"); });
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(message,
            "open PJRT devices: no GPU was found, or no driver for it; nvidia-smi (AMD: rocm-smi) "
            "lists the GPUs that a program can use; " +
                found.front().file.string() + ": No visible GPU devices (FAILED_PRECONDITION)");
}

}  // namespace no_card_test
}  // namespace ddx::backend
