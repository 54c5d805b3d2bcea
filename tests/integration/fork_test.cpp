// Children that are forked while threads of the process compute: none hangs, and each continues to
// use the library, or gets an error with the reason.

#include "ddx/ad.h"
#include "ddx/backend/asynchronous.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/data/prefetched.h"
#include "ddx/nn.h"
#include "ddx/tensor.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace ddx {
namespace {

constexpr unsigned seconds_until_it_hangs = 30;

/// How a child ends that does this: its status, or -1 for a signal, which a child that hangs gets.
int status_of_child(const std::function<bool()>& work) {
  std::fflush(nullptr);  // Not to be written once more by the child.
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(seconds_until_it_hangs);
    bool is_right = false;
    try {
      is_right = work();
    } catch (const std::exception&) {
      is_right = false;
    }
    std::exit(is_right ? 0 : 1);  // With the destructors of what the library keeps.
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

using Model = nn::Sequential<nn::Dense<float>, nn::Dense<float>>;

/// The loss after some steps of training of a network of this width.
float loss_after(int steps, std::int64_t width, Device device) {
  Model model(nn::Dense<float>(
                  {.in = 2, .out = width, .activation = nn::Activation::Tanh, .key = RandomKey(1)}),
              nn::Dense<float>({.in = width, .out = 1, .key = RandomKey(2)}));
  nn::move_to(model, device);
  nn::Adam<Model> optimizer(model, {.learning_rate = 0.01});
  const Tensor<float> x({3, 2}, {1, 2, -1, 0.5F, 0.25F, -2}, device);
  const Tensor<float> y({3, 1}, {1, -1, 0.5F}, device);
  float last = 0;
  for (int i = 0; i < steps; ++i) {
    const auto [loss, slope] =
        value_with_gradient([&](const Model& m) { return mean(square(m(x) - y)); }, model);
    optimizer.update(model, slope);
    last = loss.item();
  }
  return last;
}

/// Threads that train, each on another graph at every turn, from the construction on.
class TrainingThreads {
 public:
  explicit TrainingThreads(const std::vector<Device>& devices) {
    for (std::size_t i = 0; i < devices.size(); ++i) {
      threads_.emplace_back([this, device = devices[i], i] {
        for (std::int64_t turn = 0; !is_ended_; ++turn) {
          const auto width = static_cast<std::int64_t>(i) + 2 + turn % 40;
          if (!std::isfinite(loss_after(2, width, device))) {
            std::abort();
          }
        }
      });
    }
  }
  TrainingThreads(const TrainingThreads&) = delete;
  TrainingThreads& operator=(const TrainingThreads&) = delete;
  ~TrainingThreads() {
    is_ended_ = true;
    for (std::thread& thread : threads_) {
      thread.join();
    }
  }

 private:
  std::atomic<bool> is_ended_{false};
  std::vector<std::thread> threads_;
};

TEST(Fork, NoChildHangsBesideThreadsThatTrain) {
  const TrainingThreads threads({Device::lazy(), Device::lazy(), Device::cpu(), Device::lazy()});
  // Before one of the others has its values: from a process of its own.
  for (int child = 0; child < 300; ++child) {
    const Device device = child % 3 == 0 ? Device::cpu() : Device::lazy();
    ASSERT_EQ(status_of_child([&] { return std::isfinite(loss_after(2, 3 + child % 50, device)); }),
              0)
        << "child " << child;
  }
}

TEST(Fork, ChildrenOfChildrenComputeToo) {
  const TrainingThreads threads({Device::lazy(), Device::cpu()});
  for (int child = 0; child < 20; ++child) {
    ASSERT_EQ(status_of_child([] {
                const TrainingThreads own({Device::lazy()});
                return status_of_child(
                           [] { return std::isfinite(loss_after(2, 5, Device::lazy())); }) == 0;
              }),
              0);
  }
}

TEST(Fork, ThreadsMayForkAtTheSameTime) {
  const TrainingThreads training({Device::lazy()});
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (int child = 0; child < 20; ++child) {
        right +=
            status_of_child([] { return std::isfinite(loss_after(1, 4, Device::lazy())); }) == 0;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(right, 60);
}

TEST(Fork, QueuedCallsAreDoneInTheChild) {
  backend::set_asynchronous(Device::cpu(), true);
  Tensor<float> x = full({256, 256}, 1.0F, Device::cpu());
  for (int child = 0; child < 30; ++child) {
    const Tensor<float> y = exp(x * 0.0F) + x;
    ASSERT_EQ(status_of_child([&] { return sum(y).item() == 2.0F * 256 * 256; }), 0);
  }
  backend::set_asynchronous(Device::cpu(), false);
}

TEST(Fork, WhatAnotherThreadHasRecordedIsThereInTheChild) {
  Tensor<float> y;
  std::atomic<bool> is_recorded{false};
  std::atomic<bool> is_ended{false};
  std::thread thread([&] {
    y = full({2}, 3.0F, Device::lazy()) * 2.0F;
    is_recorded = true;
    while (!is_ended) {
      std::this_thread::yield();
    }
  });
  while (!is_recorded) {
    std::this_thread::yield();
  }
  EXPECT_EQ(status_of_child([&] { return y.values() == std::vector<float>{6, 6}; }), 0);
  is_ended = true;
  thread.join();
  EXPECT_EQ(y.values(), (std::vector<float>{6, 6}));
}

struct Squares {
  std::int64_t operator[](std::int64_t i) const { return i * i; }
};

TEST(Fork, APrefetchedSequenceIsTheParentsAlone) {
  data::Prefetched<Squares> squares(Squares(), 0, 100, {.threads = 2});
  EXPECT_EQ(squares.next(), 0);
  EXPECT_EQ(status_of_child([&] {
              std::string text;
              try {
                (void)squares.next();
              } catch (const EnvironmentError& error) {
                text = error.what();
              }
              data::Prefetched<Squares> own(Squares(), 3, 5);
              return text ==
                         "Prefetched: this process was forked from the one whose threads make "
                         "the items; make another sequence here" &&
                     own.next() == 9;
            }),
            0);
  EXPECT_EQ(squares.next(), 1);
}

TEST(Fork, AChildMayDestroyAPrefetchedSequence) {
  auto squares = std::make_unique<data::Prefetched<Squares>>(Squares(), 0, 100,
                                                             data::PrefetchOptions{.threads = 2});
  EXPECT_EQ(squares->next(), 0);
  EXPECT_EQ(status_of_child([&] {
              squares.reset();
              return true;
            }),
            0);
}

}  // namespace
}  // namespace ddx
