/// \file
/// Linked into a test program: runs its tests on an asynchronous cpu device where the environment
/// says so. DDX_TEST_ASYNCHRONOUS=1: as users have it; =all: small work waits too.

#include "ddx/backend/asynchronous.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"

#include "backend/queue.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <string_view>

namespace ddx::testing {
namespace {

class AsynchronousRun : public ::testing::Environment {
 public:
  void SetUp() override {
    const char* const wish = std::getenv("DDX_TEST_ASYNCHRONOUS");
    if (wish == nullptr) {
      return;
    }
    backend::set_asynchronous(Device::cpu(), true);
    if (std::string_view(wish) == "all") {
      (void)backend::set_break_even(0);
    }
  }
  void TearDown() override {
    try {
      backend::set_asynchronous(Device::cpu(), false);
    } catch (const Error&) {
      // Of a test that has not looked at all it made.
    }
  }
};

const ::testing::Environment* const registered =
    ::testing::AddGlobalTestEnvironment(new AsynchronousRun);

}  // namespace
}  // namespace ddx::testing
