#include "backend/queue.h"

#include "ddx/backend/asynchronous.h"
#include "ddx/core/device.h"
#include "ddx/tensor.h"

#include "tests/support/gated_device.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ddx::backend {
namespace queue_test {

using testing::GatedDevice;

TEST(Queue, KeepsTheOrderOfEachOfManyThreads) {
  GatedDevice gate;
  gate.open();
  constexpr int threads = 4;
  std::array<Tensor<std::int32_t>, threads> results;
  std::vector<std::thread> issuers;
  for (int t = 0; t < threads; ++t) {
    issuers.emplace_back([t, &results] {
      // 500 steps of r = 5 r + t modulo 2^32, once in tensors and once in numbers.
      Tensor<std::int32_t> r{t};
      for (int i = 0; i < 500; ++i) {
        if (i % 2 == 0) {
          r *= 5;
        } else {
          r = r * 5;
        }
        r += t;
      }
      results[static_cast<std::size_t>(t)] = r;
    });
  }
  for (std::thread& issuer : issuers) {
    issuer.join();
  }
  for (int t = 0; t < threads; ++t) {
    auto expected = static_cast<std::uint32_t>(t);
    for (int i = 0; i < 500; ++i) {
      expected = 5 * expected + static_cast<std::uint32_t>(t);
    }
    EXPECT_EQ(results[static_cast<std::size_t>(t)].item(), static_cast<std::int32_t>(expected));
  }
}

TEST(Queue, HandsTensorsFromThreadToThread) {
  GatedDevice gate;
  gate.open();
  // A relay: each thread adds to what the one before has issued and not waited for.
  std::atomic<int> turn{0};
  Tensor<float> baton{0, 0};
  constexpr int runners = 3;
  constexpr int rounds = 100;
  std::vector<std::thread> team;
  for (int runner = 0; runner < runners; ++runner) {
    team.emplace_back([&, runner] {
      for (int round = 0; round < rounds; ++round) {
        while (turn.load() != round * runners + runner) {
          std::this_thread::yield();
        }
        const Tensor<float> seen = baton;  // Shared, so that this update is not in place.
        baton += 1.0F;
        baton += 1.0F;  // And this one is.
        if (round % 10 == 0) {
          EXPECT_EQ(seen.elements()[0], static_cast<float>(2 * (round * runners + runner)));
        }
        ++turn;
      }
    });
  }
  for (std::thread& runner : team) {
    runner.join();
  }
  EXPECT_EQ(baton.elements()[1], static_cast<float>(2 * runners * rounds));
}

TEST(Queue, ManyThreadsReadOneTensor) {
  GatedDevice gate;
  gate.open();
  const auto shared = exp(Tensor<float>({64}, std::vector<float>(64, 0)));
  std::vector<std::thread> readers;
  for (int t = 0; t < 4; ++t) {
    readers.emplace_back([&shared, t] {
      for (int i = 0; i < 100; ++i) {
        const auto sum = shared + static_cast<float>(t * i);
        if (i % 20 == 0) {
          EXPECT_EQ(sum.elements()[63], static_cast<float>(1 + t * i));
        }
      }
    });
  }
  for (std::thread& reader : readers) {
    reader.join();
  }
}

TEST(Queue, OutlivesTheThreadThatIssued) {
  GatedDevice gate;
  Tensor<float> result;
  std::thread issuer([&result] {
    const auto late = exp(Tensor<float>({1000}, std::vector<float>(1000, 0)));
    result = (late + 1.0F) * 2.0F;  // The sum's block is in the pool of a thread that ends.
  });
  while (waiting_calls() < 3) {
    std::this_thread::yield();
  }
  gate.open();
  issuer.join();
  EXPECT_EQ(result.values(), std::vector<float>(1000, 4));
}

TEST(Queue, GivesBorrowedMemoryBackWhenItHasBeenRead) {
  GatedDevice gate;
  std::atomic<bool> given_back{false};
  alignas(64) std::array<std::byte, 64> memory{};
  auto buffer = Buffer::borrowed(memory.data(), &given_back, [](void* owner) noexcept {
    static_cast<std::atomic<bool>*>(owner)->store(true);
  });
  const auto late = exp(Tensor<float>{0, 0});
  Tensor<float> borrowed(
      ddx::detail::Array(std::move(buffer), Shape{2}, DType::f32, Device::cpu()));
  const auto sum = late + borrowed;
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(given_back);
    gate.open();
  });
  borrowed = Tensor<float>();
  EXPECT_TRUE(given_back);
  EXPECT_EQ(waiting_calls(), 0U);
  opener.join();
  EXPECT_EQ(sum.values(), (std::vector<float>{1, 1}));
}

TEST(Queue, AForkedProcessHasAllThatWasIssuedAndComputesAtTheCall) {
  GatedDevice gate;
  gate.open();
  auto x = exp(Tensor<float>({20000}, std::vector<float>(20000, 0)));
  for (int i = 0; i < 100; ++i) {
    x += 1.0F;
  }
  const pid_t child = fork();
  if (child == 0) {
    const bool off = !is_asynchronous(Device::cpu()) && waiting_calls() == 0;
    x += 1.0F;
    bool right = x.elements()[19999] == 102;
    set_asynchronous(Device::cpu(), true);
    x += 1.0F;
    right = right && waiting_calls() <= 1 && x.elements()[19999] == 103;
    _exit(off && right ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  x += 1.0F;
  EXPECT_EQ(x.elements()[0], 102);
}

/// Says at its end whether the work on it has been done, where it has been given any: exits with 3
/// or 4. Made before main() and thus before any queue, it ends after them.
struct LastWord {
  Tensor<float> x;
  ~LastWord() {
    if (!x.is_symbolic_zero()) {
      _exit(waiting_calls() == 0 && x.elements()[0] == 301 ? 3 : 4);
    }
  }
};

LastWord last_word;

void leave_with_work_pending() {
  set_asynchronous(Device::cpu(), true);
  (void)set_break_even(0);
  // Large enough for the threads of the back end, which end with the program too.
  last_word.x = exp(Tensor<float>({1 << 18}, std::vector<float>(1 << 18, 0)));
  for (int i = 0; i < 300; ++i) {
    last_word.x += 1.0F;
  }
  if (waiting_calls() == 0) {
    _exit(5);
  }
  std::exit(0);
}

TEST(QueueDeathTest, AProgramEndsWithWorkPendingAndTheWorkIsDone) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(leave_with_work_pending(), ::testing::ExitedWithCode(3), "^$");
}

}  // namespace queue_test
}  // namespace ddx::backend
