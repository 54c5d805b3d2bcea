#include "backend/pjrt/api.h"

#include "ddx/core/error.h"

#include "backend/pjrt/executable.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/backend/pjrt/fakes.h"

#include <array>
#include <cstddef>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace ddx::backend::pjrt {
namespace api_test {

using ddx::testing::message_of;

/// A whole life of a program with the fake of a kind; what it computes.
std::vector<float> run_with(const std::string& kind) {
  const auto client = fake_client(kind);
  const auto executable = Executable::compile(client, {.text = "results=2"});
  const auto a = on_device(client, std::array{1.0F, 2.0F});
  const auto b = on_device(client, std::array{3.0F, 4.0F});
  const std::array arguments{&a, &b};
  const auto results = executable.run(arguments, client->device(1));
  return floats_of(results.at(1));
}

// Newer plugins refuse shorter structs; theirs are 24 bytes longer, which must be zeros.
TEST(PjrtApi, ANewerPluginGetsItsLongerStructs) {
  EXPECT_EQ(run_with("Newer"), (std::vector{3.0F, 4.0F}));
  EXPECT_EQ(run_with("Newer"), (std::vector{3.0F, 4.0F})) << "by the sizes it has asked for";
  EXPECT_EQ(live_objects("Newer"), 0);
}

TEST(PjrtApi, APluginThatWantsItsSizeExactlyGetsIt) {
  EXPECT_EQ(run_with("Exact"), (std::vector{3.0F, 4.0F}));
  EXPECT_EQ(live_objects("Exact"), 0);
}

TEST(PjrtApi, StructsThatOthersPointToGrowToo) {
  EXPECT_EQ(run_with("NestedNewer"), (std::vector{3.0F, 4.0F}));
  EXPECT_EQ(run_with("NestedNewer"), (std::vector{3.0F, 4.0F}));
  EXPECT_EQ(live_objects("NestedNewer"), 0);
}

TEST(PjrtApi, ManyThreadsAskForSizesAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(run_with(t % 2 == 0 ? "Newer" : "NestedNewer"), (std::vector{3.0F, 4.0F}));
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(live_objects("Newer"), 0);
  EXPECT_EQ(live_objects("NestedNewer"), 0);
}

TEST(PjrtApi, AFunctionThatIsNotThereIsAStatus) {
  const auto plugin = Plugin::load(fake_file("NoExtras"));
  EXPECT_FALSE(plugin->api().has<BufferCopyToDeviceArgs>());
  EXPECT_TRUE(plugin->api().has<BufferToHostBufferArgs>());
  BufferCopyToDeviceArgs args;
  const Status status = plugin->api().try_call(args);
  EXPECT_EQ(status.code, ErrorCode::Unimplemented);
  EXPECT_EQ(status.message, "the plugin has no PJRT_Buffer_CopyToDevice");
  EXPECT_EQ(message_of<EnvironmentError>([&] { plugin->api().call("copy", args); }),
            "copy: the plugin has no PJRT_Buffer_CopyToDevice (UNIMPLEMENTED)");
}

TEST(PjrtApi, TheTableOfCallsIsInTheOrderOfThePlugins) {
  for (std::size_t i = 1; i < all_calls.size(); ++i) {
    EXPECT_LT(all_calls[i - 1].place, all_calls[i].place) << all_calls[i].name;
  }
}

}  // namespace api_test
}  // namespace ddx::backend::pjrt
