#include "backend/pjrt/plugin.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"
#include "tests/unit/backend/pjrt/fakes.h"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <vector>

namespace ddx::backend::pjrt {
namespace plugin_test {

using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;

/// What loading the fake of a kind fails with, its path written as FILE.
std::string failure_of(const std::string& kind, const LoadOptions& options = {}) {
  std::string message =
      message_of<EnvironmentError>([&] { (void)Plugin::load(fake_file(kind), options); });
  const std::string file = std::filesystem::canonical(fake_file(kind)).string();
  for (auto at = message.find(file); at != std::string::npos; at = message.find(file)) {
    message.replace(at, file.size(), "FILE");
  }
  return message;
}

TEST(PjrtPlugin, TellsWhatItIs) {
  const auto plugin = Plugin::load(fake_file("Good"));
  EXPECT_EQ(plugin->file(), std::filesystem::canonical(fake_file("Good")));
  EXPECT_EQ(plugin->api().major(), 0);
  EXPECT_EQ(plugin->api().minor(), 115);
  EXPECT_EQ(plugin->stablehlo_version(), (std::vector<std::int64_t>{1, 13, 7}));
  EXPECT_NE(plugin->identity().find("Good.so"), std::string::npos);
  EXPECT_NE(plugin->identity().find("PJRT 0.115, stablehlo_current_version=[1, 13, 7]"),
            std::string::npos);
}

TEST(PjrtPlugin, IsLoadedOnce) {
  const TemporaryFolder folder;
  const auto link = folder.path() / "link.so";
  std::filesystem::create_symlink(fake_file("Good"), link);
  EXPECT_EQ(Plugin::load(fake_file("Good")), Plugin::load(link));
}

TEST(PjrtPlugin, AnAbsentFileIsAnError) {
  EXPECT_EQ(message_of<EnvironmentError>([] { (void)Plugin::load("/nowhere/plugin.so"); }),
            "load a PJRT plugin: /nowhere/plugin.so: No such file or directory");
}

TEST(PjrtPlugin, AFileThatIsNoLibraryIsAnError) {
  const TemporaryFolder folder;
  const std::vector<std::uint8_t> bytes{'t', 'e', 'x', 't'};
  const auto file = std::filesystem::canonical(folder.write("plugin.so", bytes));
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)Plugin::load(file); }),
            "load a PJRT plugin: " + file.string() + ": file too short");
}

TEST(PjrtPlugin, ALibraryWithoutItsFunctionIsAnError) {
  EXPECT_EQ(failure_of("NoFunction"),
            "load a PJRT plugin: FILE has no function GetPjrtApi: it is no PJRT plugin");
}

TEST(PjrtPlugin, VersionsThatAreNotSupportedAreErrors) {
  EXPECT_EQ(failure_of("TooOld"),
            "load a PJRT plugin: FILE: the plugin has PJRT 0.56, older than 0.57, the oldest that "
            "is supported; install a newer one");
  EXPECT_EQ(failure_of("OtherMajor"),
            "load a PJRT plugin: FILE: the plugin has PJRT 1.0, whose major version is not the 0 "
            "that is known");
}

TEST(PjrtPlugin, MissingFunctionsAreNamed) {
  EXPECT_EQ(failure_of("NoTable"), "load a PJRT plugin: FILE offers no functions");
  EXPECT_EQ(failure_of("LacksFunctions"),
            "load a PJRT plugin: FILE: the plugin has PJRT 0.115 and lacks PJRT_Event_OnReady, "
            "PJRT_Buffer_ToHostBuffer");
  EXPECT_EQ(failure_of("ShortTable"),
            "load a PJRT plugin: FILE: the plugin has PJRT 0.115 and lacks "
            "PJRT_Buffer_ToHostBuffer, PJRT_Buffer_ReadyEvent");
}

TEST(PjrtPlugin, ItsErrorAtLoadIsTold) {
  EXPECT_EQ(failure_of("FailsAtLoad"),
            "load a PJRT plugin: FILE: The fake driver is too old (FAILED_PRECONDITION)");
}

// Each of them would end this process.
TEST(PjrtPlugin, ACrashAtLoadIsAnErrorAndTheProcessLives) {
  EXPECT_EQ(failure_of("AbortsAtLoad"),
            "load a PJRT plugin: FILE dies of signal 6 (Aborted); it has printed: fatal: the fake "
            "driver is absent");
  EXPECT_EQ(failure_of("ExitsAtLoad"),
            "load a PJRT plugin: FILE ends the process with status 3; it has printed nothing");
}

TEST(PjrtPlugin, OneThatHangsAtLoadIsGivenUp) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(failure_of("HangsAtLoad", {.time_limit = std::chrono::milliseconds(200)}),
            "load a PJRT plugin: FILE has not come back after 200 ms; it has printed nothing");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
}

TEST(PjrtPlugin, ManyThreadsLoadOnePlugin) {
  std::vector<std::shared_ptr<const Plugin>> plugins(8);
  std::vector<std::thread> threads;
  for (auto& plugin : plugins) {
    threads.emplace_back([&plugin] { plugin = Plugin::load(fake_file("NoExtras")); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const auto& plugin : plugins) {
    EXPECT_EQ(plugin, plugins.front());
  }
}

// XLA's plugins read it once, when they are loaded.
TEST(PjrtPlugin, LogsOnlyOnRequest) {
  const TemporaryFolder folder;
  ::unsetenv("TF_CPP_MIN_LOG_LEVEL");
  const auto level_of = [&](const std::string& name, const LoadOptions& options) {
    const auto file = folder.path() / name;
    std::filesystem::copy_file(fake_file("Good"), file);
    (void)Plugin::load(file, options);
    return answer_of(file, "fake_log_level");
  };
  EXPECT_EQ(level_of("quiet.so", {}), "3");
  EXPECT_EQ(std::getenv("TF_CPP_MIN_LOG_LEVEL"), nullptr) << "of children too";
  EXPECT_EQ(level_of("asked by the program.so", {.log = true}), "none");
  ::setenv("TF_CPP_MIN_LOG_LEVEL", "1", 1);
  EXPECT_EQ(level_of("asked by the user.so", {}), "1");
  ::unsetenv("TF_CPP_MIN_LOG_LEVEL");
}

}  // namespace plugin_test
}  // namespace ddx::backend::pjrt
