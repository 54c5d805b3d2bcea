#include "backend/pjrt/probe.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace ddx::backend::pjrt {
namespace probe_test {

using ddx::testing::message_of;

constexpr std::chrono::milliseconds plenty{60'000};

std::string failure_of(const std::function<void()>& work,
                       std::chrono::milliseconds limit = plenty) {
  return message_of<EnvironmentError>([&] { try_in_child("try", "it", limit, work); });
}

TEST(PjrtProbe, WorkThatReturnsOrThrowsIsDone) {
  EXPECT_EQ(failure_of([] {}), "(no exception)");
  EXPECT_EQ(failure_of([] { throw std::runtime_error("to be met again"); }), "(no exception)");
}

TEST(PjrtProbe, ChangesNothingHere) {
  int touched = 0;
  EXPECT_EQ(failure_of([&] { touched = 1; }), "(no exception)");
  EXPECT_EQ(touched, 0);
}

TEST(PjrtProbe, TheSignalIsTold) {
  EXPECT_EQ(failure_of([] { ::raise(SIGILL); }),
            "try: it dies of signal 4 (Illegal instruction); it has printed nothing");
}

// A handler of the program for crashes must not run in the child.
TEST(PjrtProbe, HandlersOfTheProgramDoNotRun) {
  const auto old = ::signal(SIGABRT, [](int) { ::_exit(0); });
  EXPECT_EQ(failure_of([] { ::raise(SIGABRT); }),
            "try: it dies of signal 6 (Aborted); it has printed nothing");
  ::signal(SIGABRT, old);
}

TEST(PjrtProbe, WhatIsPrintedIsToldFromItsEnd) {
  const std::string message = failure_of([] {
    for (int i = 0; i < 100'000; ++i) {  // More than a pipe holds.
      std::fputs("line\n", stdout);
    }
    std::fputs("the last words.\n", stdout);
    std::fflush(stdout);
    ::_exit(1);
  });
  EXPECT_TRUE(message.starts_with("try: it ends the process with status 1; it has printed: "));
  EXPECT_TRUE(message.ends_with("line line the last words")) << message;
  EXPECT_LT(message.size(), 800U);
}

TEST(PjrtProbe, WhatHangsIsGivenUp) {
  EXPECT_EQ(failure_of(
                [] {
                  while (true) {
                    ::pause();
                  }
                },
                std::chrono::milliseconds(50)),
            "try: it has not come back after 50 ms; it has printed nothing");
}

}  // namespace probe_test
}  // namespace ddx::backend::pjrt
