#include "backend/pjrt/event.h"

#include "ddx/core/error.h"

#include "backend/pjrt/executable.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/backend/pjrt/fakes.h"

#include <array>
#include <chrono>
#include <future>
#include <gtest/gtest.h>
#include <string>
#include <utility>

namespace ddx::backend::pjrt {
namespace event_test {

using ddx::testing::message_of;

/// The result of a program of the fake.
DeviceBuffer result_of(const std::string& program) {
  const auto client = fake_client();
  const auto argument = on_device(client, std::array{5.0F});
  const std::array arguments{&argument};
  auto results = Executable::compile(client, {.text = program}).run(arguments, client->device(0));
  return std::move(results.front());
}

/// The argument of a callback.
std::string told_by(const Event& event) {
  std::promise<std::string> promise;
  auto told = promise.get_future();
  event.on_ready([&](const Status& status) {
    promise.set_value(status.is_ok() ? "done" : to_string(status));
  });
  return told.wait_for(std::chrono::seconds(30)) == std::future_status::ready ? told.get()
                                                                              : "nothing";
}

TEST(PjrtEvent, OfNoWorkIsReady) {
  const Event event;
  EXPECT_TRUE(event.is_ready());
  EXPECT_TRUE(event.wait().is_ok());
  EXPECT_EQ(told_by(event), "done");
}

TEST(PjrtEvent, BecomesReadyLater) {
  {
    const DeviceBuffer buffer = result_of("slowly");
    const Event event = buffer.ready();
    EXPECT_FALSE(event.is_ready());
    EXPECT_EQ(told_by(buffer.ready()), "done");
    EXPECT_TRUE(event.is_ready());
    event.await("wait");
    EXPECT_EQ(floats_of(buffer).front(), 5);
  }
  EXPECT_EQ(live_objects(), 0);
}

TEST(PjrtEvent, AFailureIsTold) {
  {
    const DeviceBuffer buffer = result_of("slowly fail later");
    EXPECT_EQ(told_by(buffer.ready()), "The fake device has stumbled (INTERNAL)");
    EXPECT_EQ(message_of<EnvironmentError>([&] { buffer.ready().await("wait"); }),
              "wait: The fake device has stumbled (INTERNAL)");
    EXPECT_EQ(buffer.ready().wait().code, ErrorCode::Internal);
  }
  EXPECT_EQ(live_objects(), 0);
}

}  // namespace event_test
}  // namespace ddx::backend::pjrt
